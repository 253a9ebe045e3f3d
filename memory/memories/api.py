"""REST of memories and facts."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.messages.selectors import access_conversation
from core.action_types import MEMORIES, MEMORY_SEARCH
from core.http.pagination import PageQuery, one_page
from core.http.schemas import NoBody, Page, RequestSchema
from core.http.time_pages import TimePages
from core.http.url_parameters import path_id
from memory.memories.history.selectors import rewind_memories
from memory.memories.schemas import (
    ForgetInput,
    ForgetQuery,
    MemoriesQuery,
    MemoryDetailResponse,
    MemoryEditInput,
    MemoryInput,
    MemoryResponse,
    MemorySearchInput,
    MemorySearchResponse,
    PurgedResponse,
    RemovedMemoryResponse,
    RevisionResponse,
    SuppressInput,
    WeightInput,
)
from memory.memories.selectors import (
    LEARNED,
    MemoryFilter,
    access_memory,
    memories_matching,
    memory_revisions,
    pin_recommendations,
    stale_memories,
)
from memory.memories.services import lifecycle, memory_search, memory_writer
from memory.memories.sources.selectors import memory_sources
from memory.memories.transitions import Verb
from memory.models import Memory, Source
from workspaces.access.callers import Caller, Right
from workspaces.http.rest import WorkspaceView


class MemoriesView(WorkspaceView):
    """List the workspace's memories and facts, newest first; remember a new one."""

    action_types = MEMORIES
    asks = {"GET": MemoriesQuery}
    reads = {"POST": MemoryInput}
    answers = {"GET": Page[MemoryResponse], "POST": {200: MemoryDetailResponse, 201: MemoryDetailResponse}}

    def get(self, request: Request, ws: str) -> Response:
        asked = self.query(MemoriesQuery).filter_values()
        if conversation := asked.get("extracted_from"):
            asked["extracted_from"] = access_conversation(self.caller, conversation).id
        narrow = MemoryFilter(**asked)
        return self.page(
            MemoryResponse,
            lambda: memories_matching(self.caller, narrow),
            TimePages(LEARNED),
            prepare=lambda found: rewind_memories(self.caller, found, narrow.moments),
        )

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MemoryInput)
        source = memory_writer.resolve_source(self.caller, stated=Source(given.source) if given.source else None)
        remembered = memory_writer.remember(caller=self.caller, new=given.new_memory(source))
        return self.answer(_with_sources(self.caller, remembered.memory), status=201 if remembered.is_new else 200)


class MemoryView(WorkspaceView):
    """Read, edit or forget one memory; a forgotten one can still be read, with `is_deleted`."""

    action_types = MEMORIES
    asks = {"DELETE": ForgetQuery}
    reads = {"PATCH": MemoryEditInput, "DELETE": ForgetInput}
    answers = {"GET": MemoryDetailResponse, "PATCH": MemoryDetailResponse, "DELETE": MemoryDetailResponse}

    def get(self, request: Request, ws: str, memory_id: str) -> Response:
        memory = access_memory(self.caller, path_id(memory_id), with_forgotten=True)
        return self.answer(_with_sources(self.caller, memory))

    def patch(self, request: Request, ws: str, memory_id: str) -> Response:
        changes = self.body(MemoryEditInput).given()
        memory = memory_writer.edit_memory(caller=self.caller, memory_id=path_id(memory_id), changes=changes)
        return self.answer(_with_sources(self.caller, memory))

    def delete(self, request: Request, ws: str, memory_id: str) -> Response:
        is_forced = self.body(ForgetInput).force or bool(self.query(ForgetQuery).force)
        memory = lifecycle.apply_transition(
            caller=self.caller, memory_id=path_id(memory_id), verb=Verb.FORGET, force=is_forced
        )
        return self.answer(_with_sources(self.caller, memory))


