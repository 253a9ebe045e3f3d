"""Reading what memories were before: their steps and the states between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from uuid import UUID

from memory.memories.history.past_state import MemoryState, PastStep, past_states
from memory.models import Memory, MemoryRevision
from workspaces.access.callers import Caller


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
