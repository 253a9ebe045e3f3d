"""Keeping a statement once: what is known already is confirmed, what was forgotten or suppressed stays so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from conversations.models import Conversation
from core.clock import utc_now
from core.english.stated_details import details_agree
from core.text import fingerprint, normalise
from core.text.validators import SecretRefusedError
from llm.embedding.services.query_vectors import embed_for_comparison
from memory.extraction.certainty import confidence_after_repetition, importance_after_repetition
from memory.extraction.dedup import could_say_the_same, is_rewording, say_the_same, share_words
from memory.extraction.rules import ExtractedStatement
from memory.memories.replacement.claims import read_claims, state_the_same
from memory.memories.selectors import access_memory, find_duplicate, memories_by_id, memory_revisions
from memory.memories.services.memory_writer import ForgottenBeforeError, NewMemory, remember
from memory.memories.services.revisions import record_revision
from memory.memories.sources.selectors import silencing_memories
from memory.memories.sources.services import SaidIn, record_source, unknown_sources
from memory.models import Kind, Memory, MemoryRevision, Source
from ontology.models import Node
from ontology.nodes_and_edges.services.node_writer import change_node
from ontology.nodes_and_edges.validation import ContentTooLargeError
from ontology.search.services.hybrid_ranking import keyword_arm
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

# How many memories are compared; one that says the same has nearly all of the words, and so is among the first.
COMPARED = 20
# The steps of a memory that was said again, in the same words or in others.
REPEAT, MERGE = "repeat", "merge"


class KeepOutcome(StrEnum):
    """What became of a statement: a new memory, a confirmed one, or nothing (forgotten before, or not to be kept)."""

    ADDED = "added"
    KNOWN = "known"
    LEFT_OUT = "left_out"


def keep_once(*, caller: Caller, found: ExtractedStatement, said: Sequence[SaidIn] = ()) -> KeepOutcome:
    """Keep an extracted statement unless a memory says the same, in the same words or in others.

    `said` are the messages of one conversation that say it. A memory that says the same gets one revision for each
    message that it was not known from, and more confidence and importance if it was extracted itself; its text stays.
    One that was forgotten keeps the statement out, and one that is suppressed stays so. Doing it again changes nothing,
    and so does a statement of a conversation that was deleted meanwhile.
    """
    with workspace_scope(caller):
        twin = find_duplicate(caller, fingerprint(workspace_id=caller.workspace_id, text=found.content))
    known = twin or _find_equivalent(caller, found)
    if known is not None and known.node.is_deleted:
        return KeepOutcome.LEFT_OUT
    try:
        with workspace_scope(caller):
            if not _hold_conversation(caller, said):
                return KeepOutcome.LEFT_OUT
            return _confirm(caller, known.pk, found, said) if known else _add(caller, found, said)
    except (ForgottenBeforeError, SecretRefusedError, ContentTooLargeError):
        return KeepOutcome.LEFT_OUT


def _hold_conversation(caller: Caller, said: Sequence[SaidIn]) -> bool:
    """Keep the conversation until the end of the open scope; False where it is gone, and its sources with it."""
    if not said:
        return True
    here = Conversation.objects.of(caller).filter(id=said[0].conversation_id)
    return here.select_for_update(no_key=True).exists()


def _add(caller: Caller, found: ExtractedStatement, said: Sequence[SaidIn]) -> KeepOutcome:
    new = NewMemory(
        found.content,
        source=Source.EXTRACTION,
        tags=(found.type,),
        importance=found.importance,
        confidence=found.confidence,
        said_at=found.said_at,
        valid_from=_state_start(found),
    )
    remembered = remember(caller=caller, new=new)
    memory = remembered.memory
    if not remembered.is_new:
        # Of one that was closed since, nothing is confirmed.
        return KeepOutcome.KNOWN if memory.is_closed else _confirm(caller, memory.pk, found, said)
    if said:
        step = memory_revisions(caller, memory).filter(action="remember")[0]
        record_source(caller=caller, memory=memory, revision=step, said=said[0])
        _confirm(caller, memory.pk, found, said[1:])
    return KeepOutcome.ADDED


def _find_equivalent(caller: Caller, found: ExtractedStatement) -> Memory | None:
    """Return the memory that says the same, the nearest first; a suppressed one only where no other does, and a
    forgotten one only where no live one does.

    One that was closed before this was said is not it: an old value that is stated again is current again.
    """
    content = found.content
    with workspace_scope(caller):
        nodes = Node.objects.of(caller).filter(type__in=Kind.values)
        ids = [identity for identity, _ in keyword_arm(caller=caller, nodes=nodes, query=content)[:COMPARED]]
        candidates = memories_by_id(caller, ids)
        hidden = silencing_memories(caller, candidates)
    open_then = [memory for memory in candidates.values() if not _is_closed_then(memory, found.said_at)]
    unwanted = {memory.pk for memory in open_then if memory.node.is_deleted or memory.pk in hidden}
    compared = [each for each in open_then if each.pk in unwanted or could_say_the_same(each.content, content)]
    likely = [memory for memory in compared if memory.pk in unwanted or share_words(memory.content, content)]
    cosines = _cosines(caller, content, [memory.content for memory in likely])
    same = [
        (memory.pk not in unwanted, not memory.node.is_deleted, cosine or 0.0, memory)
        for memory, cosine in zip(likely, cosines, strict=True)
        if say_the_same(memory.content, content, cosine=cosine)
        or (memory.pk in unwanted and _brings_back(memory.content, content, cosine=cosine))
    ]
    return max(same, key=lambda ranked: ranked[:3])[3] if same else None


def _brings_back(unwanted: str, content: str, *, cosine: float | None) -> bool:
    """Return whether a statement says what was forgotten or suppressed. A doubt is decided for it: a person did not
    want it."""
    is_one_claim = details_agree(unwanted, content) and state_the_same(unwanted, content)
    return is_one_claim or is_rewording(unwanted, content, cosine=cosine)


def _state_start(found: ExtractedStatement) -> datetime | None:
    """Return when a state was stated, so that it is not taken for newer than what was said after it."""
    is_earlier = found.said_at is not None and found.said_at < utc_now()
    return found.said_at if is_earlier and read_claims(found.content).may_replace else None


def _is_closed_then(memory: Memory, said_at: datetime | None) -> bool:
    end = memory.node.valid_to
    return memory.is_closed and not memory.node.is_deleted and end is not None and end <= (said_at or utc_now())


def _cosines(caller: Caller, content: str, others: Sequence[str]) -> Sequence[float | None]:
    """Return how near the texts are; vectors of now and not stored ones, which a memory of a minute ago may not have
    yet."""
    vectors = embed_for_comparison([content, *others], caller=caller) if others else None
    if vectors is None:
        return [None] * len(others)
    mine, *theirs = vectors
    return [sum(a * b for a, b in zip(mine, vector, strict=True)) for vector in theirs]


def _confirm(caller: Caller, memory_id: UUID, found: ExtractedStatement, said: Sequence[SaidIn]) -> KeepOutcome:
    """Note that a memory was said again, once for each message; in an open scope."""
    memory = access_memory(caller, memory_id, lock=True)
    is_same_text = normalise(memory.content) == normalise(found.content)
    for each in unknown_sources(caller, memory, said):
        step = _record_repetition(caller, memory, found, is_same_text=is_same_text)
        record_source(caller=caller, memory=memory, revision=step, said=each)
        memory = access_memory(caller, memory_id, lock=True)
    if not said and not is_same_text:
        merges = MemoryRevision.objects.of(caller).filter(memory=memory, action=MERGE)
        if not merges.filter(before__merged=found.content).exists():
            _record_repetition(caller, memory, found, is_same_text=False)
    return KeepOutcome.KNOWN


def _record_repetition(
    caller: Caller, memory: Memory, found: ExtractedStatement, *, is_same_text: bool
) -> MemoryRevision:
    """Record that a locked memory was said again, and count it as one more observation if it was extracted itself."""
    before: dict[str, object] = {} if is_same_text else {"merged": found.content}
    if memory.source == Source.EXTRACTION:
        before |= _raise_weight(caller, memory, found)
    return record_revision(caller=caller, memory_id=memory.pk, action=REPEAT if is_same_text else MERGE, before=before)


def _raise_weight(caller: Caller, memory: Memory, found: ExtractedStatement) -> dict[str, object]:
    """Raise what an extracted memory counts for; return what it was."""
    before: dict[str, object] = {"confidence": memory.confidence}
    confidence = confidence_after_repetition(memory.confidence, found.confidence)
    Memory.objects.of(caller).filter(pk=memory.pk).update(confidence=confidence)
    old = memory.node.importance_score
    importance = importance_after_repetition(old)
    if importance != old:
        before["importance"] = old
        change_node(
            caller=caller,
            node_id=memory.pk,
            expected={"is_deleted": False},
            changes={"importance_score": importance},
        )
    return before
