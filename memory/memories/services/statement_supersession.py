"""What is true now among statements: newer ones, and memories, close what they replace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from core.clock import utc_now
from core.text import lexemes, normalise
from memory.memories.replacement.claims import read_claims
from memory.memories.replacement.decision import Succession, decide_by_frames
from memory.memories.services.corrected_statements import find_corrections
from memory.memories.services.replacement_candidates import CANDIDATES, words_query
from memory.memories.services.statement_closings import close_statements, open_statements
from memory.memories.sources.repetitions import Unsaid
from memory.models import EpisodeStatement, Memory, MemorySource
from workspaces.access.callers import Caller

# Of a memory that was said more often the first sources count.
MAX_SOURCES = 100


@dataclass(frozen=True, slots=True)
class _Closing:
    """A statement that is over, since when, when that was learned, and the statement or memory that says so."""

    closed: UUID
    end: datetime
    learned: datetime
    statement: EpisodeStatement | None = None
    memory: Memory | None = None


def close_replaced_statements(*, caller: Caller, statements: Sequence[EpisodeStatement]) -> None:
    """Compare new statements with those of their space that are about the same, each with at most 40; in an open scope.

    Whatever was said later closes what was said earlier, in whichever order they were drawn; a memory closes what was
    said before it.
    """
    closings: list[_Closing] = []
    corrections = find_corrections(caller, statements)
    for statement in sorted(statements, key=_when):
        if correction := corrections.get(statement.pk):
            corrected, moment = correction
            closings.append(_Closing(statement.pk, moment, moment, memory=corrected.memory))
            continue
        reading = read_claims(statement.text)
        if not reading.may_replace:
            continue
        words = words_query(reading)
        alike = EpisodeStatement.objects.of(caller).filter(
            space_id=statement.space_id, episode__is_deleted=False, superseded_at=None, words=words
        )
        others = alike.exclude(pk=statement.pk).defer("vector", "words").order_by("-said_at", "-position")
        for other in others[:CANDIDATES]:
            older, newer = sorted((statement, other), key=_when)
            if _when(older)[0] <= newer.said_at and _replaces(older.text, newer.text):
                closings.append(_Closing(older.pk, newer.said_at, newer.said_at, statement=newer))
        closings += _find_newer_memory(caller, statement)
    _close(caller, [*closings, *_find_told_by_replaced(caller, statements)])


def _close(caller: Caller, closings: Sequence[_Closing]) -> None:
    for closing in closings:  # of two that close the same the first stands
        close_statements(
            caller,
            [closing.closed],
            superseded_by=closing.statement,
            superseded_by_memory=closing.memory,
            superseded_at=closing.learned,
            valid_to=closing.end,
        )


def close_statements_of_replaced(*, caller: Caller, memory_id: UUID) -> None:
    """Close the open statements that say what a memory says that was just replaced; in an open scope."""
    told = _statements_of_messages(caller, memory_id).filter(superseded_at=None)
    _close(caller, _find_told_by_replaced(caller, list(told)))


def open_statements_of_reopened(*, caller: Caller, memory: Memory) -> None:
    """Open the statements that say what a memory says that is about to hold again, closed with it; in an open scope."""
    closed = _statements_of_messages(caller, memory.pk).filter(superseded_by_memory=memory.superseded_by_id)
    open_statements(caller, [each.pk for each in closed if _says_little_else(each.text, memory.content)])


def _statements_of_messages(caller: Caller, memory_id: UUID) -> QuerySet[EpisodeStatement]:
    """Return the statements of the messages in which a memory was said."""
    wanted = Q(pk__in=[])
    sources = MemorySource.objects.of(caller).filter(memory=memory_id).order_by("said_at")
    for conversation, at in sources.values_list("conversation", "said_at")[:MAX_SOURCES]:
        wanted |= Q(conversation=conversation, said_at=at)
    there = EpisodeStatement.objects.in_written_space(caller).filter(wanted, episode__is_deleted=False)
    return there.defer("vector", "words")


def open_closed_by_conversation(*, caller: Caller, conversation_id: UUID) -> None:
    """Open what statements of a conversation closed, which is about to be deleted; in an open scope."""
    closed = EpisodeStatement.objects.of(caller).filter(superseded_by__conversation=conversation_id)
    open_statements(caller, list(closed.exclude(conversation=conversation_id).values_list("pk", flat=True)))


def open_closed_by_episode(*, caller: Caller, episode_id: UUID) -> None:
    """Open what statements of an episode closed, which is being deleted; in an open scope."""
    closed = EpisodeStatement.objects.of(caller).filter(superseded_by__episode=episode_id)
    open_statements(caller, list(closed.exclude(episode=episode_id).values_list("pk", flat=True)))


def open_closed_by_statement(*, caller: Caller, statement_id: UUID) -> None:
    """Open what a statement closed, which is being closed by hand; in an open scope."""
    closed = EpisodeStatement.objects.of(caller).filter(superseded_by=statement_id)
    open_statements(caller, list(closed.values_list("pk", flat=True)))


def _when(statement: EpisodeStatement) -> tuple[datetime, int]:
    return statement.said_at, statement.position


def _replaces(older: str, newer: str) -> bool:
    decision = decide_by_frames(read_claims(older), read_claims(newer), is_one_person=False)
    return decision.outcome == Succession.REPLACES


def _find_told_by_replaced(caller: Caller, statements: Sequence[EpisodeStatement]) -> list[_Closing]:
    """Return the closings of statements that say what a memory of the same message says that a newer memory replaced.

    More is read in memories than in statements, so that a newer one may close the memory alone.
    """
    sources = MemorySource.objects.of(caller).filter(
        memory__superseded_by__node__is_deleted=False,
        conversation__in={each.conversation_id for each in statements},
        said_at__in={each.said_at for each in statements},
    )
    replaced: defaultdict[tuple[UUID, datetime], list[Memory]] = defaultdict(list)
    for source in sources.select_related("memory__node", "memory__superseded_by__node"):
        replaced[source.conversation_id, source.said_at].append(source.memory)
    closings = []
    for each in statements:
        for memory in replaced[each.conversation_id, each.said_at]:
            closer, end = memory.superseded_by, memory.node.valid_to
            if closer is None or end is None or end <= each.said_at or memory.space_id != each.space_id:
                continue
            is_same = normalise(closer.content) == normalise(memory.content)  # it has given way, and is as true
            if not is_same and _says_little_else(each.text, memory.content):
                closings.append(_Closing(each.pk, end, memory.superseded_at or end, memory=closer))
    return closings


def _says_little_else(text: str, content: str) -> bool:
    """Return whether a text says what another one says, and at most as much again."""
    words, known = frozenset(lexemes(text)), frozenset(lexemes(content))
    return len(words) <= 2 * len(words & known) and Unsaid.of([content]).recognises(text)


def _find_newer_memory(caller: Caller, statement: EpisodeStatement) -> list[_Closing]:
    """Return the closing by a memory that has replaced a statement since it was said, if there is one."""
    about = Memory.objects.of(caller).filter(space_id=statement.space_id, superseded_at=None, node__is_deleted=False)
    valid = about.filter(Q(node__valid_to=None) | Q(node__valid_to__gt=utc_now()), node__suppressed_at=None)
    words = words_query(read_claims(statement.text))
    found = valid.filter(node__words=words, node__created_at__gt=statement.said_at).select_related("node")
    for memory in found.order_by("-pk")[:CANDIDATES]:
        moment = memory.node.valid_from or memory.node.created_at
        if moment > statement.said_at and _replaces(statement.text, memory.content):
            return [_Closing(statement.pk, moment, memory.node.created_at, memory=memory)]
    return []
