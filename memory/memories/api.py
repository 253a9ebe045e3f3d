"""REST of memories, facts and runs."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import CursorPages, OldestFirst, PageInput, one_page, read_limit
from memory.memories.schemas import (
    EditInput,
    ForgetInput,
    ForgetQuery,
    MemoryInput,
    MemoryListInput,
    MemorySearchInput,
    NothingInput,
    SuppressInput,
    WeightInput,
)
from memory.memories.selectors import (
    MemoryFilter,
    access_memory,
    memories_matching,
    memory_revisions,
    pin_recommendations,
    stale_memories,
)
from memory.memories.serializers import memory_json, revision_json, search_json
from memory.memories.services import lifecycle, memory_search, memory_writer
from memory.memories.transitions import Verb
from memory.models import Kind, Source
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView


class MemoriesView(WorkspaceView):
    """List the workspace's memories and facts, newest first; remember a new one."""

    asks = {"GET": MemoryListInput}

    def get(self, request: Request, ws: str) -> Response:
        narrow = MemoryFilter(**self.asked)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(memories_matching(self.caller, narrow), request, self)
        return pages.get_paginated_response([memory_json(memory) for memory in page or []])

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MemoryInput)
        stated = given.pop("source", None)
        new = memory_writer.NewMemory(
            kind=Kind(given.pop("kind", Kind.MEMORY)),
            source=memory_writer.recorded_source(self.caller, stated=Source(stated) if stated else None),
            tags=tuple(given.pop("tags", ())),
            **given,
        )
        remembered = memory_writer.remember(caller=self.caller, new=new)
        return Response(memory_json(remembered.memory), status=201 if remembered.is_new else 200)


class MemoryView(WorkspaceView):
    """Read, edit or forget one memory; a forgotten one can still be read, with `is_deleted`."""

    asks = {"DELETE": ForgetQuery}

    def get(self, request: Request, ws: str, memory_id: str) -> Response:
        return Response(memory_json(access_memory(self.caller, path_id(memory_id), with_forgotten=True)))

    def patch(self, request: Request, ws: str, memory_id: str) -> Response:
        changes = self.body(EditInput)
        return Response(
            memory_json(memory_writer.edit_memory(caller=self.caller, memory_id=path_id(memory_id), changes=changes))
        )

    def delete(self, request: Request, ws: str, memory_id: str) -> Response:
        given = self.body(ForgetInput)
        is_forced = self.asked["force"] or given.get("force", False)
        memory = lifecycle.apply_transition(
            caller=self.caller, memory_id=path_id(memory_id), verb=Verb.FORGET, force=is_forced
        )
        return Response(memory_json(memory))


class StandingView(WorkspaceView):
    """One verb of the lifecycle as a route of its own."""

    verb: ClassVar[Verb] = Verb.PROMOTE

    def post(self, request: Request, ws: str, memory_id: str) -> Response:
        given = self.body(SuppressInput if self.verb == Verb.SUPPRESS else NothingInput)
        memory = lifecycle.apply_transition(
            caller=self.caller, memory_id=path_id(memory_id), verb=self.verb, reason=given.get("reason", "")
        )
        return Response(memory_json(memory))


class WeightView(WorkspaceView):
    """Move a memory's manual weight."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.FACTS}

    def post(self, request: Request, ws: str, memory_id: str) -> Response:
        given = self.body(WeightInput)
        memory = lifecycle.weigh_memory(
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
        memory = access_memory(self.caller, path_id(memory_id), with_forgotten=True)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(memory_revisions(self.caller, memory), request, self)
        return pages.get_paginated_response([revision_json(revision) for revision in page or []])


class MemorySearchView(WorkspaceView):
    """Search memories and facts by words and by meaning."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MemorySearchInput)
        narrow = MemoryFilter(**given.pop("narrow"))
        return Response(search_json(memory_search.search_memories(caller=self.caller, narrow=narrow, **given)))


class PinRecommendationsView(WorkspaceView):
    """Memories that answers cite and nobody has pinned."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        found = pin_recommendations(self.caller, limit=read_limit(request))
        return Response(one_page([memory_json(memory) for memory in found]))


class StaleView(WorkspaceView):
    """Memories that nothing has cited within the retention window, oldest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = OldestFirst()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(stale_memories(self.caller), request, self)
        return pages.get_paginated_response([memory_json(memory) for memory in page or []])


class PurgeView(WorkspaceView):
    """Forget every stale memory."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}

    def post(self, request: Request, ws: str) -> Response:
        self.body(NothingInput)
        purged = lifecycle.purge_stale(caller=self.caller)
        removed = [{"id": str(memory.pk), "content": memory.content} for memory in purged]
        return Response({"removed": removed, "count": len(removed)})
