"""Consolidating a conversation while somebody waits for the answer: for a while here, then in the background."""

from __future__ import annotations

from conversations.models import Conversation
from core.queue import enqueue
from memory.services.episodes import CONSOLIDATE_TASK, Consolidation, summarize_old_turns
from workspaces.callers import Caller
from workspaces.selectors import workspace_of
from workspaces.switches import memory_settings

# A request works for so long and leaves the rest to the worker.
SECONDS_OF_ONE_REQUEST = 20.0


def consolidate_for_a_while(
    *, caller: Caller, conversation: Conversation, retain_last: int | None = None, max_age_days: int | None = None
) -> Consolidation:
    """`summarize_old_turns` with the workspace's settings for what is not given; the worker goes on after 20 seconds.

    Raises what `summarize_old_turns` raises.
    """
    chosen = memory_settings(workspace_of(caller)).consolidation
    retained = chosen.retain_last if retain_last is None else retain_last
    days = chosen.max_age_days if max_age_days is None else max_age_days
    made = summarize_old_turns(
        caller=caller,
        conversation=conversation,
        retain_last=retained,
        max_age_days=days,
        seconds=SECONDS_OF_ONE_REQUEST,
    )
    if not made.is_finished:
        enqueue(CONSOLIDATE_TASK, str(caller.workspace_id), str(conversation.id), retained, days)
    return made
