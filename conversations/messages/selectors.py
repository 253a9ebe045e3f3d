"""Reading conversations. `access_conversation` is the only road from a key or an outside id to a conversation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Count, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from conversations.models import Conversation, Message, MessageQuerySet
from core.clock import utc_now
from core.db.named_statements import named_statements
from core.errors import NotFoundError
from core.ids import parse_id
from core.text import has_forbidden_characters
from workspaces.access.callers import Caller, Right
from workspaces.access.compiled_queries import CallerQuery
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import OtherSpaceError

STATEMENTS = named_statements(Path(__file__).with_name("queries.sql"))
_NEWEST = CallerQuery(
    lambda caller, given: (
        Message.objects.of(caller)
        .filter(conversation_id=given.conversation)
        .newest_first()
        .values_list("id")[: given.number]
    )
)


@dataclass(frozen=True, slots=True)
class ConversationContext:
    """Where a search takes place: the workspace's settings, and one conversation or None for all of them."""

    config: Mapping[str, Any]
    conversation: UUID | None


def access_conversation(caller: Caller, address: str | UUID, *, lock: bool = False) -> Conversation:
    """Return the conversation of the caller's workspace with this id or key; an id wins. Raises NotFoundError.

    A UUID is an id alone. `lock` is for changes: it keeps the row until the end of the caller's open scope, and raises
    what `find_own_conversation` does. Every change of a conversation's messages locks it first, so that appending,
    consolidating and deleting wait for each other instead of deadlocking.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        if lock:
            conversation = find_own_conversation(caller, address, lock=True)
        else:
            conversation = find_by_address(conversations_by_key(caller), address)
    if conversation is None:
        raise NotFoundError()
    return conversation


def access_own_conversation(caller: Caller, address: str) -> Conversation:
    """Return the conversation with this id or key of the space that the caller writes into.

    Raises NotFoundError, OtherSpaceError.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        conversation = find_own_conversation(caller, address)
    if conversation is None:
        raise NotFoundError()
    return conversation


def resolve_conversation(caller: Caller, address: str | None) -> ConversationContext:
    """Return the workspace, and its conversation with this id or key, as `access_conversation` finds it, or None; in
    one plain statement, since every search and context begins with it. For an open scope. Raises NotFoundError when the
    workspace was deleted."""
    key = None if address is None or has_forbidden_characters(address) else address
    with connection.cursor() as cursor:
        asked = {"workspace": caller.workspace_id, "key": key, "id": parse_id(key or ""), "space": caller.reach.written}
        cursor.execute(STATEMENTS["place"], asked)
        row = cursor.fetchone()
    if row is None:
        raise NotFoundError()
    return ConversationContext(json.loads(row[0]), row[1])


def access_place(caller: Caller, address: str | None) -> ConversationContext:
    """`resolve_conversation` that raises NotFoundError for an address of no conversation as well."""
    place = resolve_conversation(caller, address)
    if address is not None and place.conversation is None:
        raise NotFoundError()
    return place


def workspace_conversations(caller: Caller) -> QuerySet[Conversation]:
    """Return the conversations that the caller reads, newest first, for an open scope."""
    return Conversation.objects.of(caller).order_by("-id")


def conversations_by_use(caller: Caller) -> QuerySet[Conversation]:
    """Return the conversations that the caller reads with `used_at`: when they were last said something in, or began;
    for an open scope and pages of that time."""
    return Conversation.objects.of(caller).annotate(used_at=Coalesce("last_message_at", "created_at"))


def own_conversations(caller: Caller) -> QuerySet[Conversation]:
    """Return the conversations of the space that the caller writes into, for an open scope."""
    return Conversation.objects.in_written_space(caller)


def conversations_by_key(caller: Caller) -> QuerySet[Conversation]:
    """Return the conversations that a key may mean, those of the written space before the others."""
    return Conversation.objects.prefer_written_space(caller)


