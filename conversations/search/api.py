"""REST of finding again what was said."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.search.schemas import MessageSearchInput, MessageSearchResponse, RecallInput, RecallResponse
from conversations.search.services.message_search import search_messages
from conversations.search.services.passages import recall_messages
from core.action_types import SEARCH
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class MessageSearchView(WorkspaceView):
    """Search what was said, in one conversation or in all of the workspace."""

    action_types = SEARCH
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": MessageSearchInput}
    answers = {"POST": MessageSearchResponse}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MessageSearchInput)
        found = search_messages(
            caller=self.caller, query=given.query, limit=given.limit, conversation=given.conversation
        )
        return self.answer(MessageSearchResponse.of(found))


class RecallView(WorkspaceView):
    """The messages of a conversation that are nearest to a query, each with what was said around it."""

    action_types = SEARCH
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": RecallInput}
    answers = {"POST": RecallResponse}

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        given = self.body(RecallInput)
        recalled = recall_messages(caller=self.caller, conversation=conversation, query=given.query, top_k=given.top_k)
        return self.answer(RecallResponse.of(recalled))
