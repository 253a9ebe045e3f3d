"""Briefings of sub-agents, read from the plan of a conversation and the log of a task."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC

from conversations.messages.selectors import access_conversation
from conversations.models import Iteration, Plan
from conversations.plans.briefing_format import (
    BriefingAttempt,
    BriefingPlan,
    BriefingStep,
    RenderedBriefing,
    render_briefing,
)
from conversations.plans.selectors import find_plan, task_iterations
from conversations.plans.services.plan_writer import read_steps
from core.text.tokens import count_tokens, trim_to_tokens
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

DEFAULT_TOKENS, MAX_TOKENS = 2_000, 32_000
MAX_TASK_CHARACTERS = 4_000
PARTS = ("action", "result", "error", "diagnosis", "fix")


@dataclass(frozen=True, slots=True)
class Briefing:
    """What a sub-agent is given of a task, and the tokens that it could have."""

    task_key: str
    rendered: RenderedBriefing
    token_budget: int


def brief_sub_agent(
    *, caller: Caller, conversation: str, task_key: str, task: str = "", token_budget: int = DEFAULT_TOKENS
) -> Briefing:
    """Return the briefing for a task of the conversation with this id or key, in at most `token_budget` tokens.

    `task` says in the caller's words what there is to do. Raises MissingScopeError without `read`, NotFoundError,
    UnfitTaskKeyError.
    """
    caller.require(Right.READ)
    found = access_conversation(caller, conversation)
    with workspace_scope(caller):
        plan = find_plan(caller, found)
        attempts = list(task_iterations(caller, found, task_key))
    rendered = render_briefing(
        task_key=task_key,
        task=task,
        plan=_briefing_plan(plan) if plan else None,
        attempts=[_briefing_attempt(each) for each in attempts],
        budget=token_budget,
        count=count_tokens,
        trim=lambda text, limit: trim_to_tokens(text, limit=limit),
    )
    return Briefing(task_key, rendered, token_budget)


def _briefing_plan(plan: Plan) -> BriefingPlan:
    steps = [BriefingStep(step.title, step.status, step.note) for step in read_steps(plan.steps)]
    return BriefingPlan(plan.goal, plan.phase, plan.iteration_count, steps, plan.updated_by)


def _briefing_attempt(one: Iteration) -> BriefingAttempt:
    texts = [(name, getattr(one, name)) for name in PARTS]
    return BriefingAttempt(one.attempt, one.recorded_by, one.created_at.astimezone(UTC), texts)