def with_counts(conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
    """Each with `message_count`: its messages that still exist."""
    counted = Message.objects.filter(conversation=OuterRef("id")).values("conversation").annotate(count=Count("*"))
    return conversations.annotate(message_count=Coalesce(Subquery(counted.values("count")), 0))


def find_by_address(
    conversations: QuerySet[Conversation], address: str | UUID, *, lock: bool = False
) -> Conversation | None:
    """Return the one of these with this id or, where no id matches, this key, for an open scope; a UUID is not a key.

    Keys are of the callers' choice: one that is the id of another conversation must not stand in its place. Where
    several spaces have a conversation with this key, the first of these in their order.
    """
    rows = conversations.select_for_update() if lock else conversations
    if isinstance(address, str) and has_forbidden_characters(address):
        return None
    if (identity := parse_id(address)) and (found := rows.filter(id=identity).first()):
        return found
    return rows.filter(key=address).first() if isinstance(address, str) else None


def find_own_conversation(caller: Caller, address: str | UUID, *, lock: bool = False) -> Conversation | None:
    """Return the conversation with this id or key of the space that the caller writes into, for an open scope.

    Raises OtherSpaceError for the id of one in a space that the caller only reads, which would be found by it.
    """
    if identity := parse_id(address):
        readable = workspace_conversations(caller).filter(id=identity)
        if readable.exclude(space_id=caller.reach.written).exists():
            raise OtherSpaceError()
    return find_by_address(own_conversations(caller), address, lock=lock)


def conversations_with_old_messages(
    caller: Caller, *, older_than_days: int, retained: int, at_least: int
) -> Sequence[UUID]:
    """Return ids of conversations with `at_least` active messages of that age in addition to the `retained` newest."""
    active = Message.objects.of(caller).filter(consolidated_at=None)
    is_old = Q(created_at__lt=utc_now() - timedelta(days=older_than_days))
    counted = active.values("conversation").annotate(
        count=Count("id"), old=Count("id", filter=is_old), oldest=Min("created_at")
    )
    due = counted.filter(count__gte=retained + at_least, old__gte=at_least).order_by("oldest")
    with workspace_scope(caller):
        return list(due.values_list("conversation", flat=True))


def conversations_used_last(caller: Caller, *, limit: int, key_prefix: str = "") -> Sequence[Conversation]:
    """Return the conversations with a message, by the last one, the latest first."""
    with workspace_scope(caller):
        spoken = workspace_conversations(caller).filter(last_message_at__isnull=False, key__startswith=key_prefix)
        return list(spoken.order_by("-last_message_at", "-id")[:limit])


def conversation_messages(caller: Caller, conversation: Conversation) -> MessageQuerySet:
    """Return the messages of a conversation that still exist, for an open scope."""
    return Message.objects.of(caller).filter(conversation=conversation)


def last_messages(
    caller: Caller, conversation: Conversation, *, last: int, before: UUID | None = None
) -> Sequence[Message]:
    """Return the last messages of a conversation, or the last ones before one of them, oldest first."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        found = conversation_messages(caller, conversation)
        if before:
            found = found.filter(_is_earlier(found.filter(id=before).first()))
        return list(found.newest_first()[:last])[::-1]


def newest_message_ids(caller: Caller, conversation: UUID, number: int) -> frozenset[UUID]:
    """Return the ids of the newest messages of a conversation, for an open scope."""
    if number < 1:
        return frozenset()
    return frozenset(identity for (identity,) in _NEWEST.rows(caller, conversation=conversation, number=number))


def surrounding_messages(
    caller: Caller, conversation: Conversation, messages: Sequence[Message], before: int, after: int
) -> list[tuple[list[Message], list[Message]]]:
    """For each message those of its session right before and right after it, oldest first, for an open scope."""
    said = conversation_messages(caller, conversation)
    parts = []
    for message in messages:
        within = said.filter(session=message.session)
        parts.append(within.filter(_is_earlier(message)).newest_first()[:before])
        parts.append(within.filter(_is_later(message)).in_order()[:after])
    # One statement for all of them, however many there are.
    found = {each.id: each for each in parts[0].union(*parts[1:], all=True)} if parts else {}
    around = []
    for message in messages:
        session = sorted((each for each in found.values() if each.session == message.session), key=_moment)
        earlier = [each for each in session if _moment(each) < _moment(message)]
        later = [each for each in session if _moment(each) > _moment(message)]
        around.append((earlier[max(len(earlier) - before, 0) :], later[:after]))
    return around


def _is_earlier(message: Message | None) -> Q:
    if message is None:
        raise NotFoundError()
    at = message.created_at
    return Q(created_at__lt=at) | Q(created_at=at, id__lt=message.id)


def _is_later(message: Message) -> Q:
    at = message.created_at
    return Q(created_at__gt=at) | Q(created_at=at, id__gt=message.id)


def _moment(message: Message) -> tuple[datetime, UUID]:
    """Return what messages are ordered by."""
    return message.created_at, message.id
