"""REST of memories, facts and runs."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pages import CursorPages, OldestFirst, PageInput, limit_of, one_page
from memory import inputs, selectors
from memory.lifecycle import Verb
from memory.models import Kind, Source
from memory.presenting import citation_json, finished_json, memory_json, revision_json, run_json, search_json
from memory.services import citing, searching, standing, writing
from workspaces.callers import Right
from workspaces.http import WorkspaceView
from workspaces.scope import workspace_scope


class MemoriesView(WorkspaceView):
    """List the workspace's memories and facts, newest first; remember a new one."""

    asks = {"GET": inputs.ListInput}

    def get(self, request: Request, ws: str) -> Response:
        narrow = selectors.MemoryFilter(**self.asked)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.memories_matching(self.caller, narrow), request, self)
        return pages.get_paginated_response([memory_json(memory) for memory in page or []])

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.MemoryInput)
        source = given.pop("source", Source.USER if self.caller.is_person else Source.AGENT)
        new = writing.NewMemory(
            kind=Kind(given.pop("kind", Kind.MEMORY)),
            source=Source(source),
            tags=tuple(given.pop("tags", ())),
            **given,
        )
        remembered = writing.remember(caller=self.caller, new=new)
        return Response(memory_json(remembered.memory), status=201 if remembered.is_new else 200)


class MemoryView(WorkspaceView):
    """Read, edit or forget one memory; a forgotten one can still be read, with `is_deleted`."""

    asks = {"DELETE": inputs.ForgetQuery}

    def get(self, request: Request, ws: str, memory_id: str) -> Response:
        return Response(memory_json(selectors.access_memory(self.caller, path_id(memory_id), with_forgotten=True)))

    def patch(self, request: Request, ws: str, memory_id: str) -> Response:
        changes = self.body(inputs.EditInput)
        return Response(
            memory_json(writing.edit_memory(caller=self.caller, memory_id=path_id(memory_id), changes=changes))
        )

    def delete(self, request: Request, ws: str, memory_id: str) -> Response:
        given = self.body(inputs.ForgetInput)
        is_forced = self.asked["force"] or given.get("force", False)
        memory = standing.change_standing(
            caller=self.caller, memory_id=path_id(memory_id), verb=Verb.FORGET, force=is_forced
        )
        return Response(memory_json(memory))


class StandingView(WorkspaceView):
    """One verb of the lifecycle as a route of its own."""

    verb: ClassVar[Verb] = Verb.PROMOTE

    def post(self, request: Request, ws: str, memory_id: str) -> Response:
        given = self.body(inputs.SuppressInput if self.verb == Verb.SUPPRESS else inputs.NothingInput)
        memory = standing.change_standing(
            caller=self.caller, memory_id=path_id(memory_id), verb=self.verb, reason=given.get("reason", "")
        )
        return Response(memory_json(memory))


class WeightView(WorkspaceView):
    """Move a memory's manual weight."""

    def post(self, request: Request, ws: str, memory_id: str) -> Response:
        given = self.body(inputs.WeightInput)
        memory = standing.weigh_memory(
            caller=self.caller,
            memory_id=path_id(memory_id),
            delta=given["delta"],
            seen=given.get("times_referenced"),
        )
        return Response(memory_json(memory))


class HistoryView(WorkspaceView):
    """What happened to a memory, newest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str, memory_id: str) -> Response:
        memory = selectors.access_memory(self.caller, path_id(memory_id), with_forgotten=True)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.revisions_of(self.caller, memory), request, self)
        return pages.get_paginated_response([revision_json(revision) for revision in page or []])


class CitationsView(WorkspaceView):
    """The runs that cited a memory, newest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str, memory_id: str) -> Response:
        memory = selectors.access_memory(self.caller, path_id(memory_id), with_forgotten=True)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.citations_of(self.caller, memory), request, self)
        return pages.get_paginated_response([citation_json(citation) for citation in page or []])


class SearchView(WorkspaceView):
    """Search memories and facts by words and by meaning."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.SearchInput)
        narrow = selectors.MemoryFilter(**given.pop("narrow"))
        return Response(search_json(searching.search_memories(caller=self.caller, narrow=narrow, **given)))


class PinRecommendationsView(WorkspaceView):
    """Memories that answers cite and nobody has pinned."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        found = selectors.pin_recommendations(self.caller, limit=limit_of(request))
        return Response(one_page([memory_json(memory) for memory in found]))


class StaleView(WorkspaceView):
    """Memories that nothing has cited within the retention window, oldest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = OldestFirst()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.stale_memories(self.caller), request, self)
        return pages.get_paginated_response([memory_json(memory) for memory in page or []])


class PurgeView(WorkspaceView):
    """Forget every stale memory."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}

    def post(self, request: Request, ws: str) -> Response:
        self.body(inputs.NothingInput)
        purged = standing.purge_stale(caller=self.caller)
        removed = [{"id": str(memory.pk), "content": memory.content} for memory in purged]
        return Response({"removed": removed, "count": len(removed)})


class RunsView(WorkspaceView):
    """List runs, newest first; start one."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.runs_of(self.caller), request, self)
        return pages.get_paginated_response([run_json(run) for run in page or []])

    def post(self, request: Request, ws: str) -> Response:
        return Response(run_json(citing.start_run(caller=self.caller, **self.body(inputs.RunInput))), status=201)


class RunView(WorkspaceView):
    """Read one run."""

    def get(self, request: Request, ws: str, run_id: str) -> Response:
        return Response(run_json(selectors.access_run(self.caller, path_id(run_id))))


class FinishView(WorkspaceView):
    """Bring a run to its end and count what it cited."""

    def post(self, request: Request, ws: str, run_id: str) -> Response:
        given = self.body(inputs.FinishInput)
        finished = citing.finish_run(
            caller=self.caller, run_id=path_id(run_id), status=given["status"], output=given.get("output", "")
        )
        return Response(finished_json(finished))
