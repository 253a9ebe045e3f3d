"""Actions as agents report them, and workspaces that keep them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction, record_actions
from telemetry.models import Sequence
from telemetry.sequences.services.sequencer import sequence_pending
from tests.cast import Household
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.models import Workspace
from workspaces.settings.services import set_memory_enabled

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def with_memory_on(household: Household) -> Household:
    """Switch memory on, as if before everything that a test lets happen."""
    set_memory_enabled(caller=household.caller, enabled=True)
    with workspace_scope(household.caller):
        workspace = Workspace.objects.get(id=household.workspace.id)
        workspace.config["memory_enabled_at"] = "2020-01-01T00:00:00+00:00"
        workspace.save(update_fields=["config"])
    return household


def reported(**fields: Any) -> dict[str, Any]:
    """An action as JSON."""
    return {"session": "s-1", "agent": "clerk", "action_type": "tool_call", "outcome": "success", **fields}


def action(minute: float = 0, outcome: Outcome = Outcome.SUCCESS, **fields: Any) -> NewAction:
    """An action so many minutes after noon."""
    given = {"session": "s-1", "agent": "clerk", "action_type": "tool_call", "node_type": "invoice", **fields}
    return NewAction(outcome=outcome, occurred_at=NOON + timedelta(minutes=minute), **given)


def colleague(household: Household) -> Caller:
    """Another caller of the workspace than its owner."""
    rights = frozenset({Right.READ, Right.WRITE})
    return replace(household.caller, kind=ActorKind.API_KEY, id="colleague", label="colleague", rights=rights)


def record(household: Household, *actions: NewAction, by: Caller | None = None) -> None:
    assert len(record_actions(caller=by or household.caller, actions=actions)) == len(actions)


def record_by_two(household: Household, *actions: NewAction) -> None:
    """Report in turn with two callers, which is what a pattern needs."""
    record(household, *actions[::2])
    record(household, *actions[1::2], by=colleague(household))


def sequenced(household: Household) -> list[Sequence]:
    """The workspace's sequences after the sequencer has run, in the order of their sessions and times."""
    sequence_pending(workspace_id=household.workspace.id)
    with workspace_scope(household.caller):
        return list(Sequence.objects.select_related("intent").order_by("session", "started_at"))
