"""REST of nodes, edges and types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from core.bulk import LineResult
from core.http.fields import path_id
from core.http.pagination import CursorPages, PageInput, paginate
from ontology.models import Entity
from ontology.nodes_and_edges.schemas import (
    EdgeEditInput,
    EdgeInput,
    EdgeListInput,
    NodeEditInput,
    NodeInput,
    NodeListInput,
    NothingInput,
    TypeEditInput,
    TypeInput,
)
from ontology.nodes_and_edges.selectors import (
    EdgeFilter,
    NodeFilter,
    access_edge,
    access_node,
    edges_matching,
    nodes_matching,
    object_changes,
    type_catalogue,
)
from ontology.nodes_and_edges.serializers import change_json, edge_json, node_json, type_json
from ontology.nodes_and_edges.services import bulk, edges, node_editor, types
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.http.bulk import LinesView
from workspaces.http.rest import WorkspaceView


class NodesView(WorkspaceView):
    """List the workspace's nodes, newest first; create one."""

    asks = {"GET": NodeListInput}

    def get(self, request: Request, ws: str) -> Response:
        narrow = NodeFilter(**self.asked)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(nodes_matching(self.caller, narrow), request, self)
        return pages.get_paginated_response([node_json(node) for node in page or []])

    def post(self, request: Request, ws: str) -> Response:
        draft = _node_draft(self.caller, self.body(NodeInput))
        return Response(node_json(node_editor.add_node(caller=self.caller, draft=draft)), status=201)


class NodeView(WorkspaceView):
    """Read, edit or delete one node; a deleted one can still be read, with `is_deleted`."""

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        return Response(node_json(access_node(self.caller, path_id(node_id), with_deleted=True)))

    def patch(self, request: Request, ws: str, node_id: str) -> Response:
        changes = self.body(NodeEditInput)
        return Response(node_json(node_editor.edit_node(caller=self.caller, node_id=path_id(node_id), changes=changes)))

    def delete(self, request: Request, ws: str, node_id: str) -> Response:
        self.body(NothingInput)
        return Response(node_json(node_editor.delete_node(caller=self.caller, node_id=path_id(node_id))))


class NodeRestoreView(WorkspaceView):
    """Bring a deleted node back, and its edges with it."""

    def post(self, request: Request, ws: str, node_id: str) -> Response:
        self.body(NothingInput)
        return Response(node_json(node_editor.restore_node(caller=self.caller, node_id=path_id(node_id))))


class NodeHistoryView(WorkspaceView):
    """What happened to a node after it was made, newest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        node = access_node(self.caller, path_id(node_id), with_deleted=True)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(object_changes(self.caller, node.id), request, self)
        return pages.get_paginated_response([change_json(change) for change in page or []])


class BulkNodesView(LinesView):
    """Create thousands of nodes from JSON Lines, each line with its own result."""

    reader = NodeInput

    def keep(self, given: Sequence[dict[str, Any]]) -> list[LineResult]:
        return bulk.add_nodes(caller=self.caller, drafts=[_node_draft(self.caller, one) for one in given])


class BulkEdgesView(LinesView):
    """Create thousands of edges from JSON Lines, each line with its own result."""

    reader = EdgeInput

    def keep(self, given: Sequence[dict[str, Any]]) -> list[LineResult]:
        return bulk.add_edges(caller=self.caller, drafts=[_new_edge(self.caller, one) for one in given])


class EdgesView(WorkspaceView):
    """List the workspace's edges, newest first; connect two nodes."""

    asks = {"GET": EdgeListInput}

    def get(self, request: Request, ws: str) -> Response:
        narrow = EdgeFilter(**self.asked)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(edges_matching(self.caller, narrow), request, self)
        return pages.get_paginated_response([edge_json(edge) for edge in page or []])

    def post(self, request: Request, ws: str) -> Response:
        new = _new_edge(self.caller, self.body(EdgeInput))
        edge, is_new = edges.add_edge(caller=self.caller, new=new)
        return Response(edge_json(edge), status=201 if is_new else 200)


class EdgeView(WorkspaceView):
    """Read, edit or delete one edge; a deleted one can still be read, with `is_deleted`."""

    def get(self, request: Request, ws: str, edge_id: str) -> Response:
        return Response(edge_json(access_edge(self.caller, path_id(edge_id), with_deleted=True)))

    def patch(self, request: Request, ws: str, edge_id: str) -> Response:
        changes = self.body(EdgeEditInput)
        return Response(edge_json(edges.edit_edge(caller=self.caller, edge_id=path_id(edge_id), changes=changes)))

    def delete(self, request: Request, ws: str, edge_id: str) -> Response:
        self.body(NothingInput)
        return Response(edge_json(edges.delete_edge(caller=self.caller, edge_id=path_id(edge_id))))


class EdgeRestoreView(WorkspaceView):
    """Bring a deleted edge back."""

    def post(self, request: Request, ws: str, edge_id: str) -> Response:
        self.body(NothingInput)
        return Response(edge_json(edges.restore_edge(caller=self.caller, edge_id=path_id(edge_id))))


class TypesView(WorkspaceView):
    """The catalogue of types with counts, which fills itself; enter one beforehand."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        found = paginate(
            request,
            type_catalogue(self.caller),
            key=lambda counted: (counted.entity != Entity.NODE, counted.entry.name, str(counted.entry.id)),
        )
        return Response({**found, "results": [type_json(counted) for counted in found["results"]]})

    def post(self, request: Request, ws: str) -> Response:
        return Response(type_json(types.add_type(caller=self.caller, **self.body(TypeInput))), status=201)


class TypeView(WorkspaceView):
    """Describe a type; take one that nothing has out of the catalogue."""

    def patch(self, request: Request, ws: str, type_id: str) -> Response:
        changes = self.body(TypeEditInput)
        return Response(type_json(types.edit_type(caller=self.caller, type_id=path_id(type_id), changes=changes)))

    def delete(self, request: Request, ws: str, type_id: str) -> Response:
        self.body(NothingInput)
        return Response(type_json(types.delete_type(caller=self.caller, type_id=path_id(type_id))))


class TypeRestoreView(WorkspaceView):
    """Put a type back into the catalogue."""

    def post(self, request: Request, ws: str, type_id: str) -> Response:
        self.body(NothingInput)
        return Response(type_json(types.restore_type(caller=self.caller, type_id=path_id(type_id))))


def _node_draft(caller: Caller, given: dict[str, Any]) -> node_editor.NodeDraft:
    return node_editor.NodeDraft(
        type=given["type"],
        name=given["name"],
        properties=given.get("properties", {}),
        connection_id=given.get("connection"),
        provenance=_provenance(caller),
    )


def _new_edge(caller: Caller, given: dict[str, Any]) -> edges.NewEdge:
    return edges.NewEdge(
        type=given["type"],
        source_id=given["source"],
        target_id=given["target"],
        properties=given.get("properties", {}),
        connection_id=given.get("connection"),
        provenance=_provenance(caller),
    )


def _provenance(caller: Caller) -> dict[str, Any]:
    return {"source": "user" if caller.is_person else "agent", "by": caller.label}
