"""REST of conversations, what was said in them, and finding it again."""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import urlencode

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.messages import selectors
from conversations.messages.schemas import BulkInput, LastInput, MessageInput
from conversations.messages.serializers import conversation_json, message_json
from conversations.messages.services.append import NewMessage, append_messages
from conversations.models import Message, MessageRole
from core.http.pagination import CursorPages, PageInput
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView


class ConversationsView(WorkspaceView):
    """List the workspace's conversations, newest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.workspace_conversations(self.caller), request, self)
        return pages.get_paginated_response([conversation_json(conversation) for conversation in page or []])


class MessagesView(WorkspaceView):
    """Read the last messages of a conversation, oldest first; append one, or many at once."""

    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    asks = {"GET": LastInput}

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
        given = self.body(BulkInput)["messages"] if is_bulk else [self.body(MessageInput)]
        stored = append_messages(
            caller=self.caller, conversation=conversation, messages=[_new_message(one) for one in given]
        )
        answers = [message_json(message) for message in stored]
        return Response({"messages": answers} if is_bulk else answers[0], status=201)


def _new_message(given: dict[str, Any]) -> NewMessage:
    return NewMessage(**{**given, "role": MessageRole(given["role"])})


def _older(request: Request, oldest: Message, last: int) -> str:
    return request.build_absolute_uri(f"{request.path}?{urlencode({'last': last, 'before': oldest.id})}")
