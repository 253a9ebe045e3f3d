"""REST of conversations and what was said in them."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import urlencode

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.messages import selectors
from conversations.messages.schemas import (
    BulkInput,
    ConversationResponse,
    LastQuery,
    MessageInput,
    MessageResponse,
    MessagesResponse,
)
from conversations.messages.services.message_log import append_messages
from conversations.models import Message
from core.http.pagination import PageQuery
from core.http.schemas import Page
from core.http.time_pages import TimePages
from workspaces.http.rest import WorkspaceView


class ConversationsView(WorkspaceView):
    """List the workspace's conversations, the last used first."""

    asks = {"GET": PageQuery}
    answers = {"GET": Page[ConversationResponse]}

    def get(self, request: Request, ws: str) -> Response:
        return self.page(
            ConversationResponse, lambda: selectors.conversations_by_use(self.caller), TimePages("used_at")
        )


class MessagesView(WorkspaceView):
    """Read the last messages of a conversation, oldest first; append one, or many at once."""

    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    asks = {"GET": LastQuery}
    reads = {"POST": (MessageInput, BulkInput)}
    answers = {"GET": Page[MessageResponse], "POST": {201: MessageResponse | MessagesResponse}}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        asked = self.query(LastQuery)
        found = selectors.access_conversation(self.caller, conversation)
        messages = selectors.last_messages(self.caller, found, last=asked.last, before=asked.before)
        # Where a page is full, there may be more before it.
        older = _older(request, messages[0], asked.last) if len(messages) == asked.last else None
        return self.answer(
            Page[MessageResponse](results=[MessageResponse.of(one) for one in messages], next=older, previous=None)
        )

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        is_bulk = isinstance(request.data, dict) and "messages" in request.data
        given = self.body(BulkInput).messages if is_bulk else [self.body(MessageInput)]
        messages = [one.new_message() for one in given]
        stored = append_messages(caller=self.caller, conversation=conversation, messages=messages)
        answers = [MessageResponse.of(message) for message in stored]
        return self.answer(MessagesResponse(messages=answers) if is_bulk else answers[0], status=201)


def _older(request: Request, oldest: Message, last: int) -> str:
    return request.build_absolute_uri(f"{request.path}?{urlencode({'last': last, 'before': oldest.id})}")
