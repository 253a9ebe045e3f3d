"""REST of the chat turn, whole or as a stream of server-sent events."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import ClassVar

from django.http import HttpResponseBase, JsonResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from chat.event_stream import failed_json, render_sse
from chat.schemas import ChatInput, TurnResponse
from chat.services.turns import Answered, Failed, take_turn
from conversations.messages.conversation_keys import check_key
from core.http.event_streams import EVENT_STREAM, EventStreamRenderer, stream_response
from core.http.problems import CONTENT_TYPE
from workspaces.http.rest import WorkspaceView


class ChatView(WorkspaceView):
    """Answer a message with what the workspace remembers."""

    action_types = None  # a turn tells of itself
    asks_model = True
    waits = True
    renderer_classes = (JSONRenderer, EventStreamRenderer)
    reads = {"POST": ChatInput}
    answers = {"POST": TurnResponse}
    streams: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": (EVENT_STREAM,)}

    def post(self, request: Request, ws: str) -> HttpResponseBase:
        given = self.body(ChatInput)
        check_key(given.conversation)
        events = take_turn(
            caller=self.caller,
            conversation=given.conversation,
            message=given.message,
            token_budget=given.token_budget,
            user=self.named.user or "",
        )
        # The first event comes before the answer's status, so that whatever refuses the message is an ordinary error.
        events = chain([next(events)], events)
        if given.stream or request.accepted_media_type == EVENT_STREAM:
            return stream_response(render_sse(events))
        outcome = [event for event in events if isinstance(event, Answered | Failed)][-1]
        if isinstance(outcome, Failed):
            return JsonResponse(failed_json(outcome), status=outcome.error.status, content_type=CONTENT_TYPE)
        return self.answer(TurnResponse.of(outcome))
