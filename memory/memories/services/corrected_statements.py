"""Statements of episodes that say what a memory said before it was corrected.

Runs inside the caller's open `workspace_scope`, in the transaction of the write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from operator import attrgetter
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from core.clock import utc_now
from core.english.relative_dates import strip_date_said
from core.english.stated_details import adds_name, details_agree
from core.text import lexemes
from memory.memories.replacement.claims import read_claims
from memory.memories.services.replacement_candidates import CANDIDATES, words_query
from memory.memories.services.statement_closings import close_statements
from memory.memories.sources.quotes import shares_subject
from memory.memories.sources.repetitions import Unsaid
from memory.models import EpisodeStatement, Memory, MemoryRevision, MemorySource
from workspaces.access.callers import PEOPLE, Caller

# Of a memory that was edited more often the newest texts count, and of one that was said more often its newest sources.
MAX_TEXTS = 20
MAX_SOURCES = 1_000  # of all memories of one call


@dataclass(frozen=True, slots=True)
class EarlierText:
    """What a memory said until it was given another text, by a person or by an agent."""

    text: str
    until: datetime
    is_of_person: bool


@dataclass(frozen=True, slots=True)
class CorrectedMemory:
    """A memory that was given another text, its earlier texts, and where it was said."""

    memory: Memory
    earlier: Sequence[EarlierText]
    said: frozenset[tuple[UUID, datetime]]

    def find_correction(self, statement: EpisodeStatement) -> datetime | None:
        """Return when what a statement says was taken out, that was said before; None where it was not.

        What an agent takes out counts for statements of the memory's own messages only: it decides about nothing else
        that was said.
        """
        is_source = (statement.conversation_id, statement.said_at) in self.said
        for old in self.earlier:
            may_close = statement.said_at < old.until and (old.is_of_person or is_source)
            if may_close and says_earlier(old.text, self.memory.content, statement.text, is_source=is_source):
                return old.until
        return None


def close_corrected_statements(caller: Caller, memory: Memory) -> None:
    """Close the statements that say what was taken out of a memory by giving it another text.

    They were said before, and are of its messages and tell of the same, or say its earlier text in any conversation of
    the space. They stay closed when the memory is forgotten, and open when it is edited back.
    """
    for corrected in _read_corrected(caller, [memory], MemorySource.objects.of(caller).filter(memory=memory)):
        closed = [each.pk for each in _candidates(caller, corrected) if corrected.find_correction(each)]
        if closed:
            now = utc_now()
            close_statements(caller, closed, superseded_by_memory=memory, superseded_at=now, valid_to=now)


def find_corrections(
    caller: Caller, statements: Sequence[EpisodeStatement]
) -> dict[UUID, tuple[CorrectedMemory, datetime]]:
    """Return what was corrected, and when, by the id of each statement that still says it.

    Looked at are the memories of the statements' own messages.
    """
    edits = MemoryRevision.objects.of(caller).filter(
        action="edit", before__has_key="content", memory=OuterRef("memory")
    )
    sources = MemorySource.objects.of(caller).filter(
        Exists(edits),
        conversation__in={each.conversation_id for each in statements},
        said_at__in={each.said_at for each in statements},
    )
    memories = Memory.objects.of(caller).filter(pk__in=sources.values("memory")).select_related("node")
    found: dict[UUID, tuple[CorrectedMemory, datetime]] = {}
    for corrected in _read_corrected(caller, memories, sources):
        for each in statements:
            is_source = (each.conversation_id, each.said_at) in corrected.said
            if is_source and each.space_id == corrected.memory.space_id and (moment := corrected.find_correction(each)):
                found.setdefault(each.pk, (corrected, moment))
    return found


def find_uncorrected(caller: Caller, memory_ids: Collection[UUID]) -> list[EpisodeStatement]:
    """Return the statements that these memories closed and that say nothing that was corrected in them."""
    closed = EpisodeStatement.objects.of(caller).filter(superseded_by_memory__in=memory_ids).defer("vector", "words")
    closers = Memory.objects.of(caller).filter(pk__in=closed.values("superseded_by_memory")).select_related("node")
    sources = MemorySource.objects.of(caller).filter(memory__in=closers.values("pk"))
    corrected = {each.memory.pk: each for each in _read_corrected(caller, closers, sources)}
    return [
        each
        for each in closed
        if each.superseded_by_memory_id not in corrected
        or corrected[each.superseded_by_memory_id].find_correction(each) is None
    ]


def says_earlier(old: str, new: str, text: str, *, is_source: bool) -> bool:
    """Return whether a text still says what was taken out of a memory for something else, of the same subject."""
    old, new = strip_date_said(old), strip_date_said(new)
    removed, added = _find_missing_words(old, new), _find_missing_words(new, old)
    words = frozenset(lexemes(text))
    if not (removed and added) or not removed <= words or added & words:
        return False
    if not details_agree(old, text) or adds_name(text, known=old):
        return False
    return (is_source and shares_subject(old, text)) or Unsaid.of([old]).recognises(text)


def _read_corrected(
    caller: Caller, memories: Iterable[Memory], sources: QuerySet[MemorySource]
) -> list[CorrectedMemory]:
    """Return those of the memories that were corrected, with where the sources say that they were said."""
    by_id = {memory.pk: memory for memory in memories}
    edits = MemoryRevision.objects.of(caller).filter(memory__in=by_id, action="edit", before__has_key="content")
    earlier = {
        memory: [_read_edit(each) for each in islice(steps, MAX_TEXTS) if isinstance(each.before["content"], str)]
        for memory, steps in groupby(edits.order_by("memory", "-id"), key=attrgetter("memory_id"))
    }
    said: defaultdict[UUID, set[tuple[UUID, datetime]]] = defaultdict(set)
    newest = sources.filter(memory__in=earlier).order_by("-said_at")
    for memory, conversation, said_at in newest.values_list("memory", "conversation_id", "said_at")[:MAX_SOURCES]:
        said[memory].add((conversation, said_at))
    return [
        CorrectedMemory(by_id[memory], texts, frozenset(said[memory])) for memory, texts in earlier.items() if texts
    ]


def _read_edit(edit: MemoryRevision) -> EarlierText:
    return EarlierText(edit.before["content"], edit.created_at, edit.actor_kind in PEOPLE)


def _candidates(caller: Caller, corrected: CorrectedMemory) -> Iterable[EpisodeStatement]:
    wanted = Q(pk__in=[])
    for conversation, at in islice(corrected.said, MAX_TEXTS):
        wanted |= Q(conversation=conversation, said_at=at)
    for old in corrected.earlier:
        wanted |= Q(words=words_query(read_claims(old.text)))
    open_ = EpisodeStatement.objects.in_written_space(caller).filter(
        wanted, episode__is_deleted=False, superseded_at=None
    )
    return open_.defer("vector", "words").order_by("-pk")[:CANDIDATES]


def _find_missing_words(old: str, new: str) -> frozenset[str]:
    return frozenset(lexemes(old)) - frozenset(lexemes(new))
