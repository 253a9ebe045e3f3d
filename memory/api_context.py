"""REST of assembled context and its receipts."""

from __future__ import annotations

from typing import ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import (
    IdField,
    StrictSerializer,
    TextField,
    WholeNumberField,
    path_id,
)
from memory.inputs import MOST_QUERY_CHARACTERS
from memory.presenting import context_json, receipt_json
from memory.selectors import access_receipt
from memory.services.recall import ContextRequest, assemble_context
from telemetry.services.injecting import DICE
from workspaces.callers import Right
from workspaces.http import WorkspaceView
from workspaces.switches import LIMITS

MOST_NAMED_NODES = 100


class ContextInput(StrictSerializer):
    """The body of `POST context`."""

    query = TextField(max_length=MOST_QUERY_CHARACTERS)
    conversation = TextField(max_length=200, required=False)
    node_ids = serializers.ListField(child=IdField(), max_length=MOST_NAMED_NODES, required=False)
    user = TextField(max_length=200, required=False)
    token_budget = WholeNumberField(min_value=1, max_value=LIMITS["token_budget"][1], required=False)


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
