"""REST of actions: report them, and list them."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.schemas import Page
from telemetry.actions.schemas import ActionResponse, ActionsInput, ActionsQuery, CapturedResponse
from telemetry.actions.selectors import workspace_actions
from telemetry.actions.services.action_log import record_actions
from telemetry.live.services.calls import publish_actions
from workspaces.http.rest import WorkspaceView


class ActionsView(WorkspaceView):
    """List what agents did, newest first; report up to 1,000 actions at once. While memory is off none is kept."""

    action_types = None
    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    asks = {"GET": ActionsQuery}
    reads = {"POST": ActionsInput}
    answers = {"GET": Page[ActionResponse], "POST": {200: CapturedResponse, 201: CapturedResponse}}

    def get(self, request: Request, ws: str) -> Response:
        narrow = self.query(ActionsQuery).filter_values()
        return self.page(ActionResponse, lambda: workspace_actions(self.caller, narrow))

    def post(self, request: Request, ws: str) -> Response:
        actions = [one.action() for one in self.body(ActionsInput).actions]
        ids = record_actions(caller=self.caller, actions=actions)
        if ids:
            publish_actions(self.caller, actions)
        captured = CapturedResponse(captured=len(ids), ids=[str(identity) for identity in ids])
        return self.answer(captured, status=201 if ids else 200)
