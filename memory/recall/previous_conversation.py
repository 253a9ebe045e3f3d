"""The conversation before the present one: what is left of its last session, for questions about all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Greatest

from conversations.messages.sessions import SESSION_GAP
from conversations.models import Conversation, Message, MessageQuerySet
from core.clock import utc_now
from memory.memories.selectors import Moments
from memory.models import EpisodeStatement, MemoryEpisode, MemoryEpisodeQuerySet
from memory.recall.prompt_format import MENTION_CHARACTERS, MESSAGE_CHARACTERS
from memory.recall.recent_episodes import RECALLED
from workspaces.access.callers import Caller

# Of the newest conversations these many are looked at, the newest of which may be empty.
LOOKED_AT = 50
# The most that is read of a session. A longer one is known by its end.
MAX_MESSAGES, MAX_STATEMENTS = 100, 60
# What of a budget goes to the messages, and what of it their speakers take.
PART_OF_BUDGET, CHARACTERS_OF_TOKEN, CHARACTERS_OF_SPEAKER = 0.8, 4, 20
# Why it is in a context.
OF_PREVIOUS = "said in the conversation before this one"


@dataclass(frozen=True, slots=True)
class PreviousConversation:
    """What is left of the last session of a conversation, oldest first: messages, and what was kept of others."""

    messages: Sequence[Message] = ()
    episodes: Sequence[MemoryEpisode] = ()
    statements: Sequence[EpisodeStatement] = ()


@dataclass(frozen=True, slots=True)
class _Past:
    """What was said before the present session of a conversation, where that is one, and at a moment."""

    caller: Caller
    home: UUID | None
    present: str
    until: datetime | None

    def messages(self) -> MessageQuerySet:
        said: MessageQuerySet = Message.objects.of(self.caller)
        if self.home and self.present:
            said = said.exclude(conversation_id=self.home, session=self.present)
        return said.filter(created_at__lte=self.until) if self.until else said

    def episodes(self) -> MemoryEpisodeQuerySet:
        kept = MemoryEpisode.objects.of(self.caller).live()
        return kept.filter(period_end__lte=self.until) if self.until else kept


def find_previous_conversation(
    caller: Caller, *, home: UUID | None, speakers: Sequence[str], moments: Moments, only_home: bool
) -> PreviousConversation | None:
    """Return what is left of the newest session of the readable spaces before the present one of `home`; None where
    there is none. For an open scope.

    Where `speakers` are named, of the newest conversation in which each of them speaks. `only_home` looks at no other
    conversation than `home`.
    """
    past = _Past(caller, home, _present_session(caller, home, moments.until), moments.until)
    conversations = Conversation.objects.of(caller)
    if only_home and home:
        conversations = conversations.filter(id=home)
    for name in speakers:
        conversations = conversations.filter(_has_speaker(caller, name))
    found = _newest(past, conversations)
    return _read_session(past, *found) if found else None


def worth_of_place(place: int, number: int) -> float:
    """Return what the place from the beginning, 1 to `number`, is worth: what was said last is worth most."""
    return 0.5 + 0.5 * place / number


def characters_of_each(number: int, *, tokens: int) -> int:
    """Return how much is quoted of each of the messages, so that all of them find room in a context, as far as a
    message can be understood by that."""
    characters = PART_OF_BUDGET * tokens * CHARACTERS_OF_TOKEN // max(number, 1) - CHARACTERS_OF_SPEAKER
    return int(min(max(characters, MENTION_CHARACTERS // 2), MESSAGE_CHARACTERS))


def _present_session(caller: Caller, home: UUID | None, until: datetime | None) -> str:
    """Return the session of a conversation that goes on; '' where the next message begins another one."""
    if home is None:
        return ""
    newest = Message.objects.of(caller).filter(conversation_id=home).newest_first().values_list("session", "created_at")
    session, at = newest.first() or ("", None)
    return session if at and at > (until or utc_now()) - SESSION_GAP else ""


def _has_speaker(caller: Caller, name: str) -> Q:
    said = Message.objects.of(caller).filter(conversation=OuterRef("id"))
    kept = EpisodeStatement.objects.of(caller).filter(conversation=OuterRef("id"))
    is_said = Exists(said.filter(Q(name__iexact=name) | Q(name__istartswith=f"{name} ")))
    is_kept = Exists(kept.filter(Q(speaker__iexact=name) | Q(speaker__istartswith=f"{name} ")))
    return Q(is_said) | Q(is_kept)


def _newest(past: _Past, conversations: QuerySet[Conversation]) -> tuple[UUID, datetime] | None:
    """Return the conversation in which something was said last, and when."""
    said = past.messages().filter(conversation=OuterRef("id")).newest_first().values("created_at")[:1]
    kept = past.episodes().filter(conversation=OuterRef("id")).newest_first().values("period_end")[:1]
    ending = conversations.annotate(end=Greatest(Subquery(said), Subquery(kept)))
    # What was said last of all is in one of the newest; what was said last before a moment may be in any.
    by_end = [F("end").desc(nulls_last=True)] if past.until else [F("last_message_at").desc(nulls_last=True)]
    rows = ending.order_by(*by_end, "-id").values_list("id", "end")[:LOOKED_AT]
    return max(((pk, end) for pk, end in rows if end), key=lambda row: row[1], default=None)


def _read_session(past: _Past, conversation: UUID, end: datetime) -> PreviousConversation:
    """Return what is left of the session that ends then."""
    newest = list(past.messages().filter(conversation_id=conversation).newest_first()[:MAX_MESSAGES])
    messages = [each for each in newest if each.session == newest[0].session][::-1]
    begin = (messages[0].created_at if messages else end) - SESSION_GAP
    kept = past.episodes().filter(conversation_id=conversation, period_end__gte=begin).defer("source_message_ids")
    statements = EpisodeStatement.objects.of(past.caller).filter(
        episode__in=kept.values("id"), said_at__gte=begin, valid_to=None
    )
    if messages:  # they say it themselves
        statements = statements.filter(said_at__lt=messages[0].created_at)
    last = list(statements.order_by("-said_at", "-position").defer("vector", "words")[:MAX_STATEMENTS])
    return PreviousConversation(messages, list(kept.newest_first()[:RECALLED])[::-1], last[::-1])
