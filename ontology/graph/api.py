"""REST of what lies between nodes: neighbours, impact, paths; and of the connections that bring them in."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import PageInput, one_page, read_limit
from core.stores.graph import graph
from ontology.graph.schemas import NeighboursInput, PathInput
from ontology.graph.serializers import impact_json, neighbourhood_json, path_json
from ontology.graph.services import traversal
from ontology.graph.services.telemetry_projection import agent_history
from ontology.graph.traversal_bfs import Direction
from telemetry.actions.schemas import ActionResponse
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class NeighboursView(WorkspaceView):
    """What lies within `depth` edges of a node (1), at most `limit` nodes (200), and the edges among them."""

    asks = {"GET": NeighboursInput}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        asked: dict[str, Any] = {"depth": 1, "direction": "both", "limit": 200, **self.asked}
        return Response(neighbourhood_json(_neighbours(self, node_id, asked)))


class ImpactView(WorkspaceView):
    """What leads to a node by directed edges (`direction=out`: what it leads to), within `depth` edges (3)."""

    asks = {"GET": NeighboursInput}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        asked: dict[str, Any] = {"depth": 3, "direction": "in", "limit": 1_000, **self.asked}
        return Response(impact_json(_neighbours(self, node_id, asked)))


class PathView(WorkspaceView):
    """A shortest path between two nodes of at most `max_depth` edges (4), whichever way these point."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(PathInput)
        found = traversal.find_path(
            caller=self.caller, start_id=given["from"], end_id=given["to"], max_depth=given.get("max_depth", 4)
        )
        return Response(path_json(found))


def _neighbours(view: WorkspaceView, node_id: str, asked: dict[str, Any]) -> traversal.Neighbourhood:
    return traversal.neighbours(
        caller=view.caller,
        node_id=path_id(node_id),
        depth=asked["depth"],
        direction=Direction(asked["direction"]),
        limit=asked["limit"],
    )


class NodeActionsView(WorkspaceView):
    """What agents did to a node, the latest first: one edge in the graph. `limit` is 1 to 200 (50)."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        limit = read_limit(request)
        found = agent_history(caller=self.caller, node_id=path_id(node_id), graph=graph(), limit=limit)
        return Response(one_page([ActionResponse.of(action).as_json() for action in found]))
