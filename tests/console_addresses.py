"""The addresses of the console, read from the URL table, with the objects of a furnished workspace in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from django.urls import get_resolver

from tests.pages import Visitor, text_of
from tests.rules.doors import addresses

CONSOLE = "w/<slug:slug>"
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
# Pages with other words than ids in their addresses.
WORDS = {"verb": "promote", "user": "alice", "tier": "semantic", "name": "plan", "kind": "memory"}
# Pages that show what the address asks for, next to those that their tabs link to.
ASKED = (
    "memory?view=search&q=tea",
    "explain/search?q=tea",
    "conversations?q=tea",
    "ontology?q=Ada",
    "explain/ask?new",
)
_TABS = re.compile(r'<nav class="tabs".*?</nav>', re.DOTALL)
# One page of an agent, which Home links to: its name stands in the query string.
_AGENT = re.compile(r'href="/w/[^/"]+/(agents/agent\?name=[^"]+)"')
_LINK = re.compile(r'href="/w/[^/"]+/([^"]+)"')


def console_routes() -> list[str]:
    """Return every route below a workspace: pages, verbs and fragments."""
    return sorted(route for route, _ in addresses(get_resolver().url_patterns, "") if route.startswith(CONSOLE))


def fill_route(route: str, ids: Mapping[str, Any]) -> str:
    """Return the address of a route below `/w/<slug>/`, with ids in the places of its parameters."""
    below = route.removeprefix(CONSOLE).removeprefix("/")
    return PARAMETER.sub(lambda found: str(ids.get(found[1]) or WORDS[found[1]]), below)


def console_pages(visitor: Visitor, ids: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every page that a person can open, once: its name, which is the same in each workspace, and its path.

    These are the routes that answer with a whole document, the tabs on these, an agent, and what `ASKED` names; without
    those that name something of which there is no id.
    """
    known = {*ids, *WORDS, "slug"}
    routes = [route for route in console_routes() if known.issuperset(PARAMETER.findall(route))]
    names = {fill_route(route, ids): route.removeprefix(CONSOLE).removeprefix("/") for route in routes}
    waiting, seen = [*names, *ASKED], set()
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        answer = visitor.get(path)
        if answer.status_code != 200 or "text/html" not in answer["Content-Type"]:
            continue
        shown = text_of(answer)
        if not shown.lstrip().lower().startswith("<!doctype html"):
            continue
        yield ("agents/agent" if path.startswith("agents/agent?") else names.get(path, path)), path
        tabs = "".join(_TABS.findall(shown))
        waiting += [
            unescape(link) for link in [*_LINK.findall(tabs), *_AGENT.findall(shown if path == "home" else "")[:1]]
        ]
