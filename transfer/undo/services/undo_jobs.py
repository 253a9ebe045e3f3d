"""Previewing an undo, beginning it, and beginning its reversal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from core.clock import moment, utc_now
from core.db.locks import wait_for_lock
from core.errors import ConflictError
from core.ids import id_from_time
from transfer.models import Undo, UndoItem, UndoItemState, UndoStatus
from transfer.undo.decisions import UndoAct
from transfer.undo.planned_item import MAX_ITEMS, PlannedItem
from transfer.undo.selectors import (
    PREVIEWED,
    UndoReport,
    access_undo,
    build_rows,
    count_things,
    first_things,
    undo_report,
)
from transfer.undo.services.memory_plans import plan_memories
from transfer.undo.services.ontology_plans import plan_ontology
from transfer.undo.services.undo_scopes import UndoRequest, UndoScope, find_scope
from transfer.undo.services.undo_steps import take_some
from workspaces.access.audit import record_event
from workspaces.access.callers import ActorKind, Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.unique_tasks import enqueue_once

UNDO_TASK = "transfer.undo.tasks.take_back"
PLANNING_LOCK = "planning an undo"
# What is taken back while the caller waits; more is left to the worker. Removals go together, reversals one by one.
REMOVED_DIRECTLY, REVERTED_DIRECTLY = 2_000, 100
# Things that undos of a day have noted and that are as they were: each undo of the same run would note them again.
MAX_IDLE_THINGS = 100_000


class UndoRunningError(ConflictError):
    """The undo is not applied yet, so that there is nothing to revert as a whole."""

    code = "undo_running"
    title = "This undo is still being applied. Revert it once it is done."


class TooManyUndosError(ConflictError):
    """Undos that the caller asked for in the last day have noted very many things that stayed, or were returned."""

    code = "too_many_undos"
    title = "Your undos of the last day have left too many things as they were. Try again tomorrow; a preview is free."


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """Everything that an undo is about, in the order in which it is taken; `has_more` says that it is cut off."""

    scope: UndoScope
    items: Sequence[PlannedItem]
    has_more: bool


def preview_undo(*, caller: Caller, wanted: UndoRequest) -> UndoReport:
    """Return what an undo would take back and what would stay, and change nothing. Raises what `start_undo` raises."""
    scope = find_scope(caller=caller, wanted=wanted)
    with workspace_scope(scope.reader):
        plan = _build_plan(scope)
    return UndoReport(
        id=None,
        target=wanted.target,
        subject=wanted.subject,
        since=scope.since,
        until=scope.until,
        is_everywhere=scope.reader.reach.every,
        status=PREVIEWED,
        total=len(plan.items),
        done=0,
        counts=count_things(plan.items),
        rows=build_rows(caller, first_things(plan.items)),
        has_more=plan.has_more,
    )


def start_undo(*, caller: Caller, wanted: UndoRequest) -> UndoReport:
    """Take back what a run, an import or an agent has written; a large undo goes on in the background.

    What others have touched since stays. Doing it again takes back what is left. Raises TooManyUndosError, and what
    `find_scope` raises.
    """
    scope = find_scope(caller=caller, wanted=wanted)
    everywhere = maintenance_caller(caller.workspace_id, "undo")
    with workspace_scope(scope.reader):
        wait_for_lock(PLANNING_LOCK, caller.workspace_id)
        with workspace_scope(everywhere):
            _refuse_many(caller, everywhere)
        plan = _build_plan(scope)
        with workspace_scope(everywhere):
            undo = _record(caller, plan)
    _begin_steps(undo, [item for item in plan.items if not item.reason])
    return undo_report(caller, access_undo(caller, undo.id))


def revert_undo(*, caller: Caller, undo_id: UUID) -> UndoReport:
    """Return everything that an undo took back, but for what was changed since. Idempotent.

    Raises NotFoundError, MissingScopeError without `write` (and `facts`, for what a person undid), UndoRunningError.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        undo = access_undo(caller, undo_id, lock=True)
        if undo.actor_kind == ActorKind.USER:
            caller.require(Right.FACTS)
        if undo.status == UndoStatus.APPLYING:
            raise UndoRunningError()
        is_first = undo.status == UndoStatus.DONE
        if is_first:
            undo.status, undo.rights = UndoStatus.REVERTING, sorted(caller.rights)
            undo.reverter_kind, undo.reverter_id, undo.reverter_label = caller.kind, caller.id, caller.label
            undo.save(update_fields=["status", "rights", "reverter_kind", "reverter_id", "reverter_label"])
            record_event(caller=caller, action="undo.reverted", object_type="undo", object_id=undo.id)
    if is_first:
        everywhere = maintenance_caller(caller.workspace_id, "undo")
        with workspace_scope(everywhere):
            applied = list(UndoItem.objects.of(everywhere).filter(undo=undo, state="applied").only("act"))
        _begin_steps(undo, applied)
    return undo_report(caller, access_undo(caller, undo_id))


