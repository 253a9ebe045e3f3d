"""Tasks of consolidation and retention: episodes of old messages, and the deletion of expired ones."""

from __future__ import annotations

import logging
from uuid import UUID

from conversations.messages.selectors import conversations_with_old_messages, workspace_conversations
from conversations.models import Conversation
from core.clock import utc_now
from core.errors import NotFoundError, ProductError
from core.stores import queue
from memory.episodes.services import conversation_deletion
from memory.episodes.services.consolidation import CONSOLIDATE_TASK, MIN_TURNS, summarize_old_turns
from memory.episodes.services.end_conversation import EXTRACT_TASK
from memory.episodes.services.message_retention import delete_expired_messages
from memory.memories.services.judgement_requests import JUDGE_TASK
from workspaces.access.callers import Caller, maintenance_caller, system_caller
from workspaces.access.every_workspace import sum_over_workspaces
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import all_workspace_ids, current_workspace
from workspaces.access.space_callers import caller_of_row
from workspaces.access.unique_tasks import enqueue_in_turn, enqueue_quiet, enqueue_waiting, note_begin
from workspaces.settings.workspace_settings import memory_settings

log = logging.getLogger(__name__)
CONSOLIDATE_WORKSPACE = "memory.episodes.tasks.consolidate_workspace"
EXPIRE_WORKSPACE = "memory.episodes.tasks.expire_messages"
# After so long no further chunk is begun: other workspaces have their turn.
SECONDS_OF_ONE_TASK = 5.0


def consolidate_conversation(workspace_id: str, conversation_id: str, retain_last: int, max_age_days: int) -> int:
    """Turn one conversation's older messages into episodes; goes on in a further task when there are more."""
    caller = caller_of_row(UUID(workspace_id), "consolidation", model=Conversation, row_id=conversation_id)
    everywhere = system_caller(UUID(workspace_id), "consolidation")
    note_begin(CONSOLIDATE_TASK, caller=everywhere, subject=conversation_id)  # also of one that is gone
    if caller is None:
        return 0
    with workspace_scope(caller):
        conversation = workspace_conversations(caller).filter(id=conversation_id).first()
    if conversation is None:
        return 0
    try:
        done = summarize_old_turns(
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
        enqueue_in_turn(CONSOLIDATE_TASK, caller=caller, subject=conversation_id, arguments=(retain_last, max_age_days))
    return len(done.episodes)


def consolidate_workspace(workspace_id: str) -> int:
    """Queue a task for each conversation of the workspace that has messages to consolidate; return their number."""
    caller = maintenance_caller(UUID(workspace_id), "consolidation")
    try:
        chosen = memory_settings(current_workspace(caller)).consolidation
    except NotFoundError:
        return 0
    due = conversations_with_old_messages(
        caller, older_than_days=chosen.max_age_days, retained=chosen.retain_last, at_least=MIN_TURNS
    )
    for identity in due:
        arguments = (chosen.retain_last, chosen.max_age_days)
        enqueue_in_turn(CONSOLIDATE_TASK, caller=caller, subject=str(identity), arguments=arguments)
    return len(due)


def consolidate_all() -> int:
    """On the schedule: every workspace that has memory and its scheduled consolidation switched on."""
    asked = [identity for identity in all_workspace_ids() if _is_scheduled(identity)]
    for identity in asked:
        queue.enqueue_unless_waiting(CONSOLIDATE_WORKSPACE, str(identity))
    return len(asked)


def resume_waiting() -> int:
    """On the schedule: in every workspace, extractions, comparisons and consolidations that wait for a turn, which a
    lost one before them did not give; return their number."""
    extractions = sum_over_workspaces(lambda identity: enqueue_waiting(EXTRACT_TASK, caller=_resumer(identity)))
    comparisons = sum_over_workspaces(lambda identity: enqueue_waiting(JUDGE_TASK, caller=_resumer(identity)))
    return (
        extractions
        + comparisons
        + sum_over_workspaces(lambda identity: enqueue_waiting(CONSOLIDATE_TASK, caller=_resumer(identity)))
    )


def extract_quiet() -> int:
    """On the schedule: in every workspace, extractions of conversations to which nothing was added for a while; return
    their number."""
    return sum_over_workspaces(lambda identity: enqueue_quiet(EXTRACT_TASK, caller=_resumer(identity)))


def delete_expired_sources() -> int:
    """On the schedule: in every workspace, messages that an episode stands for and that are kept no longer."""
    return sum_over_workspaces(
        lambda identity: conversation_deletion.delete_expired_sources(caller=maintenance_caller(identity, "retention"))
    )


def expire_messages(workspace_id: str) -> int:
    """Delete a workspace's messages that are older than its retention; goes on in a further task when there is more."""
    caller = maintenance_caller(UUID(workspace_id), "retention")
    try:
        done = delete_expired_messages(caller=caller, now=utc_now(), seconds=SECONDS_OF_ONE_TASK)
    except NotFoundError:  # the workspace was deleted meanwhile
        return 0
    if not done.is_finished:
        queue.enqueue_unless_waiting(EXPIRE_WORKSPACE, workspace_id)
    return done.messages


def expire_all_messages() -> int:
    """On the schedule: a task for each workspace; return their number."""
    every = all_workspace_ids()
    for identity in every:
        queue.enqueue_unless_waiting(EXPIRE_WORKSPACE, str(identity))
    return len(every)


def _resumer(workspace_id: UUID) -> Caller:
    return maintenance_caller(workspace_id, "turns")


def _is_scheduled(workspace_id: UUID) -> bool:
    try:
        settings = memory_settings(current_workspace(system_caller(workspace_id, "consolidation")))
    except NotFoundError:  # deleted since the list was read; the others must not wait for tomorrow
        return False
    return settings.enabled and settings.consolidation.scheduled
