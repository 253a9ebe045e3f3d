"""REST of runs and what they cited."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import MEMORIES
from core.http.pagination import PageQuery
from core.http.schemas import Page
from core.http.url_parameters import path_id
from memory.citations import services
from memory.citations.schemas import FinishedResponse, FinishInput, MemoryCitationResponse, RunInput, RunResponse
from memory.citations.selectors import access_run, memory_citations, workspace_runs
from memory.memories.selectors import access_memory
from workspaces.http.rest import WorkspaceView


class CitationsView(WorkspaceView):
    """The runs that cited a memory, newest first."""

    action_types = MEMORIES
    asks = {"GET": PageQuery}
    answers = {"GET": Page[MemoryCitationResponse]}

    def get(self, request: Request, ws: str, memory_id: str) -> Response:
        memory = access_memory(self.caller, path_id(memory_id), with_forgotten=True)
        return self.page(MemoryCitationResponse, lambda: memory_citations(self.caller, memory))


class RunsView(WorkspaceView):
    """List runs, newest first; start one."""

    asks = {"GET": PageQuery}
    reads = {"POST": RunInput}
    answers = {"GET": Page[RunResponse], "POST": {201: RunResponse}}

    def get(self, request: Request, ws: str) -> Response:
        return self.page(RunResponse, lambda: workspace_runs(self.caller))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(RunInput)
        run = services.start_run(caller=self.caller, agent=given.agent, conversation=given.conversation)
        return self.answer(RunResponse.of(run), status=201)


class RunView(WorkspaceView):
    """Read one run."""

    answers = {"GET": RunResponse}

    def get(self, request: Request, ws: str, run_id: str) -> Response:
        return self.answer(RunResponse.of(access_run(self.caller, path_id(run_id))))


class FinishView(WorkspaceView):
    """Bring a run to its end and count what it cited."""

    reads = {"POST": FinishInput}
    answers = {"POST": FinishedResponse}

    def post(self, request: Request, ws: str, run_id: str) -> Response:
        given = self.body(FinishInput)
        finished = services.finish_run(
            caller=self.caller, run_id=path_id(run_id), status=given.status, output=given.output
        )
        return self.answer(FinishedResponse.of(finished))
