"""REST of plans, of the attempts at tasks, and of briefings."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.messages.selectors import access_conversation
from conversations.plans import selectors
from conversations.plans.schemas import (
    BriefingQuery,
    BriefingResponse,
    IterationInput,
    IterationResponse,
    PlanInput,
    PlanResponse,
    TaskResponse,
    with_current,
)
from conversations.plans.services import iteration_log, plan_writer
from conversations.plans.services.briefings import brief_sub_agent
from core.http.pagination import CursorPages, PageQuery, paginate
from core.http.schemas import NoBody, Page
from workspaces.http.rest import WorkspaceView


class PlanView(WorkspaceView):
    """Read, write or delete the plan of a conversation; a writing names the version that it was made from."""

    reads = {"PUT": PlanInput}
    answers = {"GET": PlanResponse, "PUT": PlanResponse, "DELETE": None}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        return self.answer(PlanResponse.of(selectors.access_plan(self.caller, conversation)))

    def put(self, request: Request, ws: str, conversation: str) -> Response:
        given = self.body(PlanInput)
        try:
            plan = plan_writer.write_plan(
                caller=self.caller, conversation=conversation, new=given.new_plan(), version=given.version
            )
        except plan_writer.PlanVersionError as error:
            raise with_current(error) from None
        return self.answer(PlanResponse.of(plan))

    def delete(self, request: Request, ws: str, conversation: str) -> Response:
        self.body(NoBody)
        plan_writer.delete_plan(caller=self.caller, conversation=conversation)
        return Response(status=204)


class TasksView(WorkspaceView):
    """List the tasks of a conversation that have an iteration log, the one that was tried last first."""

    asks = {"GET": PageQuery}
    answers = {"GET": Page[TaskResponse]}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        found = access_conversation(self.caller, conversation)
        tasks = selectors.conversation_tasks(self.caller, found)
        page = paginate(request, tasks, key=lambda task: (-task.last_attempt_at.timestamp(), task.task_key))
        return self.answer(Page[TaskResponse].of(page))


class IterationsView(WorkspaceView):
    """Read the attempts at a task, newest first; append one; delete all of them."""

    asks = {"GET": PageQuery}
    reads = {"POST": IterationInput}
    answers = {"GET": Page[IterationResponse], "POST": {201: IterationResponse}, "DELETE": None}

    def get(self, request: Request, ws: str, conversation: str, task_key: str) -> Response:
        found = access_conversation(self.caller, conversation)
        return self.page(
            IterationResponse, lambda: selectors.task_iterations(self.caller, found, task_key), NewestAttempts()
        )

    def post(self, request: Request, ws: str, conversation: str, task_key: str) -> Response:
        new = self.body(IterationInput).new_iteration()
        made = iteration_log.append_iteration(caller=self.caller, conversation=conversation, task_key=task_key, new=new)
        return self.answer(IterationResponse.of(made), status=201)

    def delete(self, request: Request, ws: str, conversation: str, task_key: str) -> Response:
        self.body(NoBody)
        iteration_log.delete_iterations(caller=self.caller, conversation=conversation, task_key=task_key)
        return Response(status=204)


class NewestAttempts(CursorPages):
    """Pages of attempts, by their numbers."""

    ordering = "-attempt"

    def check_position(self, position: str) -> None:
        """Raise ValueError for a text that is not a number of an attempt."""
        if not 0 < int(position) < 2**31:
            raise ValueError(position)


class BriefingView(WorkspaceView):
    """What a sub-agent is given of a task: the plan, and what was tried before, within a token budget."""

    asks = {"GET": BriefingQuery}
    answers = {"GET": BriefingResponse}

    def get(self, request: Request, ws: str, conversation: str, task_key: str) -> Response:
        asked = self.query(BriefingQuery)
        briefing = brief_sub_agent(
            caller=self.caller,
            conversation=conversation,
            task_key=task_key,
            task=asked.task or "",
            token_budget=asked.token_budget,
        )
        return self.answer(BriefingResponse.of(briefing))
