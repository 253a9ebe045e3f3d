"""REST of memories, facts and runs."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import CursorPages, PageInput
from memory.citations import services
from memory.citations.schemas import FinishInput, RunInput
from memory.citations.selectors import access_run, memory_citations, workspace_runs
from memory.citations.serializers import citation_json, finished_json, run_json
from memory.memories.selectors import access_memory
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView


class CitationsView(WorkspaceView):
    """The runs that cited a memory, newest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str, memory_id: str) -> Response:
        memory = access_memory(self.caller, path_id(memory_id), with_forgotten=True)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(memory_citations(self.caller, memory), request, self)
        return pages.get_paginated_response([citation_json(citation) for citation in page or []])


class RunsView(WorkspaceView):
    """List runs, newest first; start one."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(workspace_runs(self.caller), request, self)
        return pages.get_paginated_response([run_json(run) for run in page or []])

    def post(self, request: Request, ws: str) -> Response:
        return Response(run_json(services.start_run(caller=self.caller, **self.body(RunInput))), status=201)


class RunView(WorkspaceView):
    """Read one run."""

    def get(self, request: Request, ws: str, run_id: str) -> Response:
        return Response(run_json(access_run(self.caller, path_id(run_id))))


class FinishView(WorkspaceView):
    """Bring a run to its end and count what it cited."""

    def post(self, request: Request, ws: str, run_id: str) -> Response:
        given = self.body(FinishInput)
        finished = services.finish_run(
            caller=self.caller, run_id=path_id(run_id), status=given["status"], output=given.get("output", "")
        )
        return Response(finished_json(finished))
