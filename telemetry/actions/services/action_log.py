"""Keeping what agents did: one cheap insert for many actions, and the toggle that stops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.clock import utc_now
from core.ids import new_id
from core.stores.queue import nudge_after_commit
from telemetry.actions.outcomes import Outcome
from telemetry.models import Action
from telemetry.sql import array_text, run
from workspaces.access.callers import Caller, Right
from workspaces.access.quotas import is_full, refuse_full
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import enter_space
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import is_memory_enabled, memory_enabled_since

SEQUENCE_TASK = "telemetry.sequences.tasks.sequence_workspace"
MAX_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class NewAction:
    """What an agent did: types, ids and codes. `occurred_at` is now, unless given; `latency_ms` is in milliseconds.

    `reporter` and `space_id` are for what the server itself has seen: whom it saw, as `reporter_name` names them, and
    the space that the call wrote into. Without them the action is a claim of the caller who records it.
    """

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
    reporter: str = ""
    space_id: UUID | None = None

    def predates(self, moment: datetime) -> bool:
        return bool(self.reporter and self.occurred_at and self.occurred_at < moment)


def reporter_name(caller: Caller) -> str:
    """Return the identity under which actions of a caller are kept: its kind and id, and no name."""
    return f"{caller.kind}:{caller.id}"


def record_actions(*, caller: Caller, actions: Sequence[NewAction]) -> list[UUID]:
    """Keep actions that an agent reports; answer their ids in the given order, or none while memory is off.

    Raises MissingScopeError without `write`, QuotaExceededError.
    """
    caller.require(Right.WRITE)
    if any(action.reporter for action in actions):
        raise ValueError("Only what the server has seen names its reporter.")
    with workspace_scope(caller):
        refuse_full(caller=caller, model=Action, setting="MAX_ACTIONS")
    return keep_actions(caller=caller, actions=actions)


def keep_actions(*, caller: Caller, actions: Sequence[NewAction]) -> list[UUID]:
    """Store actions that the server itself has seen, as `record_actions` does, whatever their caller may do.

    Those that it saw while memory was off are left out, also where it was switched on meanwhile. A workspace that is
    full of actions keeps none.
    """
    if not actions:
        return []
    with workspace_scope(caller):
        # Asked for in the transaction that inserts, so that switching off stops every process at once.
        workspace = Workspace.objects.live().filter(id=caller.workspace_id).only("config").first()
        if workspace is None or not is_memory_enabled(workspace):
            return []
        since = memory_enabled_since(workspace)
        actions = [action for action in actions if not (since and action.predates(since))]
        if not actions or is_full(caller=caller, model=Action, setting="MAX_ACTIONS"):
            return []
        enter_space(caller)
        ids = _insert(caller, actions)
        nudge_after_commit(SEQUENCE_TASK, caller.workspace_id)
    return ids


def _insert(caller: Caller, actions: Sequence[NewAction]) -> list[UUID]:
    now, ids, own = utc_now(), [new_id() for _ in actions], reporter_name(caller)
    columns = {
        "id": ids,
        "reporter": [action.reporter or own for action in actions],
        # A caller who may create facts need not be corroborated: a promoted pattern says less than a fact.
        "is_trusted": [bool(action.reporter) or caller.is_trusted for action in actions],
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
