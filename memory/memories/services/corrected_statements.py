"""Statements of episodes that say what a memory said before a person corrected it.

Runs inside the caller's open `workspace_scope`, in the transaction of the write.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from core.clock import utc_now
from core.text import lexemes
from memory.memories.replacement.claims import read_claims
from memory.memories.services.replacement_candidates import CANDIDATES, words_query
from memory.memories.services.supersession import lock_statements
from memory.memories.sources.quotes import shares_subject
from memory.memories.sources.repetitions import Unsaid
from memory.models import EpisodeStatement, Memory, MemoryRevision, MemorySource
from workspaces.access.callers import PEOPLE, Caller

# Of a memory that was edited more often the newest texts count, and of one that was said more often its newest sources.
MAX_TEXTS = 20


def close_corrected_statements(caller: Caller, memory: Memory) -> None:
    """Close the statements that say what people took out of a memory when they edited it.

    They are of its messages and tell of the same, or say its earlier text in any conversation of the space. They open
    again like all that a memory closed.
    """
    earlier = _earlier_texts(caller, memory)
    if not earlier or memory.node.is_deleted:
        return
    sources = MemorySource.objects.of(caller).filter(memory=memory).order_by("-said_at")
    said = set(sources.values_list("conversation_id", "said_at")[:MAX_TEXTS])
    in_messages = Q(pk__in=[])
    for conversation, at in said:
        in_messages |= Q(conversation=conversation, said_at=at)
    closed = [
        statement.pk
        for statement in _candidates(caller, earlier, in_messages)
        if any(
            _says_earlier(
                old, memory.content, statement, is_source=(statement.conversation_id, statement.said_at) in said
            )
            for old in earlier
        )
    ]
    if closed:
        lock_statements(caller)
        now = utc_now()
        still = EpisodeStatement.objects.of(caller).filter(pk__in=closed, superseded_at=None)
        still.update(superseded_by_memory=memory, superseded_at=now, valid_to=now)


def _earlier_texts(caller: Caller, memory: Memory) -> list[str]:
    """Return what people took out of the text of a memory, the newest first; nothing of what it says again."""
    edits = MemoryRevision.objects.of(caller).filter(memory=memory, action="edit", actor_kind__in=PEOPLE)
    texts = edits.filter(before__has_key="content").order_by("-id").values_list("before__content", flat=True)
    return [text for text in texts[:MAX_TEXTS] if isinstance(text, str) and _find_missing_words(text, memory.content)]


def _candidates(caller: Caller, earlier: Iterable[str], in_messages: Q) -> Iterable[EpisodeStatement]:
    wanted = in_messages
    for text in earlier:
        wanted |= Q(words=words_query(read_claims(text)))
    open_ = EpisodeStatement.objects.in_written_space(caller).filter(
        wanted, episode__is_deleted=False, superseded_at=None
    )
    return open_.defer("vector", "words").order_by("-pk")[:CANDIDATES]


def _says_earlier(old: str, new: str, statement: EpisodeStatement, *, is_source: bool) -> bool:
    """Return whether a statement has what was taken out of a text, and otherwise tells of it."""
    words = frozenset(lexemes(statement.text))
    if not _find_missing_words(old, new) & words or _find_missing_words(new, old) & words:
        return False
    return (is_source and shares_subject(old, statement.text)) or Unsaid.of([old]).recognises(statement.text)


def _find_missing_words(old: str, new: str) -> frozenset[str]:
    return frozenset(lexemes(old)) - frozenset(lexemes(new))
