"""REST of what lies between nodes: neighbours, impact, paths; and of the connections that bring them in."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pages import CursorPages, PageInput
from ontology import inputs, selectors
from ontology.presenting import connection_json, impact_json, neighbourhood_json, path_json
from ontology.services import connections, traversal
from ontology.walking import Direction
from workspaces.callers import Right
from workspaces.http import WorkspaceView
from workspaces.scope import workspace_scope

ACCEPTED = 202


class NeighboursView(WorkspaceView):
    """What lies within `depth` edges of a node (1), at most `limit` nodes (200), and the edges among them."""

    asks = {"GET": inputs.NeighboursInput}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        asked: dict[str, Any] = {"depth": 1, "direction": "both", "limit": 200, **self.asked}
        return Response(neighbourhood_json(_neighbours(self, node_id, asked)))


class ImpactView(WorkspaceView):
    """What leads to a node by directed edges (`direction=out`: what it leads to), within `depth` edges (3)."""

    asks = {"GET": inputs.NeighboursInput}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        asked: dict[str, Any] = {"depth": 3, "direction": "in", "limit": 1_000, **self.asked}
        return Response(impact_json(_neighbours(self, node_id, asked)))


class PathView(WorkspaceView):
    """A shortest path between two nodes of at most `max_depth` edges (4), whichever way these point."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.PathInput)
        found = traversal.find_path(
            caller=self.caller, start_id=given["from"], end_id=given["to"], max_depth=given.get("max_depth", 4)
        )
        return Response(path_json(found))


class ConnectionsView(WorkspaceView):
    """List the workspace's connections, newest first; make one."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.connections_of(self.caller), request, self)
        return pages.get_paginated_response([connection_json(connection) for connection in page or []])

    def post(self, request: Request, ws: str) -> Response:
        made = connections.add_connection(caller=self.caller, **self.body(inputs.ConnectionInput))
        return Response(connection_json(made), status=201)


class ConnectionView(WorkspaceView):
    """Read a connection; delete it with all that came through it (202 while the worker goes on with a large one)."""

    rights: ClassVar[dict[str, Right]] = {"DELETE": Right.ADMIN}

    def get(self, request: Request, ws: str, connection_id: str) -> Response:
        return Response(connection_json(selectors.access_connection(self.caller, path_id(connection_id))))

    def delete(self, request: Request, ws: str, connection_id: str) -> Response:
        self.body(inputs.NothingInput)
        deleted = connections.delete_connection(caller=self.caller, connection_id=path_id(connection_id))
        return Response(connection_json(deleted), status=200 if deleted.removed_at else ACCEPTED)


def _neighbours(view: WorkspaceView, node_id: str, asked: dict[str, Any]) -> traversal.Neighbourhood:
    return traversal.neighbours(
        caller=view.caller,
        node_id=path_id(node_id),
        depth=asked["depth"],
        direction=Direction(asked["direction"]),
        limit=asked["limit"],
    )
