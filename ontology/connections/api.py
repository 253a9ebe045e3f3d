"""REST of what lies between nodes: neighbours, impact, paths; and of the connections that bring them in."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import CursorPages, PageInput
from ontology.connections import services
from ontology.connections.schemas import ConnectionInput
from ontology.connections.selectors import access_connection, workspace_connections
from ontology.connections.serializers import connection_json
from ontology.nodes_and_edges.schemas import NothingInput
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView

ACCEPTED = 202


class ConnectionsView(WorkspaceView):
    """List the workspace's connections, newest first; make one."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(workspace_connections(self.caller), request, self)
        return pages.get_paginated_response([connection_json(connection) for connection in page or []])

    def post(self, request: Request, ws: str) -> Response:
        made = services.add_connection(caller=self.caller, **self.body(ConnectionInput))
        return Response(connection_json(made), status=201)


class ConnectionView(WorkspaceView):
    """Read a connection; delete it with all that came through it (202 while the worker goes on with a large one)."""

    rights: ClassVar[dict[str, Right]] = {"DELETE": Right.ADMIN}

    def get(self, request: Request, ws: str, connection_id: str) -> Response:
        return Response(connection_json(access_connection(self.caller, path_id(connection_id))))

    def delete(self, request: Request, ws: str, connection_id: str) -> Response:
        self.body(NothingInput)
        deleted = services.delete_connection(caller=self.caller, connection_id=path_id(connection_id))
        return Response(connection_json(deleted), status=200 if deleted.removed_at else ACCEPTED)
