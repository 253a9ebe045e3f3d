"""Where a memory was said, for the console's pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.urls import reverse

from core.text import excerpt
from memory.memories.sources.selectors import QuotedSource
from memory.memories.view_models import MAX_CHARACTERS_OF_BEFORE, MAX_CHARACTERS_OF_LINK
from workspaces.access.selectors import ConsoleContext


def source_lines(seat: ConsoleContext, sources: Iterable[QuotedSource]) -> list[dict[str, Any]]:
    """Return the messages that say a memory as `parts/timeline_row.html` shows them, with their conversations."""
    return [
        {
            "at": each.said_at,
            "title": excerpt(each.conversation, limit=MAX_CHARACTERS_OF_LINK),
            "url": _message_url(seat, each),
            "text": _source_text(each),
            "tone": "" if each.quote else "muted",
        }
        for each in sources
    ]


def _source_text(source: QuotedSource) -> str:
    if source.quote:
        return f"“{excerpt(source.quote, limit=MAX_CHARACTERS_OF_BEFORE)}”"
    if not source.is_deleted:
        return "The message says so in other words."
    if not source.statement:
        return "The message is not kept any more."
    kept = excerpt(source.statement, limit=MAX_CHARACTERS_OF_BEFORE)
    return f"The message is not kept any more. Its episode keeps of it: “{kept}”"


def _message_url(seat: ConsoleContext, source: QuotedSource) -> str:
    """Return where a message stands in its conversation, or that conversation once the message is gone."""
    url = reverse("conversation-detail", args=[seat.workspace.slug, source.conversation_id])
    return url if source.is_deleted else f"{url}?at={source.message_id}#m-{source.message_id}"