def _refuse_many(caller: Caller, everywhere: Caller) -> None:
    """Raise TooManyUndosError where undos of the caller fill the table without an effect, in an open scope of every
    space. Each has a number of its own: else an agent could use up what an admin needs to undo it."""
    day = Undo.objects.of(everywhere).filter(id__gte=id_from_time(utc_now() - timedelta(days=1)))
    recent = day.filter(actor_kind=caller.kind, actor_id=caller.id)
    in_effect = [UndoItemState.WAITING, UndoItemState.APPLIED]
    idle = UndoItem.objects.of(everywhere).filter(undo__in=recent).exclude(state__in=in_effect)
    if idle.values("pk")[:MAX_IDLE_THINGS].count() >= MAX_IDLE_THINGS:
        raise TooManyUndosError()


def _build_plan(scope: UndoScope) -> UndoPlan:
    """Return the plan, for the reader's open scope: merges first, since others hang on them, and reversals last."""
    things, has_more_things = plan_ontology(scope)
    memories, has_more_memories = plan_memories(scope)
    in_order = sorted(memories, key=lambda item: item.act == UndoAct.REVERT)
    items = [*things, *in_order]
    return UndoPlan(scope, items[:MAX_ITEMS], has_more_things or has_more_memories or len(items) > MAX_ITEMS)


def _record(caller: Caller, plan: UndoPlan) -> Undo:
    """Keep the plan with an audit event, for an open scope of every space."""
    wanted = plan.scope.request
    undo: Undo = Undo.objects.create(
        workspace_id=caller.workspace_id,
        target=wanted.target,
        subject=wanted.subject,
        since=plan.scope.since,
        until=plan.scope.until,
        is_everywhere=plan.scope.reader.reach.every,
        written_space=None if plan.scope.reader.reach.every else plan.scope.reader.reach.written,
        has_more=plan.has_more,
        actor_kind=caller.kind,
        actor_id=caller.id,
        actor_label=caller.label,
        rights=sorted(caller.rights),
    )
    UndoItem.objects.bulk_create(
        [
            UndoItem(
                workspace_id=caller.workspace_id,
                space_id=item.space_id,
                undo=undo,
                position=position,
                kind=item.kind,
                item_id=item.item_id,
                act=item.act,
                state=item.state,
                reason=item.reason,
                by=item.by,
                steps=list(item.steps),
                step_count=item.step_count,
            )
            for position, item in enumerate(plan.items)
        ],
        batch_size=2_000,
    )
    kept = sum(bool(item.reason) for item in plan.items)
    details = {"target": wanted.target, "subject": wanted.subject, "undone": len(plan.items) - kept, "kept": kept}
    if plan.scope.since:
        details["since"] = moment(plan.scope.since) or ""
    record_event(caller=caller, action="undo.requested", object_type="undo", object_id=undo.id, details=details)
    return undo


def _begin_steps(undo: Undo, things: Sequence[PlannedItem | UndoItem]) -> None:
    """Take the steps while the caller waits, or have the worker take them where there are many."""
    reverted = sum(thing.act == UndoAct.REVERT for thing in things)
    if reverted <= REVERTED_DIRECTLY and len(things) - reverted <= REMOVED_DIRECTLY:
        take_some(workspace_id=undo.workspace_id, undo_id=undo.id, most=len(things) + 1)
        return
    enqueue_once(UNDO_TASK, caller=maintenance_caller(undo.workspace_id, "undo"), subject=str(undo.id))


def unfinished_undos(*, caller: Caller) -> list[UUID]:
    """Return the undos that are not over, for the schedule to take up what was cut short."""
    with workspace_scope(caller):
        running = Undo.objects.of(caller).filter(status__in=[UndoStatus.APPLYING, UndoStatus.REVERTING])
        return list(running.order_by("id").values_list("id", flat=True))
