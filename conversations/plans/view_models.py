"""View models of a conversation's page: its plan, and what was tried of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from conversations.models import Conversation, Iteration, Plan
from conversations.plans.selectors import TaskSummary, conversation_tasks, find_plan
from conversations.plans.services.plan_writer import PlanStep, read_steps
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

MAX_TASKS_SHOWN = 20
MAX_ATTEMPTS_SHOWN = 100
# The step at work and one that is stuck stand out; one that was skipped is struck.
TONES = {"done": "", "skipped": "muted", "in_progress": "accent", "blocked": "warning", "pending": "pending"}


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step as the page shows it; `tone` is that of its badge."""

    step: PlanStep
    status: str
    tone: str


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task with the newest of its attempts that the page shows."""

    summary: TaskSummary
    attempts: Sequence[Iteration]

    @property
    def is_cut(self) -> bool:
        return len(self.attempts) < self.summary.attempts


@dataclass(frozen=True, slots=True)
class ConversationWork:
    """What an agent means to do in a conversation, and what it tried."""

    plan: Plan | None
    steps: Sequence[StepLine]
    tasks: Sequence[TaskLine]
    has_more_tasks: bool

    @property
    def done(self) -> int:
        """The number of steps that are done."""
        return sum(line.step.status == "done" for line in self.steps)


def conversation_work(caller: Caller, conversation: Conversation) -> ConversationWork:
    """Return the plan of a conversation and the newest attempts at its tasks."""
    plan = find_plan(caller, conversation)
    summaries = conversation_tasks(caller, conversation)
    shown = summaries[:MAX_TASKS_SHOWN]
    with workspace_scope(caller):
        newest = Iteration.objects.of(caller).filter(conversation=conversation).order_by("-created_at", "-attempt")
        tried = list(newest.filter(task_key__in=[each.task_key for each in shown])[:MAX_ATTEMPTS_SHOWN])
    tried.sort(key=lambda one: (one.task_key, -one.attempt))
    of_task = {key: list(group) for key, group in groupby(tried, key=lambda one: one.task_key)}
    return ConversationWork(
        plan,
        [_step_line(step) for step in read_steps(plan.steps)] if plan else [],
        [TaskLine(each, of_task.get(each.task_key, ())) for each in shown],
        len(summaries) > len(shown),
    )


def _step_line(step: PlanStep) -> StepLine:
    return StepLine(step, step.status.replace("_", " "), TONES[step.status])
