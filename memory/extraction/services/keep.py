"""Keeping a statement once: what is known already is confirmed, what was forgotten stays forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from core.clock import utc_now
from core.embedding import EmbedderError, default_embedder
from core.text import fingerprint, normalise
from core.text.validators import SecretRefusedError
from memory.extraction.dedup import could_say_the_same, say_the_same
from memory.extraction.rules import ExtractedStatement
from memory.memories.replacement.claims import read_claims
from memory.memories.selectors import access_memory, find_duplicate, memories_by_id
from memory.memories.services.memory_writer import ForgottenBeforeError, NewMemory, remember
from memory.memories.services.revisions import record_revision
from memory.models import Kind, Memory, MemoryRevision, Source
from ontology.models import Node
from ontology.nodes_and_edges.validation import ContentTooLargeError
from ontology.search.services.hybrid_ranking import keyword_arm
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

# How many memories are compared; one that says the same has nearly all of the words, and so is among the first.
COMPARED = 20


class KeepOutcome(StrEnum):
    """What became of a statement: a new memory, a confirmed one, or nothing (forgotten before, or not to be kept)."""

    ADDED = "added"
    KNOWN = "known"
    LEFT_OUT = "left_out"


def keep_once(*, caller: Caller, found: ExtractedStatement) -> KeepOutcome:
    """Keep an extracted statement unless a memory says the same, in the same words or in others.

    A memory that says the same in other words gets one revision, and more confidence if it was extracted itself; its
    text stays. One that was forgotten keeps the statement out. Doing it again changes nothing.
    """
    with workspace_scope(caller):
        twin = find_duplicate(caller, fingerprint(workspace_id=caller.workspace_id, text=found.content))
    known = twin or _find_equivalent(caller, found)
    if known is not None and known.node.is_deleted:
        return KeepOutcome.LEFT_OUT
    if known is not None:
        _confirm(caller, known, found)
        return KeepOutcome.KNOWN
    new = NewMemory(
        found.content,
        source=Source.EXTRACTION,
        tags=(found.type,),
        importance=found.importance,
        confidence=found.confidence,
        said_at=found.said_at,
        valid_from=_state_start(found),
    )
    try:
        return KeepOutcome.ADDED if remember(caller=caller, new=new).is_new else KeepOutcome.KNOWN
    except (ForgottenBeforeError, SecretRefusedError, ContentTooLargeError):
        return KeepOutcome.LEFT_OUT


def _find_equivalent(caller: Caller, found: ExtractedStatement) -> Memory | None:
    """Return the memory that says the same, the nearest first; a forgotten one only where no live one does.

    One that was closed before this was said is not it: an old value that is stated again is current again.
    """
    content = found.content
    with workspace_scope(caller):
        nodes = Node.objects.of(caller).filter(type__in=Kind.values)
        ids = [identity for identity, _ in keyword_arm(caller=caller, nodes=nodes, query=content)[:COMPARED]]
        candidates = memories_by_id(caller, ids).values()
    open_then = [memory for memory in candidates if not _is_closed_then(memory, found.said_at)]
    likely = [memory for memory in open_then if could_say_the_same(memory.content, content)]
    cosines = _cosines(content, [memory.content for memory in likely])
    same = [
        (not memory.node.is_deleted, cosine or 0.0, memory)
        for memory, cosine in zip(likely, cosines, strict=True)
        if say_the_same(memory.content, content, cosine=cosine)
    ]
    return max(same, key=lambda ranked: ranked[:2])[2] if same else None


def _state_start(found: ExtractedStatement) -> datetime | None:
    """Return when a state was stated, so that it is not taken for newer than what was said after it."""
    is_earlier = found.said_at is not None and found.said_at < utc_now()
    return found.said_at if is_earlier and read_claims(found.content).may_replace else None


def _is_closed_then(memory: Memory, said_at: datetime | None) -> bool:
    end = memory.node.valid_to
    return memory.is_closed and not memory.node.is_deleted and end is not None and end <= (said_at or utc_now())


def _cosines(content: str, others: Sequence[str]) -> Sequence[float | None]:
    """Return how near the texts are; vectors of now and not stored ones, which a memory of a minute ago may not have
    yet."""
    embedder = default_embedder()
    if embedder is None or not others:
        return [None] * len(others)
    try:
        mine, *theirs = embedder.embed_passages([content, *others])
    except EmbedderError:
        return [None] * len(others)
    return [sum(a * b for a, b in zip(mine, vector, strict=True)) for vector in theirs]


def _confirm(caller: Caller, memory: Memory, found: ExtractedStatement) -> None:
    if normalise(memory.content) == normalise(found.content):
        return
    with workspace_scope(caller):
        locked = access_memory(caller, memory.pk, lock=True)
        merges = MemoryRevision.objects.of(caller).filter(memory=locked, action="merge")
        if merges.filter(before__merged=found.content).exists():
            return
        before: dict[str, object] = {"merged": found.content}
        if locked.source == Source.EXTRACTION:
            # Two wordings count as two observations: both would have to be wrong.
            confidence = round(1 - (1 - locked.confidence) * (1 - found.confidence), 4)
            Memory.objects.filter(pk=locked.pk).update(confidence=confidence)
            before["confidence"] = locked.confidence
        record_revision(caller=caller, memory_id=locked.pk, action="merge", before=before)
