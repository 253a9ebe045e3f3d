"""Keeping what agents did: one cheap insert for many actions, and the toggle that stops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.clock import utc_now
from core.ids import new_id
from core.queue import nudge_after_commit
from telemetry.sequencing import Outcome
from telemetry.statements import array_text, run
from workspaces.callers import Caller, Right
from workspaces.models import Workspace
from workspaces.scope import workspace_scope
from workspaces.switches import is_memory_enabled

SEQUENCE_TASK = "telemetry.tasks.sequence_workspace"
MOST_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class NewAction:
    """What an agent did: types, ids and codes. `occurred_at` is now, unless given; `latency_ms` is in milliseconds."""

    session: str
    agent: str
    action_type: str
    outcome: Outcome
    tool: str = ""
    node_type: str = ""
    node_ids: Sequence[UUID] = ()
    error_code: str = ""
    latency_ms: float | None = None
    occurred_at: datetime | None = None


def record_actions(*, caller: Caller, actions: Sequence[NewAction]) -> list[UUID]:
    """Keep actions that an agent reports; answer their ids in the given order, or none while memory is off.

    Raises MissingScopeError without `write`.
    """
    caller.require(Right.WRITE)
    return keep_actions(caller=caller, actions=actions)


def keep_actions(*, caller: Caller, actions: Sequence[NewAction]) -> list[UUID]:
    """What `record_actions` does, for actions that the server itself has seen, whatever their caller may do."""
    if not actions:
        return []
    with workspace_scope(caller):
        # Asked for in the transaction that inserts, so that switching off stops every process at once.
        workspace = Workspace.objects.live().filter(id=caller.workspace_id).only("config").first()
        if workspace is None or not is_memory_enabled(workspace):
            return []
        ids = _insert(caller, actions)
        nudge_after_commit(SEQUENCE_TASK, caller.workspace_id)
    return ids


def _insert(caller: Caller, actions: Sequence[NewAction]) -> list[UUID]:
    now, ids = utc_now(), [new_id() for _ in actions]
    columns = {
        "id": ids,
        "session": [action.session for action in actions],
        "agent": [action.agent for action in actions],
        "action_type": [action.action_type for action in actions],
        "tool": [action.tool for action in actions],
        "node_type": [action.node_type for action in actions],
        # unnest() would flatten lists of lists, so each travels as the text of an array.
        "node_ids": [array_text(action.node_ids) for action in actions],
        "outcome": [str(action.outcome) for action in actions],
        "error_code": [action.error_code for action in actions],
        "latency_ms": [action.latency_ms for action in actions],
        "occurred_at": [action.occurred_at or now for action in actions],
    }
    run("insert_actions", caller, **columns)
    return ids
