"""REST of what agents did to a node."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.graph import graph
from core.http.fields import path_id
from core.http.pages import PageInput, limit_of, one_page
from ontology.services.twins import agent_history
from telemetry.presenting import action_json
from workspaces.http import WorkspaceView


class NodeActionsView(WorkspaceView):
    """What agents did to a node, the latest first: one edge in the graph. `limit` is 1 to 200 (50)."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        limit = limit_of(request)
        found = agent_history(caller=self.caller, node_id=path_id(node_id), graph=graph(), limit=limit)
        return Response(one_page([action_json(action) for action in found]))
