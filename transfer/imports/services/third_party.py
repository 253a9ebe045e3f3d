"""Import of items from other products' exports; idempotent for each item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from conversations.messages.selectors import find_own_conversation
from conversations.messages.services.message_log import (
    MAX_CHARACTERS,
    MessageTooLargeError,
    NewMessage,
    append_messages,
)
from conversations.messages.services.titles import title_conversation
from conversations.models import Message
from core.bulk import LineResult
from core.errors import ConflictError, ProductError
from core.ids import id_from_name
from memory.memories.services.memory_writer import NewMemory, remember
from memory.models import MemoryEpisode, Source
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

UNKNOWN = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """A message of another product. `key` is its name there; with the conversation's it tells it from all others."""

    conversation: str
    key: str
    message: NewMessage
    title: str = ""

    def find_id(self, workspace_id: UUID) -> UUID:
        """Always the same, so that the message is known again."""
        name = "\x1f".join([self.conversation, self.key]).encode()
        return id_from_name(self.message.created_at or UNKNOWN, workspace_id.bytes + name)


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """A memory of another product; the same text is the same memory."""

    content: str
    fields: Mapping[str, Any] = field(default_factory=dict)


def take_items(
    *, caller: Caller, items: Sequence[ImportedMessage | ImportedMemory], is_dry: bool = False
) -> list[LineResult]:
    """Keep what is not there yet, and answer for each item what stands for it, or why it was refused.

    What was forgotten, or became part of an episode, does not come back. A dry run answers the same and keeps nothing.
    Raises MissingScopeError without `write`, ConflictError when the same is being imported right now.
    """
    caller.require(Right.WRITE)
    results: list[LineResult] = []
    with workspace_scope(caller), suppress(_OnlyTriedError), transaction.atomic():
        for conversation, group in groupby(items, key=lambda item: getattr(item, "conversation", "")):
            if conversation:
                results += _messages(caller, [item for item in group if isinstance(item, ImportedMessage)])
            else:
                results += [_memory(caller, item) for item in group if isinstance(item, ImportedMemory)]
        if is_dry:
            raise _OnlyTriedError()
    return results


class _OnlyTriedError(Exception):
    """Takes back what a dry run did."""


def _memory(caller: Caller, item: ImportedMemory) -> LineResult:
    try:
        with transaction.atomic():
            kept = remember(caller=caller, new=NewMemory(item.content, source=Source.IMPORT, **item.fields))
    except ProductError as error:
        return LineResult(error=error)
    return LineResult(kept.memory.pk, is_new=kept.is_new)


def _messages(caller: Caller, said: Sequence[ImportedMessage]) -> list[LineResult]:
    ids = [item.find_id(caller.workspace_id) for item in said]
    there = _already_there(caller, said[0].conversation, ids)
    fresh: dict[UUID, NewMessage] = {}
    for identity, item in zip(ids, said, strict=True):
        if identity not in there and len(item.message.content) <= MAX_CHARACTERS:
            fresh.setdefault(identity, replace(item.message, id=identity))
    try:
        with transaction.atomic():
            append_messages(caller=caller, conversation=said[0].conversation, messages=list(fresh.values()))
            if said[0].title and fresh:
                title_conversation(caller=caller, key=said[0].conversation, text=said[0].title)
    except IntegrityError as error:
        raise ConflictError("The same conversation is being imported right now. Try again.") from error
    except ProductError as error:
        return [LineResult(error=error)] * len(said)
    return [_result(identity, item, fresh) for identity, item in zip(ids, said, strict=True)]


def _already_there(caller: Caller, conversation: str, ids: Iterable[UUID]) -> set[UUID]:
    """Those that are messages, or that an episode stands for. Locks the conversation, so that they stay that."""
    found = find_own_conversation(caller, conversation, lock=True)
    if found is None:
        return set()
    wanted = list(ids)
    there = set(Message.objects.filter(conversation=found, id__in=wanted).values_list("id", flat=True))
    episodes = MemoryEpisode.objects.filter(conversation=found, source_message_ids__overlap=wanted)
    for sources in episodes.values_list("source_message_ids", flat=True):
        there.update(sources)
    return there


def _result(identity: UUID, item: ImportedMessage, fresh: dict[UUID, NewMessage]) -> LineResult:
    if len(item.message.content) > MAX_CHARACTERS:
        return LineResult(error=MessageTooLargeError(f"A message has at most {MAX_CHARACTERS:,} characters."))
    return LineResult(identity, is_new=fresh.pop(identity, None) is not None)
