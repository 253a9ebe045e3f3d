"""Appending what was said; the first message creates the conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from conversations.indexing.services.index_writer import INDEX_TASK, index_messages
from conversations.messages.conversation_keys import check_key
from conversations.messages.selectors import conversation_messages, find_own_conversation, own_conversations
from conversations.messages.sessions import Turn, session_labels
from conversations.models import Conversation, Message, MessageRole, Status
from conversations.observations.services.cursors import note_appended
from core.clock import utc_now
from core.errors import FieldProblem, TooLargeError
from core.ids import new_id
from core.stores.queue import nudge_after_commit
from core.text.tokens import count_tokens
from llm.embedding.services.backlog import nudge_embedding
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.quotas import refuse_full
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import enter_space

MAX_AT_ONCE = 1_000
MANY = 50  # and the word index is seen to at once instead of by the schedule
# The index of its words must stay below PostgreSQL's limit of 1 MB: the worst text of this length takes 836 kB.
MAX_CHARACTERS = 100_000
# As far as clocks may be apart, or put back; a time that lies further ahead was given, and says nothing about now.
CLOCKS_APART = timedelta(days=1)


class MessageTooLargeError(TooLargeError):
    """The text is not a turn of a conversation but a document."""

    code = "content_too_large"


@dataclass(frozen=True, slots=True)
class NewMessage:
    """What was said, and when (now, unless given). `metadata["session"]` names the session that it belongs to.

    An `id` is given by a caller that knows that a message is there already. `made_by` is the part of the server that
    composed the text, which is then not the caller's word.
    """

    role: MessageRole
    content: str
    name: str = ""
    created_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    id: UUID | None = None
    made_by: str = ""


def append_messages(*, caller: Caller, conversation: str, messages: Sequence[NewMessage]) -> list[Message]:
    """Append messages to the conversation with this id or key, and answer them as they are stored, in the given order.

    A key that is not known yet begins a conversation; a message to an ended one opens it again. Given times are kept.
    Raises MissingScopeError without `write`, OtherSpaceError for the id of a conversation that is only read,
    UnfitKeyError, MessageTooLargeError, QuotaExceededError.
    """
    caller.require(Right.WRITE)
    _refuse_documents(messages)
    if not messages:
        return []
    tokens = [count_tokens(message.content) for message in messages]
    with workspace_scope(caller):
        refuse_full(caller=caller, model=Message, setting="MAX_MESSAGES")
        enter_space(caller)
        target = open_conversation(caller, conversation)
        stored = _store_messages(caller, target, messages, tokens=tokens)
        Conversation.objects.filter(id=target.id).update(
            status=target.status, ended_at=target.ended_at, last_message_at=target.last_message_at
        )
        note_appended(caller=caller, conversation=target.id, messages=stored)
        nudge_embedding(caller.workspace_id)
        if len(messages) > MANY:
            nudge_after_commit(INDEX_TASK, caller.workspace_id)
    return stored


def begin_conversation(*, caller: Caller, conversation: str) -> Conversation:
    """Return the conversation with this id or key, open and locked, in the open scope; a new key begins one.

    An ended one is opened again. Raises MissingScopeError without `write`, OtherSpaceError, UnfitKeyError.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        enter_space(caller)
        found = open_conversation(caller, conversation)
        if found.status != Status.OPEN:
            found.status, found.ended_at = Status.OPEN, None
            found.save(update_fields=["status", "ended_at"])
    return found


def open_conversation(caller: Caller, address: str) -> Conversation:
    """Return the conversation with this id or key of the written space, locked; created when there is none.

    For an open scope. Raises OtherSpaceError, UnfitKeyError.
    """
    if found := find_own_conversation(caller, address, lock=True):
        return found
    check_key(address)
    new = Conversation(workspace_id=caller.workspace_id, key=address)
    # Updating the key to itself locks the row of an earlier writer; doing nothing would leave it to be deleted.
    Conversation.objects.bulk_create(
        [new], update_conflicts=True, unique_fields=["workspace", "space_id", "key"], update_fields=["key"]
    )
    return own_conversations(caller).get(key=address)


def _store_messages(
    caller: Caller, conversation: Conversation, messages: Sequence[NewMessage], *, tokens: Sequence[int]
) -> list[Message]:
    begin = _next_moment(conversation.last_message_at, utc_now())
    rows = [
        Message(
            id=message.id or new_id(),
            workspace_id=caller.workspace_id,
            conversation=conversation,
            role=message.role,
            content=message.content,
            name=message.name,
            appended_by=message.made_by or caller.signature,
            appended_by_kind=ActorKind.SYSTEM if message.made_by else caller.kind,
            metadata=dict(message.metadata),
            # Messages of one call keep their order, which is that of their times.
            created_at=message.created_at or begin + timedelta(microseconds=place),
            tokens=tokens[place],
        )
        for place, message in enumerate(messages)
    ]
    in_time = sorted(rows, key=lambda row: (row.created_at, row.id))
    arriving = [Turn(row.created_at, row.metadata.get("session", "")) for row in in_time]
    known = _known_turns(caller, conversation, arriving)
    for row, label in zip(in_time, session_labels(arriving, known=known, ended_at=conversation.ended_at), strict=True):
        row.session = label
    Message.objects.bulk_create(rows)
    index_messages(rows)
    conversation.status, conversation.ended_at = Status.OPEN, None
    conversation.last_message_at = max(filter(None, [conversation.last_message_at, in_time[-1].created_at]))
    return rows


def _next_moment(last: datetime | None, now: datetime) -> datetime:
    """Now; behind the last message where the clock was put back since, or another server's is ahead of this one's."""
    if last is None or not now <= last < now + CLOCKS_APART:
        return now
    return last + timedelta(microseconds=1)


def _known_turns(caller: Caller, conversation: Conversation, arriving: Sequence[Turn]) -> list[Turn]:
    """Return the message before the first arriving one, and those between it and the last."""
    first, last = arriving[0].at, arriving[-1].at
    said = conversation_messages(caller, conversation).only("created_at", "session")
    before = said.filter(created_at__lte=first).newest_first()[:1]
    between = said.filter(created_at__gt=first, created_at__lte=last).in_order()
    return [Turn(message.created_at, message.session) for message in (*before, *between)]


def _refuse_documents(messages: Sequence[NewMessage]) -> None:
    problems = tuple(
        FieldProblem(f"messages.{place}.content", "content_too_large", f"Has {len(message.content):,} characters.")
        for place, message in enumerate(messages)
        if len(message.content) > MAX_CHARACTERS
    )
    if problems:
        raise MessageTooLargeError(f"A message has at most {MAX_CHARACTERS:,} characters.", problems=problems)
