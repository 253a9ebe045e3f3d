"""Noticing what agents do through our own doors, without making them wait for it."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.db import Error as DatabaseTrouble

from core.clock import utc_now
from core.space_ids import SHARED
from telemetry.actions.services.action_buffer import ActionBuffer
from telemetry.actions.services.action_log import NewAction, keep_actions, reporter_name
from workspaces.access.callers import Caller
from workspaces.access.space_callers import caller_in_space

log = logging.getLogger(__name__)


def caller_session(caller: Caller) -> str:
    """Return the session of calls that name none: all that come with one key, or from one person."""
    return reporter_name(caller)


def capture(*, caller: Caller, action: NewAction) -> None:
    """Note an action after the fact, unless memory is off. Never raises and never blocks what it tells of.

    A process that serves the web keeps it within a second, from another thread; any other process at once.
    """
    # It happened now, and not when its turn comes: the database may be away for a while.
    action = replace(
        action,
        occurred_at=action.occurred_at or utc_now(),
        reporter=reporter_name(caller),
        space_id=caller.reach.written,
    )
    if settings.SERVES_WEB:
        buffer.add(caller.workspace_id, action)
        return
    try:
        _keep(caller.workspace_id, [action])
    except DatabaseTrouble as trouble:
        log.warning("capture_failed cause=%s", type(trouble).__name__)


def _keep(workspace_id: UUID, actions: Sequence[NewAction]) -> None:
    # An agent that may only read is noticed as well: it is the server that writes.
    by_space = defaultdict(list)
    for action in actions:
        by_space[action.space_id or SHARED].append(action)
    for space_id, part in by_space.items():
        keep_actions(caller=caller_in_space(workspace_id, "capture", space_id=space_id), actions=part)


buffer = ActionBuffer(_keep)
