"""Writing the plan of a conversation, from one version to the next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from conversations.messages.selectors import access_conversation
from conversations.messages.services.message_log import open_conversation
from conversations.models import Plan
from core.clock import utc_now
from core.errors import ConflictError
from core.text.validators import refuse_secret
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.quotas import refuse_full
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import enter_space
from workspaces.http.idempotency import purge_responses

MAX_STEPS = 100
MAX_GOAL_CHARACTERS = 2_000
MAX_PHASE_CHARACTERS = 200
MAX_TITLE_CHARACTERS = 300
MAX_NOTE_CHARACTERS = 1_000
MAX_COUNT = 1_000_000
STATUSES = ("pending", "in_progress", "done", "blocked", "skipped")


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan."""

    title: str
    status: str = "pending"
    note: str = ""


@dataclass(frozen=True, slots=True)
class NewPlan:
    """A plan as its caller gives it, whole."""

    goal: str
    phase: str = ""
    iteration_count: int = 0
    steps: tuple[PlanStep, ...] = ()

    def columns(self) -> dict[str, Any]:
        """Return what is stored of it."""
        return {**asdict(self), "steps": [asdict(step) for step in self.steps]}


def read_steps(stored: Any) -> list[PlanStep]:
    """Return the steps of a plan as they are stored; what an import brought and is not a step is left out."""
    steps = stored if isinstance(stored, list) else []
    return [
        PlanStep(str(step["title"]), step["status"], str(step.get("note") or ""))
        for step in steps
        if isinstance(step, dict) and step.get("title") and step.get("status") in STATUSES
    ]


class PlanVersionError(ConflictError):
    """The plan was written since the caller read it. `plan` is as it is now, None where there is none."""

    code = "version_conflict"

    def __init__(self, plan: Plan | None) -> None:
        self.plan = plan
        said = (
            f"The plan is at version {plan.version} now, which `current` holds. Put your change into that, and send it "
            f"with version {plan.version}."
            if plan
            else "This conversation has no plan now. Send version 0 to write its first."
        )
        super().__init__(said)


def write_plan(*, caller: Caller, conversation: str, new: NewPlan, version: int) -> Plan:
    """Replace the plan of the conversation with this id or key, and answer it as it is stored.

    `version` is that of the plan which the new one was made from, 0 for the first. The same plan sent again by the same
    caller, since the answer was lost, is answered as it is. A key that is not known yet begins a conversation. Raises
    MissingScopeError without `write`, PlanVersionError, SecretRefusedError, OtherSpaceError, UnfitKeyError,
    QuotaExceededError.
    """
    caller.require(Right.WRITE)
    _refuse_secrets(new)
    with workspace_scope(caller):
        enter_space(caller)
        target = open_conversation(caller, conversation)  # locked: writers of a plan wait for each other
        plan = Plan.objects.of(caller).filter(conversation=target).first()
        if plan is None:
            if version:
                raise PlanVersionError(None)
            refuse_full(caller=caller, model=Plan, setting="MAX_PLANS")
            plan = Plan(workspace_id=caller.workspace_id, conversation=target, version=0)
        elif version != plan.version:
            if _is_repeated(plan, caller, new, version):
                return plan
            raise PlanVersionError(plan)
        return _store(caller, plan, new)


def delete_plan(*, caller: Caller, conversation: str | UUID) -> None:
    """Delete the plan of the conversation with this id or key for good; what is not there is gone already.

    Raises MissingScopeError without `write`, NotFoundError for the conversation, OtherSpaceError.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        found = access_conversation(caller, conversation, lock=True)
        if Plan.objects.of(caller).filter(conversation=found).delete()[0]:
            purge_responses(caller=caller)
            record_event(caller=caller, action="plan.deleted", object_type="conversation", object_id=found.id)


def _store(caller: Caller, plan: Plan, new: NewPlan) -> Plan:
    is_first = plan._state.adding
    for name, value in new.columns().items():
        setattr(plan, name, value)
    plan.version, plan.updated_by, plan.updated_at = plan.version + 1, caller.signature, utc_now()
    plan.save(force_insert=is_first)
    record_event(
        caller=caller,
        action="plan.created" if is_first else "plan.updated",
        object_type="conversation",
        object_id=plan.conversation_id,
        details={"version": plan.version},
    )
    return plan


def _is_repeated(plan: Plan, caller: Caller, new: NewPlan, version: int) -> bool:
    is_next = plan.version == version + 1 and plan.updated_by == caller.signature
    return is_next and all(getattr(plan, name) == value for name, value in new.columns().items())


def _refuse_secrets(new: NewPlan) -> None:
    for field, text in _texts(new):
        refuse_secret(text, field=field)


def _texts(new: NewPlan) -> Iterable[tuple[str, str]]:
    """Return each text of a plan with the name of its field."""
    yield "goal", new.goal
    yield "phase", new.phase
    for place, step in enumerate(new.steps):
        yield f"steps.{place}.title", step.title
        yield f"steps.{place}.note", step.note
