"""Reading where memories were said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from conversations.models import Message
from core.text import looks_like_secret
from memory.memories.sources.quotes import find_sentence
from memory.models import Memory, MemorySource
from workspaces.access.callers import Caller
from workspaces.access.compiled_queries import CallerQuery
from workspaces.access.scope import reading_scope

# The newest of a memory that was said again and again.
MAX_SOURCES = 50
# What suppressed memories say, by the messages that they were drawn from.
_SUPPRESSED = CallerQuery(
    lambda caller, given: (
        MemorySource.objects.of(caller)
        .filter(message_id__in=given.messages, memory__node__suppressed_at__isnull=False)
        .values_list("message_id", "memory__node__body")
    )
)


@dataclass(frozen=True, slots=True)
class QuotedSource:
    """A message that says what a memory says; `quote` is its sentence, empty once the message was deleted."""

    message_id: UUID
    conversation_id: UUID
    conversation: str
    said_at: datetime
    quote: str


def memory_sources(caller: Caller, memory: Memory) -> list[QuotedSource]:
    """Return the messages that say a memory, newest first, at most `MAX_SOURCES`."""
    with reading_scope(caller):
        found = MemorySource.objects.of(caller).filter(memory=memory).select_related("conversation")
        newest = list(found.order_by("-said_at", "-id")[:MAX_SOURCES])
        if not newest:
            return []
        texts = Message.objects.of(caller).filter(id__in=[each.message_id for each in newest])
        contents = dict(texts.values_list("id", "content"))
    return list(_quote_sources(memory, newest, contents))


def statements_to_hide(caller: Caller, messages: Iterable[UUID]) -> dict[UUID, list[str]]:
    """Return by message what memories say that were drawn from these messages, and are suppressed now. For the open
    scope."""
    found: defaultdict[UUID, list[str]] = defaultdict(list)
    if ids := list(messages):
        for message, statement in _SUPPRESSED.rows(caller, messages=ids):
            found[message].append(statement)
    return dict(found)


def _quote_sources(memory: Memory, sources: list[MemorySource], contents: dict[UUID, str]) -> Iterator[QuotedSource]:
    for each in sources:
        sentence = find_sentence(memory.content, contents.get(each.message_id, ""))
        quote = "" if looks_like_secret(sentence) else sentence
        yield QuotedSource(each.message_id, each.conversation_id, each.conversation.key, each.said_at, quote)
