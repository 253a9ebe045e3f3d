"""Tasks of the memory: consolidation, extraction, and the deletion of sources whose time is over."""

from __future__ import annotations

from uuid import UUID

from core.stores import queue
from memory.working_memory.services import slot_vectors, slots
from workspaces.access.callers import system_caller
from workspaces.access.selectors import all_workspace_ids

# What one task embeds at the most, so that no workspace keeps a worker to itself.
EMBED_AT_ONCE = 512


def embed_slots(workspace_id: str) -> int:
    """Embed the items of slots that wait in one workspace; goes on in a further task when there are more."""
    queue.nudge_received(slots.EMBED_TASK, UUID(workspace_id))
    done = slot_vectors.embed_slots(workspace_id=UUID(workspace_id), most=EMBED_AT_ONCE)
    if done == EMBED_AT_ONCE:
        queue.enqueue(slots.EMBED_TASK, workspace_id)
    return done


def embed_all_slots() -> int:
    """Every workspace's slots, on the schedule: what has no vector of the current model gets one."""
    return sum(slot_vectors.embed_slots(workspace_id=identity, most=EMBED_AT_ONCE) for identity in all_workspace_ids())


def delete_expired_slots() -> int:
    """On the schedule: delete slots whose time is over, which no reading finds any more; answer how many."""
    return sum(slots.delete_expired(caller=system_caller(identity, "slots")) for identity in all_workspace_ids())
