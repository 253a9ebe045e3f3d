"""REST of the connections that nodes and edges come through."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import INGESTION
from core.http.pagination import PageQuery
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from ontology.connections import services
from ontology.connections.schemas import ConnectionInput, ConnectionResponse
from ontology.connections.selectors import access_connection, workspace_connections
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView

ACCEPTED = 202


class ConnectionsView(WorkspaceView):
    """List the workspace's connections, newest first; make one."""

    action_types = INGESTION
    asks = {"GET": PageQuery}
    reads = {"POST": ConnectionInput}
    answers = {"GET": Page[ConnectionResponse], "POST": {201: ConnectionResponse}}

    def get(self, request: Request, ws: str) -> Response:
        return self.page(ConnectionResponse, lambda: workspace_connections(self.caller))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(ConnectionInput)
        made = services.add_connection(caller=self.caller, name=given.name, kind=given.kind)
        return self.answer(ConnectionResponse.of(made), status=201)


class ConnectionView(WorkspaceView):
    """Read a connection; delete it with all that came through it (202 while the worker goes on with a large one)."""

    action_types = INGESTION
    rights: ClassVar[dict[str, Right]] = {"DELETE": Right.ADMIN}
    answers = {"GET": ConnectionResponse, "DELETE": {200: ConnectionResponse, ACCEPTED: ConnectionResponse}}

    def get(self, request: Request, ws: str, connection_id: str) -> Response:
        return self.answer(ConnectionResponse.of(access_connection(self.caller, path_id(connection_id))))

    def delete(self, request: Request, ws: str, connection_id: str) -> Response:
        self.body(NoBody)
        deleted = services.delete_connection(caller=self.caller, connection_id=path_id(connection_id))
        return self.answer(ConnectionResponse.of(deleted), status=200 if deleted.removed_at else ACCEPTED)
