"""Reading what memories were before: their steps and the states between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from uuid import UUID

from core.errors import ConflictError
from memory.memories.history.past_state import (
    MemoryState,
    PastStep,
    TextSigner,
    find_signer,
    find_unfit_value,
    past_states,
    rewind_state,
)
from memory.memories.selectors import Moments
from memory.models import Memory, MemoryRevision
from workspaces.access.callers import Caller


class UnreadableStepError(ConflictError):
    """A step that was imported does not say what was before it."""

    code = "unreadable_step"
    title = "A step of this memory's history came with an import and cannot be read. Edit the memory instead."


def memory_steps(caller: Caller, ids: Collection[UUID]) -> dict[UUID, list[PastStep]]:
    """Return the steps of memories, newest first, by id, for an open scope."""
    rows = MemoryRevision.objects.of(caller).filter(memory_id__in=ids).order_by("-id")
    found: defaultdict[UUID, list[PastStep]] = defaultdict(list)
    for identity, *step in rows.values_list(
        "memory_id", "action", "actor_kind", "actor_label", "before", "created_at", "id"
    ):
        found[identity].append(PastStep(*step))
    return found


def memory_versions(caller: Caller, ids: Collection[UUID]) -> dict[UUID, list[MemoryState]]:
    """Return all states that memories had, the newest first, by id, for an open scope; forgotten ones included."""
    memories = Memory.objects.of(caller).filter(pk__in=ids).select_related("node")
    steps = memory_steps(caller, ids)
    return {each.pk: list(past_states(read_state(each), steps.get(each.pk, ()))) for each in memories}


def find_signers(caller: Caller, memory: Memory) -> dict[UUID | None, TextSigner]:
    """Return who stands for the words that a memory had before each of its steps, by the step, for an open scope.

    Raises UnreadableStepError.
    """
    steps = memory_steps(caller, [memory.pk]).get(memory.pk, [])
    if any(find_unfit_value(step.action, step.before) for step in steps):
        raise UnreadableStepError()
    _, *earlier = past_states(read_state(memory), steps)
    return {step.id: find_signer(state) for step, state in zip(steps, earlier, strict=True)}


def rewind_memories(caller: Caller, memories: Sequence[Memory], moments: Moments) -> dict[UUID, MemoryState]:
    """Make the instances, which are not to be saved, say and count for what they did at a moment; in an open scope.

    Their times are those of what is known now, unless it is asked what was known. Citations are those of today. Return
    what they are now, by id; nothing where now is asked for.
    """
    until = moments.until
    if until is None:
        return {}
    steps = memory_steps(caller, [memory.pk for memory in memories])
    current = {memory.pk: read_state(memory) for memory in memories}
    for memory in memories:
        own = steps.get(memory.pk, ())
        then = rewind_state(current[memory.pk], own, until)
        _write_state(memory, then, has_times=moments.known_at is not None)
        if moments.known_at and memory.superseded_at and memory.superseded_at > moments.known_at:
            memory.superseded_by_id = memory.superseded_at = None
        touched = next((step.at for step in own if step.at <= until), memory.node.created_at)
        memory.node.updated_at = max(min(memory.node.updated_at, touched), memory.node.created_at)
    return current


def _write_state(memory: Memory, then: MemoryState, *, has_times: bool) -> None:
    node = memory.node
    node.body, node.type, node.importance_score = then.content, then.kind, then.importance
    node.suppressed_at, node.is_deleted = then.suppressed_at, then.is_deleted
    memory.tags, memory.confidence, memory.manual_weight = list(then.tags), then.confidence, then.manual_weight
    memory.source, memory.author, memory.author_kind = then.source, then.author, then.author_kind
    memory.edited_by, memory.edited_by_kind = then.edited_by, then.edited_by_kind
    memory.pinned_at, memory.pinned_by = then.pinned_at, then.pinned_by
    memory.suppressed_by, memory.suppressed_reason = then.suppressed_by, then.suppressed_reason
    if has_times:
        node.valid_from, node.valid_to, node.expires_at = then.valid_from, then.valid_to, then.expires_at


def read_state(memory: Memory) -> MemoryState:
    """Return what a memory says and counts for, as its row has it."""
    node = memory.node
    return MemoryState(
        content=memory.content,
        kind=memory.kind,
        tags=tuple(memory.tags),
        importance=node.importance_score,
        confidence=memory.confidence,
        manual_weight=memory.manual_weight,
        source=memory.source,
        author=memory.author,
        author_kind=memory.author_kind,
        edited_by=memory.edited_by,
        edited_by_kind=memory.edited_by_kind,
        pinned_at=memory.pinned_at,
        pinned_by=memory.pinned_by,
        suppressed_at=node.suppressed_at,
        suppressed_by=memory.suppressed_by,
        suppressed_reason=memory.suppressed_reason,
        is_deleted=node.is_deleted,
        valid_from=node.valid_from,
        valid_to=node.valid_to,
        expires_at=node.expires_at,
    )
