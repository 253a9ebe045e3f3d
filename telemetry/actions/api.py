"""REST of telemetry: what agents did, what keeps going wrong, and how well it goes."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.pagination import CursorPages
from telemetry.actions.schemas import ActionsInput, ActionsQuery
from telemetry.actions.selectors import workspace_actions
from telemetry.actions.serializers import action_json
from telemetry.actions.services.action_log import NewAction, record_actions
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView


class ActionsView(WorkspaceView):
    """List what agents did, newest first; report up to 1,000 actions at once. While memory is off none is kept."""

    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    asks = {"GET": ActionsQuery}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(workspace_actions(self.caller, self.asked), request, self)
        return pages.get_paginated_response([action_json(action) for action in page or []])

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(ActionsInput)["actions"]
        ids = record_actions(caller=self.caller, actions=[NewAction(**action) for action in given])
        return Response({"captured": len(ids), "ids": [str(identity) for identity in ids]}, status=201 if ids else 200)
