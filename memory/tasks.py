"""Tasks of the memory: consolidation, extraction, and the deletion of sources whose time is over."""

from __future__ import annotations

import logging
from uuid import UUID

from conversations.selectors import conversations_of, conversations_with_old_messages
from core import queue
from core.errors import NotFoundError, ProductError
from memory.services import deleting, episodes, extraction, slot_embedding, slots
from workspaces.callers import system_caller
from workspaces.scope import workspace_scope
from workspaces.selectors import all_workspace_ids, workspace_of
from workspaces.switches import memory_settings

log = logging.getLogger(__name__)

CONSOLIDATE_WORKSPACE = "memory.tasks.consolidate_workspace"

# What one task embeds at the most, so that no workspace keeps a worker to itself.
EMBED_AT_ONCE = 512

# After so long no further chunk is begun: with one call of a model on top, a task stays within its time.
SECONDS_OF_ONE_TASK = 45.0


def extract_conversation(workspace_id: str, conversation_id: str) -> dict[str, int]:
    """Keep what is worth keeping of an ended conversation. A dead model fails the task, and the queue tries again."""
    outcomes = extraction.extract_memories(workspace_id=UUID(workspace_id), conversation_id=UUID(conversation_id))
    return {str(outcome): count for outcome, count in outcomes.items()}


def consolidate_conversation(workspace_id: str, conversation_id: str, retain_last: int, max_age_days: int) -> int:
    """Turn one conversation's older messages into episodes; goes on in a further task when there are more."""
    caller = system_caller(UUID(workspace_id), "consolidation")
    with workspace_scope(caller):
        conversation = conversations_of(caller).filter(id=conversation_id).first()
    if conversation is None:
        return 0
    try:
        done = episodes.summarize_old_turns(
            caller=caller,
            conversation=conversation,
            retain_last=retain_last,
            max_age_days=max_age_days,
            seconds=SECONDS_OF_ONE_TASK,
        )
    except ProductError as error:
        # Nothing is lost and the messages wait; trying at once again would meet the same toggle or the same model.
        log.warning("consolidation_failed conversation=%s code=%s", conversation_id, error.code)
        return 0
    if not done.is_finished:
        queue.enqueue(episodes.CONSOLIDATE_TASK, workspace_id, conversation_id, retain_last, max_age_days)
    return len(done.episodes)


def consolidate_workspace(workspace_id: str) -> int:
    """A task for each conversation of the workspace that has messages to consolidate; answer how many."""
    caller = system_caller(UUID(workspace_id), "consolidation")
    try:
        chosen = memory_settings(workspace_of(caller)).consolidation
    except NotFoundError:
        return 0
    due = conversations_with_old_messages(
        caller, older_than_days=chosen.max_age_days, beside=chosen.retain_last, at_least=episodes.LEAST_TURNS
    )
    for identity in due:
        queue.enqueue(episodes.CONSOLIDATE_TASK, workspace_id, str(identity), chosen.retain_last, chosen.max_age_days)
    return len(due)


def consolidate_all() -> int:
    """On the schedule: every workspace that has memory and its scheduled consolidation switched on."""
    asked = [identity for identity in all_workspace_ids() if _is_scheduled(identity)]
    for identity in asked:
        queue.enqueue(CONSOLIDATE_WORKSPACE, str(identity))
    return len(asked)


def delete_outlived_sources() -> int:
    """On the schedule: in every workspace, messages that an episode stands for and that are kept no longer."""
    return sum(
        deleting.delete_outlived_sources(caller=system_caller(identity, "retention"))
        for identity in all_workspace_ids()
    )


def _is_scheduled(workspace_id: UUID) -> bool:
    try:
        settings = memory_settings(workspace_of(system_caller(workspace_id, "consolidation")))
    except NotFoundError:  # deleted since the list was read; the others must not wait for tomorrow
        return False
    return settings.enabled and settings.consolidation.scheduled


def embed_slots(workspace_id: str) -> int:
    """Embed the items of slots that wait in one workspace; goes on in a further task when there are more."""
    queue.nudge_received(slots.EMBED_TASK, UUID(workspace_id))
    done = slot_embedding.embed_slots(workspace_id=UUID(workspace_id), most=EMBED_AT_ONCE)
    if done == EMBED_AT_ONCE:
        queue.enqueue(slots.EMBED_TASK, workspace_id)
    return done


def embed_all_slots() -> int:
    """Every workspace's slots, on the schedule: what has no vector of the current model gets one."""
    return sum(
        slot_embedding.embed_slots(workspace_id=identity, most=EMBED_AT_ONCE) for identity in all_workspace_ids()
    )


def delete_expired_slots() -> int:
    """On the schedule: delete slots whose time is over, which no reading finds any more; answer how many."""
    return sum(slots.delete_expired(caller=system_caller(identity, "slots")) for identity in all_workspace_ids())
