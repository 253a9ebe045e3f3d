"""REST of what lies between nodes: neighbours, impact, paths, and what agents did to a node."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import NODES, TRAVERSAL
from core.http.pagination import PageQuery, one_page
from core.http.schemas import Page
from core.http.url_parameters import path_id
from ontology.graph.schemas import (
    ImpactQuery,
    ImpactResponse,
    NeighbourhoodResponse,
    NeighboursQuery,
    PathInput,
    PathResponse,
)
from ontology.graph.services import traversal
from ontology.graph.services.node_actions import agent_history
from ontology.graph.traversal_bfs import Direction
from ontology.nodes_and_edges.node_path import NodePathView
from telemetry.actions.schemas import ActionResponse
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class NeighboursView(NodePathView):
    """What lies within `depth` edges of a node (1), at most `limit` nodes (200), and the edges among them."""

    action_types = TRAVERSAL
    asks = {"GET": NeighboursQuery}
    answers = {"GET": NeighbourhoodResponse}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        found = _neighbours(self, node_id, self.query(NeighboursQuery))
        return self.answer(NeighbourhoodResponse.of(found))


class ImpactView(NodePathView):
    """What leads to a node by directed edges (`direction=out`: what it leads to), within `depth` edges (3)."""

    action_types = NODES
    asks = {"GET": ImpactQuery}
    answers = {"GET": ImpactResponse}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        return self.answer(ImpactResponse.of(_neighbours(self, node_id, self.query(ImpactQuery))))


class PathView(WorkspaceView):
    """A shortest path between two nodes of at most `max_depth` edges (4), whichever way these point."""

    action_types = TRAVERSAL
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": PathInput}
    answers = {"POST": PathResponse}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(PathInput)
        found = traversal.find_path(
            caller=self.caller, start_id=given.from_, end_id=given.to, max_depth=given.max_depth
        )
        return self.answer(PathResponse.of(found))


def _neighbours(view: WorkspaceView, node_id: str, asked: NeighboursQuery) -> traversal.Neighbourhood:
    return traversal.neighbours(
        caller=view.caller,
        node_id=path_id(node_id),
        depth=asked.depth,
        direction=Direction(asked.direction),
        limit=asked.limit,
    )


class NodeActionsView(NodePathView):
    """What agents did to a node, the latest first: one edge in the graph. `limit` is 1 to 200 (50)."""

    action_types = NODES
    asks = {"GET": PageQuery}
    answers = {"GET": Page[ActionResponse]}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        limit = self.query(PageQuery).limit
        found = agent_history(caller=self.caller, node_id=path_id(node_id), limit=limit)
        return Response(one_page([ActionResponse.of(action).as_json() for action in found]))
