"""REST of conversations, what was said in them, and finding it again."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.search.schemas import MessageSearchInput, RecallInput
from conversations.search.serializers import found_json, recalled_json
from conversations.search.services.message_search import search_messages
from conversations.search.services.passages import recall_messages
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class MessageSearchView(WorkspaceView):
    """Search what was said, in one conversation or in all of the workspace."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        return Response(found_json(search_messages(caller=self.caller, **self.body(MessageSearchInput))))


class RecallView(WorkspaceView):
    """The messages of a conversation that are nearest to a query, each with what was said around it."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        given = self.body(RecallInput)
        return Response(recalled_json(recall_messages(caller=self.caller, conversation=conversation, **given)))
