"""REST of assembled context and its receipts."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.clock import moment
from core.http.fields import StrictSerializer, TextField, WholeNumberField, path_id
from memory.budget import OVER_BUDGET
from memory.inputs import MOST_QUERY_CHARACTERS
from memory.models import ContextReceipt
from memory.selectors import access_receipt
from memory.services.recall import Context, ContextRequest, assemble_context
from workspaces.callers import Right
from workspaces.http import WorkspaceView
from workspaces.switches import LIMITS

MOST_NAMED_NODES = 100


class ContextInput(StrictSerializer):
    """The body of `POST context`."""

    query = TextField(max_length=MOST_QUERY_CHARACTERS)
    conversation = TextField(max_length=200, required=False)
    node_ids = serializers.ListField(child=serializers.UUIDField(), max_length=MOST_NAMED_NODES, required=False)
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
        )
        return Response(context_json(assemble_context(caller=self.caller, wanted=wanted)))


class ReceiptView(WorkspaceView):
    """Why a context held what it held."""

    def get(self, request: Request, ws: str, receipt_id: str) -> Response:
        return Response(receipt_json(access_receipt(self.caller, path_id(receipt_id))))


def context_json(context: Context) -> dict[str, Any]:
    assembled = context.assembled
    return {
        "text": assembled.text,
        "blocks": [
            {
                "name": block.name,
                "text": block.text,
                "tokens": block.tokens,
                "items": [
                    {"id": item.id, "reason": item.reason, "score": round(item.score, 6)} for item in block.items
                ],
            }
            for block in assembled.blocks
        ],
        "tokens_used": assembled.tokens_used,
        "token_budget": context.token_budget,
        "dropped": [{"id": item.id, "reason": OVER_BUDGET} for item in assembled.dropped],
        "left_out": list(context.left_out),
        "facts_over_budget": assembled.is_over_budget,
        "receipt_id": str(context.receipt_id),
    }


def receipt_json(receipt: ContextReceipt) -> dict[str, Any]:
    return {
        "id": str(receipt.id),
        "conversation": receipt.conversation or None,
        "query_sha256": receipt.query_sha256,
        "method": receipt.method or None,
        "token_budget": receipt.token_budget,
        "tokens_used": receipt.tokens_used,
        "facts_over_budget": receipt.is_over_budget,
        "chosen": receipt.chosen,
        "dropped": receipt.dropped,
        "left_out": receipt.left_out,
        "latency_ms": receipt.latency_ms,
        "created_at": moment(receipt.created_at),
    }
