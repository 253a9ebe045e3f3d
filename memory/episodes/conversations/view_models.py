"""View models of conversations: sessions, messages, episodes, and what can be done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType
from uuid import UUID

from django.urls import reverse

from conversations.models import Conversation, Message, Status
from conversations.search.services.message_search import RankedMessage
from core.ids import parse_id
from core.text import excerpt
from memory.episodes.selectors import Summed
from memory.models import EpisodeStatement
from workspaces.access.callers import KIND_NOTES, Right
from workspaces.access.selectors import ConsoleContext
from workspaces.settings.workspace_settings import is_memory_enabled, memory_settings

MAX_CHARACTERS_OF_A_MESSAGE = 4_000
NO_RECEIPTS: Mapping[UUID, UUID] = MappingProxyType({})
MAX_CHARACTERS_OF_A_HIT = 300


class ConversationAction(StrEnum):
    """What a person can do to a conversation, as it stands in the address."""

    CONSOLIDATE = "consolidate"
    END = "end"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a person is asked before an act; `word` must be typed, where there is one."""

    act: ConversationAction
    url: str
    title: str
    text: str
    verb: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class StatementOutcome:
    """What was done to a statement by hand, and what that means, each in sentences."""

    done: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """One conversation of the list."""

    conversation: Conversation
    url: str
    summed: Summed


@dataclass(frozen=True, slots=True)
class MessageLine:
    """One message as `conversations/_message.html` shows it.

    `receipt` says why its answer was what it was; `by` names the key or app that appended it, whatever role it gave.
    """

    message: Message
    text: str
    is_cut: bool
    receipt: UUID | None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """Messages that belong together; `name` is '' unless their sender named the session."""

    name: str
    at: datetime
    said: Sequence[MessageLine]


def detail_url(seat: ConsoleContext, conversation: Conversation) -> str:
    return reverse("conversation-detail", args=[seat.workspace.slug, conversation.id])


def statement_outcome(statement: EpisodeStatement) -> StatementOutcome:
    """Return what closing or opening a statement by hand did."""
    if statement.is_closed_by_hand:
        return StatementOutcome(
            "Closed.", "No context holds this statement from now on. Summaries and messages stay as they are."
        )
    if statement.successor_id:
        return StatementOutcome("Still closed.", "Something newer replaces this statement.")
    return StatementOutcome("Reopened.", "Contexts can hold this statement again.")


def conversation_lines(
    seat: ConsoleContext, conversations: Iterable[Conversation], sums: Mapping[UUID, Summed]
) -> list[ConversationLine]:
    return [ConversationLine(one, detail_url(seat, one), sums.get(one.id, Summed())) for one in conversations]


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A message that a search found; `url` leads to it in its conversation."""

    message: Message
    text: str
    title: str
    url: str
    score: float
    reasons: str


def hit_lines(
    seat: ConsoleContext, hits: Iterable[RankedMessage], conversations: Mapping[UUID, Conversation]
) -> list[MessageHit]:
    """Return what a search found, without what was deleted meanwhile."""
    return [
        MessageHit(
            hit.message,
            excerpt(hit.message.content, limit=MAX_CHARACTERS_OF_A_HIT),
            found.title or found.key,
            f"{detail_url(seat, found)}?at={hit.message.id}#m-{hit.message.id}",
            hit.score,
            ", ".join(hit.reasons),
        )
        for hit in hits
        if (found := conversations.get(hit.message.conversation_id))
    ]


def group_sessions(
    messages: Iterable[Message], *, whole: UUID | None = None, receipts: Mapping[UUID, UUID] = NO_RECEIPTS
) -> list[Session]:
    """Messages in the order of time, by session; only the message `whole` is shown beyond 4,000 characters.

    `receipts` are those of answers that do not name their own, by message.
    """
    sessions = []
    for label, group in groupby(messages, key=lambda message: message.session):
        said = [
            message_line(message, is_whole=message.id == whole, receipt=receipts.get(message.id)) for message in group
        ]
        sessions.append(Session("" if _is_moment(label) else label, said[0].message.created_at, said))
    return sessions


def message_line(message: Message, *, is_whole: bool = False, receipt: UUID | None = None) -> MessageLine:
    is_cut = not is_whole and len(message.content) > MAX_CHARACTERS_OF_A_MESSAGE
    text = f"{message.content[:MAX_CHARACTERS_OF_A_MESSAGE]}…" if is_cut else message.content
    by = message.appended_by if message.appended_by_kind in KIND_NOTES else ""
    return MessageLine(message, text, is_cut, parse_id(message.metadata.get("receipt")) or receipt, by)


def confirmations(seat: ConsoleContext, conversation: Conversation) -> list[Confirmation]:
    """Return what this person may do to the conversation now, the most frequent first."""
    if not seat.caller.may(Right.WRITE):
        return []
    acts = (
        [ConversationAction.DELETE]
        if conversation.status == Status.ENDED
        else [ConversationAction.END, ConversationAction.DELETE]
    )
    if is_memory_enabled(seat.workspace):
        acts.insert(0, ConversationAction.CONSOLIDATE)
    return [confirmation(seat, conversation, act) for act in acts]


def confirmation(seat: ConsoleContext, conversation: Conversation, act: ConversationAction) -> Confirmation:
    url = f"{detail_url(seat, conversation)}/{act}"
    if act == ConversationAction.CONSOLIDATE:
        text = _what_consolidating_does(seat)
        return Confirmation(act, url, "Consolidate older messages?", text, "Consolidate")
    if act == ConversationAction.END:
        text = (
            "Its scratchpad is cleared, and facts and preferences are looked for in what was said. The history stays, "
            "and the next message opens it again."
        )
        return Confirmation(act, url, "End this conversation?", text, "End")
    text = (
        "Its messages, episodes and scratchpad are deleted for good. Memories that were made out of it stay; they are "
        "forgotten one by one."
    )
    return Confirmation(act, url, "Delete this conversation?", text, "Delete", word="delete")


def _what_consolidating_does(seat: ConsoleContext) -> str:
    chosen = memory_settings(seat.workspace).consolidation
    kept = (
        f"The messages are kept until they are {chosen.message_retention_days:,} days old."
        if chosen.keep_sources
        else "The messages themselves are deleted."
    )
    return (
        f"Messages older than {chosen.max_age_days:,} days become summaries, called episodes, except for the "
        f"{chosen.retain_last:,} newest. {kept}"
    )


def _is_moment(label: str) -> bool:
    try:
        datetime.fromisoformat(label)
    except ValueError:
        return False
    return True
