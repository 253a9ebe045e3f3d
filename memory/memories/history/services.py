"""Taking a memory back to what it said after an earlier step."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.errors import NotFoundError
from memory.memories.history.past_state import MemoryState, PastStep, find_signer, past_states
from memory.memories.history.selectors import memory_steps, read_state
from memory.memories.selectors import access_memory
from memory.memories.services.memory_writer import edit_memory
from memory.models import Memory
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


@dataclass(frozen=True, slots=True)
class Reversion:
    """A memory that was taken back: to what it said at a time, and the step to which it is taken back to undo that."""

    memory: Memory
    said_at: datetime
    undo_step: UUID | None


def revert_memory(*, caller: Caller, memory_id: UUID, step_id: UUID, seen: str = "") -> Reversion:
    """Edit a live memory so that it says again what it said after a step: text, tags, importance and confidence.

    `seen` is the `edit_hash` of what the person was shown. Its times, kind, pin and suppression stay as they are, and
    words that an agent wrote stay an agent's.
    Raises NotFoundError, also for a step of another memory, and what `edit_memory` raises.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        memory = access_memory(caller, memory_id, lock=True)
        steps = memory_steps(caller, [memory_id]).get(memory_id, [])
        step, state = _find_version(memory, steps, step_id)
        undo_step = steps[0].id
        signer = find_signer(state)
        changed = edit_memory(caller=caller, memory_id=memory_id, changes=state.said, seen=seen, signer=signer)
    return Reversion(changed, step.at, undo_step)


def _find_version(memory: Memory, steps: list[PastStep], step_id: UUID) -> tuple[PastStep, MemoryState]:
    for step, state in zip(steps, past_states(read_state(memory), steps), strict=False):
        if step.id == step_id:
            return step, state
    raise NotFoundError()
