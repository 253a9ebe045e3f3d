"""REST of conversations, what was said in them, and finding it again."""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import urlencode

from rest_framework.request import Request
from rest_framework.response import Response

from conversations import inputs, selectors
from conversations.models import Message, MessageRole
from conversations.presenting import conversation_json, found_json, message_json, recalled_json
from conversations.services.appending import NewMessage, append_messages
from conversations.services.recalling import recall_messages
from conversations.services.searching import search_messages
from core.http.pages import CursorPages, PageInput
from workspaces.callers import Right
from workspaces.http import WorkspaceView
from workspaces.scope import workspace_scope


class ConversationsView(WorkspaceView):
    """List the workspace's conversations, newest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.conversations_of(self.caller), request, self)
        return pages.get_paginated_response([conversation_json(conversation) for conversation in page or []])


class MessagesView(WorkspaceView):
    """Read the last messages of a conversation, oldest first; append one, or many at once."""

    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    asks = {"GET": inputs.LastInput}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        found = selectors.access_conversation(self.caller, conversation)
        messages, last = selectors.last_messages(self.caller, found, **self.asked), self.asked["last"]
        return Response(
            {
                "results": [message_json(message) for message in messages],
                # Where a page is full, there may be more before it.
                "next": _older(request, messages[0], last) if len(messages) == last else None,
                "previous": None,
            }
        )

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        is_bulk = isinstance(request.data, dict) and "messages" in request.data
        given = self.body(inputs.BulkInput)["messages"] if is_bulk else [self.body(inputs.MessageInput)]
        stored = append_messages(
            caller=self.caller, conversation=conversation, messages=[_new_message(one) for one in given]
        )
        answers = [message_json(message) for message in stored]
        return Response({"messages": answers} if is_bulk else answers[0], status=201)


class SearchView(WorkspaceView):
    """Search what was said, in one conversation or in all of the workspace."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        return Response(found_json(search_messages(caller=self.caller, **self.body(inputs.SearchInput))))


class RecallView(WorkspaceView):
    """The messages of a conversation that are nearest to a query, each with what was said around it."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        given = self.body(inputs.RecallInput)
        return Response(recalled_json(recall_messages(caller=self.caller, conversation=conversation, **given)))


def _new_message(given: dict[str, Any]) -> NewMessage:
    return NewMessage(**{**given, "role": MessageRole(given["role"])})


def _older(request: Request, oldest: Message, last: int) -> str:
    return request.build_absolute_uri(f"{request.path}?{urlencode({'last': last, 'before': oldest.id})}")
