"""REST of assembled context and its receipts."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.messages.selectors import access_conversation
from core.http.fields import (
    path_id,
)
from memory.recall.layers.base import ContextRequest
from memory.recall.schemas import ContextInput, WindowInput
from memory.recall.selectors import access_receipt
from memory.recall.serializers import context_json, receipt_json, window_json
from memory.recall.services.context import assemble_context
from memory.recall.services.conversation_window import conversation_window
from memory.recall.services.pattern_warnings import warn_about_nodes
from telemetry.patterns.schemas import InjectionInput
from telemetry.patterns.serializers import injected_json
from telemetry.patterns.services.injection import DICE
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class ContextView(WorkspaceView):
    """What an agent should know before it acts, within a token budget."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(ContextInput)
        wanted = ContextRequest(
            query=given["query"],
            conversation=given.get("conversation", ""),
            node_ids=given.get("node_ids", ()),
            token_budget=given.get("token_budget"),
            draw=DICE.random(),
            user=given.get("user", ""),
        )
        return Response(context_json(assemble_context(caller=self.caller, wanted=wanted)))


class ReceiptView(WorkspaceView):
    """Why a context held what it held."""

    def get(self, request: Request, ws: str, receipt_id: str) -> Response:
        return Response(receipt_json(access_receipt(self.caller, path_id(receipt_id))))


class InjectionView(WorkspaceView):
    """What tends to go wrong with these nodes, before an agent touches them; held out one time in ten."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(InjectionInput)
        return Response(injected_json(warn_about_nodes(caller=self.caller, draw=DICE.random(), **given)))


class WindowView(WorkspaceView):
    """What an agent is given of a conversation: the newest episodes and the last messages, oldest first."""

    asks = {"GET": WindowInput}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        found = access_conversation(self.caller, conversation)
        return Response(window_json(conversation_window(caller=self.caller, conversation=found, **self.asked)))