class StandingView(WorkspaceView):
    """One verb of the lifecycle as a route of its own."""

    action_types = MEMORIES
    verb: ClassVar[Verb] = Verb.PROMOTE
    answers = {"POST": MemoryDetailResponse}

    def post(self, request: Request, ws: str, memory_id: str) -> Response:
        self.body(NoBody)
        return self.apply(memory_id)

    def apply(self, memory_id: str, *, reason: str = "") -> Response:
        memory = lifecycle.apply_transition(
            caller=self.caller, memory_id=path_id(memory_id), verb=self.verb, reason=reason
        )
        return self.answer(_with_sources(self.caller, memory))


class SuppressView(StandingView):
    """Keep a memory out of everything that agents are given, for a reason."""

    reads: ClassVar[dict[str, type[RequestSchema]]] = {"POST": SuppressInput}

    def post(self, request: Request, ws: str, memory_id: str) -> Response:
        return self.apply(memory_id, reason=self.body(SuppressInput).reason)


class WeightView(WorkspaceView):
    """Move a memory's manual weight."""

    action_types = MEMORIES
    rights: ClassVar[dict[str, Right]] = {"POST": Right.FACTS}
    reads = {"POST": WeightInput}
    answers = {"POST": MemoryDetailResponse}

    def post(self, request: Request, ws: str, memory_id: str) -> Response:
        given = self.body(WeightInput)
        seen = given.given().get("times_referenced")
        memory = lifecycle.weigh_memory(caller=self.caller, memory_id=path_id(memory_id), delta=given.delta, seen=seen)
        return self.answer(_with_sources(self.caller, memory))


class HistoryView(WorkspaceView):
    """What happened to a memory, newest first."""

    action_types = MEMORIES
    asks = {"GET": PageQuery}
    answers = {"GET": Page[RevisionResponse]}

    def get(self, request: Request, ws: str, memory_id: str) -> Response:
        memory = access_memory(self.caller, path_id(memory_id), with_forgotten=True)
        return self.page(RevisionResponse, lambda: memory_revisions(self.caller, memory))


class MemorySearchView(WorkspaceView):
    """Search memories and facts by words and by meaning."""

    action_types = MEMORY_SEARCH
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": MemorySearchInput}
    answers = {"POST": MemorySearchResponse}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MemorySearchInput)
        found = memory_search.search_memories(
            caller=self.caller,
            query=given.query,
            mode=given.mode,
            limit=given.limit,
            narrow=MemoryFilter(**given.filter_values()),
        )
        return self.answer(MemorySearchResponse.of(found))


class PinRecommendationsView(WorkspaceView):
    """Memories that answers cite and that are not pinned."""

    action_types = MEMORIES
    asks = {"GET": PageQuery}
    answers = {"GET": Page[MemoryResponse]}

    def get(self, request: Request, ws: str) -> Response:
        found = pin_recommendations(self.caller, limit=self.query(PageQuery).limit)
        return Response(one_page([MemoryResponse.of(memory).as_json() for memory in found]))


class StaleView(WorkspaceView):
    """Memories that nothing has cited within the retention window, oldest first."""

    action_types = MEMORIES
    asks = {"GET": PageQuery}
    answers = {"GET": Page[MemoryResponse]}

    def get(self, request: Request, ws: str) -> Response:
        return self.page(MemoryResponse, lambda: stale_memories(self.caller), TimePages(LEARNED, is_oldest_first=True))


class PurgeView(WorkspaceView):
    """Forget every stale memory."""

    action_types = MEMORIES
    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}
    answers = {"POST": PurgedResponse}

    def post(self, request: Request, ws: str) -> Response:
        self.body(NoBody)
        purged = lifecycle.purge_stale(caller=self.caller)
        removed = [RemovedMemoryResponse.of(memory) for memory in purged]
        return self.answer(PurgedResponse(removed=removed, count=len(removed)))


def _with_sources(caller: Caller, memory: Memory) -> MemoryDetailResponse:
    return MemoryDetailResponse.of_sourced(memory, memory_sources(caller, memory))
