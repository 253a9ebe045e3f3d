"""Reading where memories were said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from conversations.models import Message
from core.text import looks_like_secret
from memory.memories.review.item_kinds import ReviewState
from memory.memories.sources.quotes import find_sentence, find_source
from memory.memories.sources.repetitions import Unsaid
from memory.memories.transitions import Verb
from memory.models import EpisodeStatement, Memory, MemoryRevision, MemorySource
from workspaces.access.callers import PEOPLE, Caller
from workspaces.access.compiled_queries import CallerQuery
from workspaces.access.scope import reading_scope

# The newest of a memory that was said again and again.
MAX_SOURCES = 50
# Of more suppressed memories the newest are recognised in the words of others.
MAX_SUPPRESSED = 200


@dataclass(frozen=True, slots=True)
class QuotedSource:
    """A message that says what a memory says; `quote` is its sentence, empty once the message was deleted.

    Of a deleted message `statement` is what its episode keeps of it that says most of the memory, if there is one.
    """

    message_id: UUID
    conversation_id: UUID
    conversation: str
    said_at: datetime
    quote: str
    is_deleted: bool
    statement: str


def memory_sources(caller: Caller, memory: Memory) -> list[QuotedSource]:
    """Return the messages that say a memory, newest first, at most `MAX_SOURCES`."""
    with reading_scope(caller):
        found = MemorySource.objects.of(caller).filter(memory=memory).select_related("conversation")
        newest = list(found.order_by("-said_at", "-id")[:MAX_SOURCES])
        if not newest:
            return []
        texts = Message.objects.of(caller).filter(id__in=[each.message_id for each in newest])
        contents = dict(texts.values_list("id", "content"))
        statements = _statements_of_messages(caller, [each for each in newest if each.message_id not in contents])
    return list(_quote_sources(memory, newest, contents, statements))


def unsaid_statements(caller: Caller) -> Unsaid:
    """Return what suppressed memories of the readable spaces say, the newest of them. For the open scope.

    They were drawn from messages, or a person suppressed them: else an agent could hide what others say, by remembering
    and suppressing it. What merely waits for review was not taken from anybody.
    """
    return Unsaid.of(body for (body,) in _UNSAID.rows(caller))


def silencing_memories(caller: Caller, memory_ids: Iterable[UUID]) -> set[UUID]:
    """Return those of the memories whose suppression holds for whatever says the same, as `unsaid_statements` tells
    them apart. For the open scope."""
    return set(_find_suppressed(caller).filter(pk__in=list(memory_ids)).values_list("pk", flat=True))


def _newest_hidden(caller: Caller, given: Any) -> QuerySet[Any, Any]:
    newest = _find_suppressed(caller).order_by("-node__suppressed_at", "-pk")
    return newest.values_list("node__body")[:MAX_SUPPRESSED]


def _find_suppressed(caller: Caller) -> QuerySet[Memory]:
    suppressed = Memory.objects.of(caller).filter(
        Exists(MemorySource.objects.of(caller).filter(memory=OuterRef("pk"))) | Exists(_steps_of_people(caller)),
        node__suppressed_at__isnull=False,
    )
    return suppressed.exclude(review=ReviewState.PENDING)


def _steps_of_people(caller: Caller) -> QuerySet[MemoryRevision]:
    """Return how people suppressed the memory of the query around it."""
    steps = MemoryRevision.objects.of(caller).filter(memory=OuterRef("pk"), action=Verb.SUPPRESS)
    return steps.filter(actor_kind__in=PEOPLE)


def messages_to_hide(caller: Caller, messages: Sequence[Message], *, unsaid: Unsaid | None = None) -> set[UUID]:
    """Return those of the messages, by their ids, from which a suppressed memory was drawn, or that say it again,
    in any role. For the open scope."""
    known = unsaid_statements(caller) if unsaid is None else unsaid
    drawn = statements_to_hide(caller, [message.id for message in messages]).keys()
    return {each.id for each in messages if each.id in drawn or known.recognises(each.content)}


def statements_to_hide(caller: Caller, messages: Iterable[UUID]) -> dict[UUID, list[str]]:
    """Return by message what memories say that were drawn from these messages, and are suppressed now; not what waits
    for review. For the open scope."""
    found: defaultdict[UUID, list[str]] = defaultdict(list)
    if ids := list(messages):
        for message, statement in _SUPPRESSED.rows(caller, messages=ids):
            found[message].append(statement)
    return dict(found)


def _hidden_statements(caller: Caller, given: Any) -> QuerySet[Any, Any]:
    sources = MemorySource.objects.of(caller).exclude(memory__review=ReviewState.PENDING)
    suppressed = sources.filter(message_id__in=given.messages, memory__node__suppressed_at__isnull=False)
    return suppressed.values_list("message_id", "memory__node__body")


# Asked by every context.
_UNSAID, _SUPPRESSED = CallerQuery(_newest_hidden), CallerQuery(_hidden_statements)


def _statements_of_messages(caller: Caller, sources: Sequence[MemorySource]) -> dict[tuple[UUID, datetime], list[str]]:
    """Return what episodes keep of deleted messages, by their conversation and moment."""
    found: defaultdict[tuple[UUID, datetime], list[str]] = defaultdict(list)
    if sources:
        kept = EpisodeStatement.objects.of(caller).filter(
            conversation__in={each.conversation_id for each in sources},
            said_at__in={each.said_at for each in sources},
            episode__is_deleted=False,
        )
        for conversation, said_at, text in kept.order_by("position").values_list("conversation", "said_at", "text"):
            found[conversation, said_at].append(text)
    return dict(found)


def _quote_sources(
    memory: Memory,
    sources: list[MemorySource],
    contents: dict[UUID, str],
    statements: dict[tuple[UUID, datetime], list[str]],
) -> Iterator[QuotedSource]:
    for each in sources:
        sentence = find_sentence(memory.content, contents.get(each.message_id, ""))
        quote = "" if looks_like_secret(sentence) else sentence
        kept = statements.get((each.conversation_id, each.said_at), [])
        place = find_source(memory.content, kept)
        yield QuotedSource(
            each.message_id, each.conversation_id, each.conversation.key, each.said_at, quote,
            is_deleted=each.message_id not in contents, statement="" if place is None else kept[place],
        )  # fmt: skip
