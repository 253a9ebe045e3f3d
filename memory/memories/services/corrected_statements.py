"""Statements of episodes that say what a memory said before a person corrected it.

Runs inside the caller's open `workspace_scope`, in the transaction of the write.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from core.clock import utc_now
from core.english.stated_details import details_agree
from core.text import lexemes
from memory.memories.replacement.claims import read_claims
from memory.memories.services.replacement_candidates import CANDIDATES, words_query
from memory.memories.services.statement_closings import lock_statements
from memory.memories.sources.quotes import shares_subject
from memory.memories.sources.repetitions import Unsaid
from memory.models import EpisodeStatement, Memory, MemoryRevision, MemorySource
from workspaces.access.callers import PEOPLE, Caller

# Of a memory that was edited more often the newest texts count, and of one that was said more often its newest sources.
MAX_TEXTS = 20
_NAME = re.compile(r"\b[A-Z][\w'’-]*")


@dataclass(frozen=True, slots=True)
class CorrectedText:
    """A memory that a person gave another text, and when."""

    memory: Memory
    corrected_at: datetime


def close_corrected_statements(caller: Caller, memory: Memory) -> None:
    """Close the statements that say what a person took out of a memory by giving it another text.

    They were said before, and are of its messages and tell of the same, or say its earlier text in any conversation of
    the space. They stay closed when the memory is forgotten, and open when a person edits it back.
    """
    earlier = _earlier_texts(caller, memory)
    if not earlier:
        return
    sources = MemorySource.objects.of(caller).filter(memory=memory).order_by("-said_at")
    said = set(sources.values_list("conversation_id", "said_at")[:MAX_TEXTS])
    closed = [
        statement.pk
        for statement in _candidates(caller, earlier, said)
        if any(
            statement.said_at < corrected_at
            and says_earlier(
                old, memory.content, statement.text, is_source=(statement.conversation_id, statement.said_at) in said
            )
            for old, corrected_at in earlier
        )
    ]
    if closed:
        lock_statements(caller)
        now = utc_now()
        still = EpisodeStatement.objects.of(caller).filter(pk__in=closed, superseded_at=None)
        still.update(superseded_by_memory=memory, superseded_at=now, valid_to=now)


def find_corrections(caller: Caller, statements: Sequence[EpisodeStatement]) -> dict[UUID, CorrectedText]:
    """Return what people corrected, by the id of each statement that still says it.

    Looked at are the memories of the statements' own messages.
    """
    corrected = MemoryRevision.objects.of(caller).filter(
        action="edit", actor_kind__in=PEOPLE, before__has_key="content", memory=OuterRef("memory")
    )
    sources = MemorySource.objects.of(caller).filter(
        Exists(corrected),
        conversation__in={each.conversation_id for each in statements},
        said_at__in={each.said_at for each in statements},
    )
    by_message = defaultdict(list)
    for source in sources.select_related("memory__node"):
        for old, corrected_at in _earlier_texts(caller, source.memory):
            message = (source.space_id, source.conversation_id, source.said_at)
            by_message[message].append((old, CorrectedText(source.memory, corrected_at)))
    found: dict[UUID, CorrectedText] = {}
    for each in statements:
        for old, correction in by_message[each.space_id, each.conversation_id, each.said_at]:
            if says_earlier(old, correction.memory.content, each.text, is_source=True):
                found.setdefault(each.pk, correction)
    return found


def find_uncorrected(caller: Caller, memory_ids: Collection[UUID]) -> list[EpisodeStatement]:
    """Return the statements that these memories closed and that say nothing that a person corrected in them."""
    closed = EpisodeStatement.objects.of(caller).filter(superseded_by_memory__in=memory_ids)
    closers = Memory.objects.of(caller).filter(pk__in=closed.values("superseded_by_memory")).select_related("node")
    left = []
    for memory in closers:
        earlier = [old for old, _ in _earlier_texts(caller, memory)]
        left += [
            each
            for each in closed
            if each.superseded_by_memory_id == memory.pk
            and not any(says_earlier(old, memory.content, each.text, is_source=True) for old in earlier)
        ]
    return left


def says_earlier(old: str, new: str, text: str, *, is_source: bool) -> bool:
    """Return whether a text still says what was taken out of a memory for something else, of the same subject."""
    removed, added = _find_missing_words(old, new), _find_missing_words(new, old)
    words = frozenset(lexemes(text))
    if not (removed and added) or not removed <= words or added & words:
        return False
    if not details_agree(old, text) or _find_names(text) - _find_names(old):
        return False
    return (is_source and shares_subject(old, text)) or Unsaid.of([old]).recognises(text)


def _earlier_texts(caller: Caller, memory: Memory) -> list[tuple[str, datetime]]:
    """Return the texts that people corrected, with when, the newest first; none from before another one wrote it."""
    edits = MemoryRevision.objects.of(caller).filter(memory=memory, action="edit", before__has_key="content")
    found = []
    for edit in edits.order_by("-id")[:MAX_TEXTS]:
        if edit.actor_kind not in PEOPLE or not isinstance(edit.before["content"], str):
            break
        found.append((edit.before["content"], edit.created_at))
    return found


def _candidates(
    caller: Caller, earlier: Iterable[tuple[str, datetime]], said: Iterable[tuple[UUID, datetime]]
) -> Iterable[EpisodeStatement]:
    wanted = Q(pk__in=[])
    for conversation, at in said:
        wanted |= Q(conversation=conversation, said_at=at)
    for text, _ in earlier:
        wanted |= Q(words=words_query(read_claims(text)))
    open_ = EpisodeStatement.objects.in_written_space(caller).filter(
        wanted, episode__is_deleted=False, superseded_at=None
    )
    return open_.defer("vector", "words").order_by("-pk")[:CANDIDATES]


def _find_missing_words(old: str, new: str) -> frozenset[str]:
    return frozenset(lexemes(old)) - frozenset(lexemes(new))


def _find_names(text: str) -> frozenset[str]:
    return frozenset(word for word in _NAME.findall(text) if word not in {"The", "I", "My"})
