"""Tools for the plan of a conversation, the attempts at its tasks, and the briefing of a sub-agent."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from conversations.messages.selectors import access_conversation
from conversations.plans.schemas import (
    BriefingResponse,
    IterationInput,
    IterationResponse,
    PlanInput,
    PlanResponse,
    with_current,
)
from conversations.plans.selectors import access_plan, task_iterations
from conversations.plans.services.briefings import DEFAULT_TOKENS, MAX_TASK_CHARACTERS, MAX_TOKENS, brief_sub_agent
from conversations.plans.services.iteration_log import append_iteration
from conversations.plans.services.plan_writer import PlanVersionError, write_plan
from conversations.plans.task_keys import MAX_CHARACTERS
from core.http.field_types import TextRules, WholeRange
from core.http.schemas import NOT_GIVEN
from mcp_server.registry import reads, writes
from mcp_server.results import result_text
from mcp_server.schemas import ConversationKey, IterationsResponse, Limit
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

TaskKey = Annotated[
    str,
    TextRules(max_length=MAX_CHARACTERS, is_line=True),
    Field(description="Your own key of a task of the conversation, without a slash."),
]


@reads("plan.get", "Read the plan")
def get(caller: Caller, *, conversation: ConversationKey) -> PlanResponse:
    """The plan of a conversation: goal, phase, steps with their status, and its version. Read it when you go on with
    work that you began earlier."""
    return PlanResponse.of(access_plan(caller, conversation))


@writes("plan.update", "Write the plan", is_idempotent=True)
def update(caller: Caller, *, conversation: ConversationKey, body: PlanInput) -> PlanResponse:
    """Write the whole plan of a conversation, with the version that you read; 0 begins one. Write it again whenever a
    step changes its status, so that the work can be gone on with after an interruption."""
    try:
        plan = write_plan(caller=caller, conversation=conversation, new=body.new_plan(), version=body.version)
    except PlanVersionError as error:
        raise with_current(error) from None
    return PlanResponse.of(plan)


@writes("iteration.log", "Log an attempt")
def log(caller: Caller, *, conversation: ConversationKey, task_key: TaskKey, body: IterationInput) -> IterationResponse:
    """Log an attempt at a task: what was tried, what came of it, why it failed and what changes next. Log each failed
    one, so that the next attempt does not repeat it."""
    made = append_iteration(caller=caller, conversation=conversation, task_key=task_key, new=body.new_iteration())
    return IterationResponse.of(made)


@reads("iteration.list", "List attempts")
def list_(caller: Caller, *, conversation: ConversationKey, task_key: TaskKey, limit: Limit = 20) -> IterationsResponse:
    """The attempts at a task, newest first."""
    caller.require(Right.READ)
    found = access_conversation(caller, conversation)
    with workspace_scope(caller):
        logged = task_iterations(caller, found, task_key)[:limit]
        return IterationsResponse(results=[IterationResponse.of(each) for each in logged])


@reads("iteration.briefing", "Brief a sub-agent", text=result_text.render_text)
def brief(
    caller: Caller,
    *,
    conversation: ConversationKey,
    task_key: TaskKey,
    task: Annotated[
        str,
        TextRules(max_length=MAX_TASK_CHARACTERS, is_spoken=True),
        Field(description="What the sub-agent is to do, in your words."),
    ] = NOT_GIVEN,
    token_budget: Annotated[
        int, WholeRange(1, MAX_TOKENS), Field(description="The maximum number of tokens of the text.")
    ] = DEFAULT_TOKENS,
) -> BriefingResponse:
    """What to give to a sub-agent: its task, the plan, and the earlier attempts at the task, newest last. Put `text`
    before its prompt, as material."""
    found = brief_sub_agent(
        caller=caller, conversation=conversation, task_key=task_key, task=task or "", token_budget=token_budget
    )
    return BriefingResponse.of(found)
