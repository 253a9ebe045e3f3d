"""REST of what is written for one conversation alone."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import MEMORIES, MEMORY_SEARCH
from core.http.pagination import PageQuery
from core.http.schemas import NoBody, Page
from core.http.time_pages import TimePages
from core.http.url_parameters import path_id
from memory.memories.schemas import MemoryInput, MemoryResponse, MemorySearchInput, MemorySearchResponse
from memory.memories.selectors import LEARNED, MemoryFilter
from memory.memories.services.memory_search import search_memories
from memory.memories.services.memory_writer import resolve_source
from memory.memories.sessions.selectors import access_session, session_memories
from memory.memories.sessions.services import forget_in_session, promote_from_session, remember_in_session
from memory.models import Source
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class SessionMemoriesView(WorkspaceView):
    """List what was written for a conversation, newest first; remember something for it alone."""

    action_types = MEMORIES
    asks = {"GET": PageQuery}
    reads = {"POST": MemoryInput}
    answers = {"GET": Page[MemoryResponse], "POST": {200: MemoryResponse, 201: MemoryResponse}}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        inside = access_session(self.caller, conversation)
        return self.page(
            MemoryResponse, lambda: session_memories(inside, MemoryFilter()), TimePages(LEARNED), caller=inside
        )

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        given = self.body(MemoryInput)
        source = resolve_source(self.caller, stated=Source(given.source) if given.source else None)
        kept = remember_in_session(caller=self.caller, conversation=conversation, new=given.new_memory(source))
        return self.answer(MemoryResponse.of(kept.memory), status=201 if kept.is_new else 200)


class SessionSearchView(WorkspaceView):
    """Search what was written for a conversation, by words and by meaning."""

    action_types = MEMORY_SEARCH
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": MemorySearchInput}
    answers = {"POST": MemorySearchResponse}

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        given = self.body(MemorySearchInput)
        found = search_memories(
            caller=access_session(self.caller, conversation),
            query=given.query,
            mode=given.mode,
            limit=given.limit,
            narrow=MemoryFilter(**given.filter_values()),
        )
        return self.answer(MemorySearchResponse.of(found))


class SessionMemoryView(WorkspaceView):
    """Forget what was written for a conversation."""

    action_types = MEMORIES
    answers = {"DELETE": MemoryResponse}

    def delete(self, request: Request, ws: str, conversation: str, session_memory_id: str) -> Response:
        self.body(NoBody)
        forgotten = forget_in_session(
            caller=self.caller, conversation=conversation, memory_id=path_id(session_memory_id)
        )
        return self.answer(MemoryResponse.of(forgotten))


class SessionPromotionView(WorkspaceView):
    """Lift what was written for a conversation out of it, as a fact of the conversation's space."""

    action_types = MEMORIES
    rights: ClassVar[dict[str, Right]] = {"POST": Right.FACTS}
    answers = {"POST": MemoryResponse}

    def post(self, request: Request, ws: str, conversation: str, session_memory_id: str) -> Response:
        self.body(NoBody)
        fact = promote_from_session(caller=self.caller, conversation=conversation, memory_id=path_id(session_memory_id))
        return self.answer(MemoryResponse.of(fact))
