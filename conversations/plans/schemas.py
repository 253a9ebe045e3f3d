"""What doors read and answer of plans, iteration logs and briefings, field by field."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from conversations.plans.services import iteration_log, plan_writer
from conversations.plans.services.briefings import DEFAULT_TOKENS, MAX_TASK_CHARACTERS, MAX_TOKENS
from conversations.plans.services.iteration_log import NewIteration
from conversations.plans.services.plan_writer import NewPlan, PlanStep, PlanVersionError
from core.http.field_types import QueryNumber, TextRules, WholeRange
from core.http.schemas import (
    NOT_GIVEN,
    FilledText,
    IdText,
    MomentText,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
    attribute,
)

StepStatus = Literal["pending", "in_progress", "done", "blocked", "skipped"]
_AttemptText = Annotated[str, TextRules(max_length=iteration_log.MAX_TEXT_CHARACTERS, allow_blank=True)]


class PlanStepInput(RequestSchema):
    """One step of a plan."""

    title: Annotated[
        str,
        TextRules(max_length=plan_writer.MAX_TITLE_CHARACTERS, is_line=True),
        Field(description="What is to be done, in one line.", examples=["Write the login form"]),
    ]
    status: Annotated[StepStatus, Field(examples=["in_progress"])] = "pending"
    note: Annotated[
        str,
        TextRules(max_length=plan_writer.MAX_NOTE_CHARACTERS, allow_blank=True),
        Field(description="Why it is blocked or skipped, for example.", examples=["Waits for the design."]),
    ] = ""


class PlanInput(RequestSchema):
    """The body of `PUT conversations/{c}/plan`: the whole plan."""

    goal: Annotated[
        str,
        TextRules(max_length=plan_writer.MAX_GOAL_CHARACTERS),
        Field(description="What is to be reached.", examples=["Customers can sign in."]),
    ]
    phase: Annotated[
        str,
        TextRules(max_length=plan_writer.MAX_PHASE_CHARACTERS, is_line=True, allow_blank=True),
        Field(description="The phase that the work is in.", examples=["Debugging"]),
    ] = ""
    iteration_count: Annotated[
        int,
        WholeRange(0, plan_writer.MAX_COUNT),
        Field(description="The number of rounds that the work has taken.", examples=[3]),
    ] = 0
    steps: Annotated[
        list[PlanStepInput],
        Field(
            max_length=plan_writer.MAX_STEPS,
            description="The steps in their order.",
            examples=[[{"title": "Write the login form", "status": "in_progress", "note": "Waits for the design."}]],
        ),
    ] = []
    version: Annotated[
        int,
        WholeRange(0, plan_writer.MAX_COUNT),
        Field(description="That of the plan which this one was made from; 0 for the first.", examples=[1]),
    ] = 0

    def new_plan(self) -> NewPlan:
        """Return the plan as the service takes it."""
        steps = tuple(PlanStep(step.title, step.status, step.note) for step in self.steps)
        return NewPlan(self.goal, self.phase, self.iteration_count, steps)


class PlanStepResponse(ResponseSchema):
    """One step of a plan."""

    title: str
    status: StepStatus
    note: FilledText


def _read_steps(steps: Any) -> list[PlanStepResponse]:
    return [PlanStepResponse.model_validate(step) for step in plan_writer.read_steps(steps)]


class PlanResponse(ResponseSchema):
    """The plan of a conversation, as it is stored; a writing of it names the `version`."""

    conversation_id: IdText
    goal: str
    phase: FilledText
    iteration_count: int
    steps: Annotated[list[PlanStepResponse], BeforeValidator(_read_steps)]
    version: int
    updated_by: FilledText
    created_at: MomentText
    updated_at: MomentText


def with_current(error: PlanVersionError) -> PlanVersionError:
    """Return the refusal with the plan as it is now, for the doors."""
    error.current = PlanResponse.of(error.plan).as_json() if error.plan else None
    return error


class IterationInput(RequestSchema):
    """The body of `POST conversations/{c}/iterations/{task_key}`: one attempt."""

    action: Annotated[
        str,
        TextRules(max_length=iteration_log.MAX_TEXT_CHARACTERS),
        Field(description="What was tried.", examples=["Ran the sign-in test."]),
    ]
    result: Annotated[_AttemptText, Field(description="What came of it.", examples=["It failed."])] = ""
    error: Annotated[_AttemptText, Field(description="The error, as it was reported.", examples=["401"])] = ""
    diagnosis: Annotated[_AttemptText, Field(description="Why it failed.", examples=["The cookie is not sent."])] = ""
    fix: Annotated[_AttemptText, Field(description="What was or will be changed.", examples=["Set SameSite."])] = ""

    def new_iteration(self) -> NewIteration:
        """Return the attempt as the service takes it."""
        return NewIteration(self.action, self.result, self.error, self.diagnosis, self.fix)


class IterationResponse(ResponseSchema):
    """One attempt at a task, as it is stored; `attempt` is its number among those of the task."""

    id: IdText
    conversation_id: IdText
    task_key: str
    attempt: int
    action: str
    result: FilledText
    error: FilledText
    diagnosis: FilledText
    fix: FilledText
    recorded_by: FilledText
    created_at: MomentText


class TaskResponse(ResponseSchema):
    """A task that has attempts: the number of those that are kept, and the last one."""

    task_key: str
    attempts: int
    last_attempt: int
    last_attempt_at: MomentText


class BriefingQuery(QuerySchema):
    """The query string of `GET conversations/{c}/iterations/{task_key}/briefing`."""

    token_budget: Annotated[
        int, QueryNumber(1, MAX_TOKENS), Field(description="The maximum number of tokens of the text.")
    ] = DEFAULT_TOKENS
    task: Annotated[
        str,
        TextRules(max_length=MAX_TASK_CHARACTERS, is_spoken=True),
        Field(description="What the sub-agent is to do, in your words."),
    ] = NOT_GIVEN


class BriefingResponse(ResponseSchema):
    """What a sub-agent is given of a task; `attempts` and the steps that found no room are counted."""

    task_key: str
    text: str = attribute("rendered", "text")
    tokens_used: int = attribute("rendered", "tokens")
    token_budget: int
    attempts: int = attribute("rendered", "attempts")
    attempts_left_out: int = attribute("rendered", "attempts_left_out")
    steps_left_out: int = attribute("rendered", "steps_left_out")
