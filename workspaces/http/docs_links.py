"""Which page of the docs tells of a page of the console."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse

CONSOLE = "how-to/console.md"
# By the folder of an address below /w/<slug>/, and the one below it where that has a page of its own.
PAGES = {
    "memory": f"{CONSOLE}#the-memory-page-wslugmemory",
    "review": f"{CONSOLE}#review-wslugreview",
    "explain": f"{CONSOLE}#explain-wslugexplain",
    "explain/ask": f"{CONSOLE}#ask-wslugexplainask",
    "search": f"{CONSOLE}#find-anything-wslugsearch",
    "conversations": f"{CONSOLE}#conversations-wslugconversations",
    "ontology": "how-to/ontology.md",
    "agents": "how-to/telemetry.md",
    "spaces": "how-to/users.md",
    "undo": "how-to/undo.md",
    "about-you": f"{CONSOLE}#about-you-wslugabout-you",
    "receipts": "reference/context.md",
    "connect": "how-to/mcp.md",
    "settings/models": "how-to/models.md",
    "settings/spaces": "how-to/users.md",
    "settings/apps": "how-to/mcp.md#sign-in-instead-of-a-key",
    "settings/api-keys": "reference/rest.md",
    "settings/members": f"{CONSOLE}#members-wslugsettingsmembers",
    "settings/activity": "reference/events.md",
    "settings/data": "how-to/move.md",
    "settings/delete": "how-to/erase.md",
    "settings/memory": "how-to/consolidation.md",
    "settings/retention": "how-to/consolidation.md#how-long-messages-stay",
}


def docs_url(path: str) -> str:
    """Return the address of the page of the docs for a page of the console; the console's own for any other."""
    parts = path.strip("/").split("/")[2:4] if path.startswith("/w/") else []
    page = PAGES.get("/".join(parts)) or PAGES.get("".join(parts[:1])) or CONSOLE
    name, _, anchor = page.partition("#")
    base = f"{settings.DOCS_URL}/{name}" if settings.DOCS_URL else reverse("docs", args=[name])
    return f"{base}#{anchor}" if anchor else base
