"""Import of items from other products' exports; idempotent for each item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
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
from conversations.models import Conversation, Message
from core.bulk import LineResult
from core.errors import ConflictError, ProductError
from core.ids import id_from_name
from core.space_ids import SHARED
from memory.memories.services.memory_import import import_memories
from memory.memories.services.memory_writer import NewMemory
from memory.models import MemoryEpisode, Source
from transfer.imports.services.message_times import separate_times
from transfer.imports.services.third_party_graph import ImportedEdge, ImportedNode, import_edges, import_nodes
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

UNKNOWN = datetime(1970, 1, 1, tzinfo=UTC)
# Behind a moment, where messages of it may stand that came in before: a microsecond for each.
CLOSE_BY = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """A message of another product. `key` is its name there; with the conversation's it tells it from all others."""

    conversation: str
    key: str
    message: NewMessage
    title: str = ""

    def find_id(self, caller: Caller) -> UUID:
        """Return the id that the message has in the written space; always the same, so that it is known again."""
        space = caller.reach.written
        return self._id(caller.workspace_id.bytes + (b"" if space == SHARED else space.bytes + b"\x1e"))

    def find_earlier_id(self, caller: Caller) -> UUID:
        """Return the id that it was given before those of spaces differed."""
        return self._id(caller.workspace_id.bytes)

    def _id(self, place: bytes) -> UUID:
        name = "\x1f".join([self.conversation, self.key]).encode()
        return id_from_name(self.message.created_at or UNKNOWN, place + name)


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """A memory of another product; the same text is the same memory."""

    content: str
    fields: Mapping[str, Any] = field(default_factory=dict)


ImportedItem = ImportedMessage | ImportedMemory | ImportedNode | ImportedEdge
# Of kinds that are kept together, behind all others.
TURNS: Mapping[type[Any], int] = {ImportedNode: 1, ImportedEdge: 2}


def take_items(*, caller: Caller, items: Sequence[ImportedItem], is_dry: bool = False) -> list[LineResult]:
    """Keep what is not there yet, and answer for each item what stands for it, or why it was refused.

    What was forgotten, or became part of an episode, does not come back. A dry run answers the same and keeps nothing.
    Raises MissingScopeError without `write`, ConflictError when the same is being imported right now.
    """
    caller.require(Right.WRITE)
    # Nodes together, since looking for their keys reads all that came in before, and edges behind them.
    in_turn = sorted(enumerate(items), key=lambda pair: TURNS.get(type(pair[1]), 0))
    results: dict[int, LineResult] = {}
    with workspace_scope(caller), suppress(_OnlyTriedError), transaction.atomic():
        for (kind, _), group in groupby(in_turn, key=lambda pair: (type(pair[1]), _find_conversation(pair[1]))):
            places, given = zip(*group, strict=True)
            results |= dict(zip(places, _take(caller, kind, given), strict=True))
        if is_dry:
            raise _OnlyTriedError()
    return [results[place] for place in range(len(items))]


def _find_conversation(item: ImportedItem) -> str:
    return item.conversation if isinstance(item, ImportedMessage) else ""


def _take(caller: Caller, kind: type[ImportedItem], given: Sequence[Any]) -> list[LineResult]:
    """Keep items of one kind, and messages of one conversation, in the open scope."""
    if kind is ImportedMessage:
        return _messages(caller, given)
    if kind is ImportedNode:
        return import_nodes(caller=caller, items=given)
    if kind is ImportedEdge:
        return import_edges(caller=caller, items=given)
    return _memories(caller, given)


class _OnlyTriedError(Exception):
    """Takes back what a dry run did."""


def _memories(caller: Caller, items: Sequence[ImportedMemory]) -> list[LineResult]:
    new = [NewMemory(item.content, source=Source.IMPORT, **item.fields) for item in items]
    return [
        LineResult(error=one) if isinstance(one, ProductError) else LineResult(one.memory.pk, is_new=one.is_new)
        for one in import_memories(caller=caller, new=new)
    ]


def _messages(caller: Caller, said: Sequence[ImportedMessage]) -> list[LineResult]:
    found = find_own_conversation(caller, said[0].conversation, lock=True)  # locked, so that it stays as it is read
    ids = _find_ids(caller, found, said)
    there = _already_there(found, ids)
    fresh: dict[UUID, NewMessage] = {}
    for identity, item in zip(ids, said, strict=True):
        if identity not in there and len(item.message.content) <= MAX_CHARACTERS:
            fresh.setdefault(identity, replace(item.message, id=identity))
    messages = _in_order(found, list(fresh.values()))
    try:
        with transaction.atomic():
            append_messages(caller=caller, conversation=said[0].conversation, messages=messages)
            if said[0].title and fresh:
                title_conversation(caller=caller, key=said[0].conversation, text=said[0].title)
    except IntegrityError as error:
        raise ConflictError("The same conversation is being imported right now. Try again.") from error
    except ProductError as error:
        return [LineResult(error=error)] * len(said)
    return [_result(identity, item, fresh) for identity, item in zip(ids, said, strict=True)]


def _find_ids(caller: Caller, found: Conversation | None, said: Sequence[ImportedMessage]) -> list[UUID]:
    """Return the id of each message: the earlier one, where it came in under that."""
    if found is None or caller.reach.written == SHARED:
        return [item.find_id(caller) for item in said]
    earlier = {item.find_earlier_id(caller): item.find_id(caller) for item in said}
    there = _already_there(found, earlier)
    kept = {new: old for old, new in earlier.items() if old in there}
    return [kept.get(identity, identity) for identity in (item.find_id(caller) for item in said)]


def _in_order(found: Conversation | None, messages: Sequence[NewMessage]) -> list[NewMessage]:
    """Return the messages at times that keep their order, behind those of the same moment that are there."""
    times = [message.created_at for message in messages]
    if not (known := [at for at in times if at]):
        return list(messages)
    taken: set[datetime] = set()
    if found is not None:
        near = Message.objects.filter(
            conversation=found, created_at__gte=min(known), created_at__lte=max(known) + CLOSE_BY
        )
        taken = set(near.values_list("created_at", flat=True))
    moved = separate_times(times, taken=taken)
    return [replace(message, created_at=at) for message, at in zip(messages, moved, strict=True)]


def _already_there(found: Conversation | None, ids: Iterable[UUID]) -> set[UUID]:
    """Return those that are messages of the conversation, or that an episode of it stands for."""
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
