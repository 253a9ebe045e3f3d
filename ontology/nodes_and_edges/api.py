"""REST of nodes, edges and types."""

from __future__ import annotations

from collections.abc import Sequence

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import CATALOGUE, EDGES, NODES
from core.bulk import LineResult
from core.http.pagination import PageQuery, paginate
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from ontology.models import Entity
from ontology.nodes_and_edges.node_path import NodePathView
from ontology.nodes_and_edges.provenance import describe_author
from ontology.nodes_and_edges.schemas import (
    ChangeResponse,
    EdgeEditInput,
    EdgeInput,
    EdgeLine,
    EdgeResponse,
    EdgesQuery,
    NodeEditInput,
    NodeInput,
    NodeLine,
    NodeResponse,
    NodesQuery,
    TypeEditInput,
    TypeInput,
    TypeResponse,
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
from ontology.nodes_and_edges.services import bulk, edges, node_editor, type_editor
from workspaces.access.callers import Caller
from workspaces.http.bulk import LineResultsResponse, LinesView
from workspaces.http.rest import WorkspaceView


class NodesView(WorkspaceView):
    """List the workspace's nodes, newest first; create one."""

    action_types = NODES
    asks = {"GET": NodesQuery}
    reads = {"POST": NodeInput}
    answers = {"GET": Page[NodeResponse], "POST": {201: NodeResponse}}

    def get(self, request: Request, ws: str) -> Response:
        narrow = NodeFilter(**self.query(NodesQuery).filter_values())
        return self.page(NodeResponse, lambda: nodes_matching(self.caller, narrow))

    def post(self, request: Request, ws: str) -> Response:
        draft = _node_draft(self.caller, self.body(NodeInput))
        return self.answer(NodeResponse.of(node_editor.add_node(caller=self.caller, draft=draft)), status=201)


class NodeView(NodePathView):
    """Read, edit or delete one node; a deleted one can still be read, with `is_deleted`."""

    action_types = NODES
    reads = {"PATCH": NodeEditInput}
    answers = {"GET": NodeResponse, "PATCH": NodeResponse, "DELETE": NodeResponse}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        return self.answer(NodeResponse.of(access_node(self.caller, path_id(node_id), with_deleted=True)))

    def patch(self, request: Request, ws: str, node_id: str) -> Response:
        changes = self.body(NodeEditInput).given()
        node = node_editor.edit_node(caller=self.caller, node_id=path_id(node_id), changes=changes)
        return self.answer(NodeResponse.of(node))

    def delete(self, request: Request, ws: str, node_id: str) -> Response:
        self.body(NoBody)
        return self.answer(NodeResponse.of(node_editor.delete_node(caller=self.caller, node_id=path_id(node_id))))


class NodeRestoreView(NodePathView):
    """Bring a deleted node back, and its edges with it."""

    action_types = NODES
    answers = {"POST": NodeResponse}

    def post(self, request: Request, ws: str, node_id: str) -> Response:
        self.body(NoBody)
        return self.answer(NodeResponse.of(node_editor.restore_node(caller=self.caller, node_id=path_id(node_id))))


class NodeHistoryView(NodePathView):
    """What happened to a node after it was made, newest first."""

    action_types = NODES
    asks = {"GET": PageQuery}
    answers = {"GET": Page[ChangeResponse]}

    def get(self, request: Request, ws: str, node_id: str) -> Response:
        node = access_node(self.caller, path_id(node_id), with_deleted=True)
        return self.page(ChangeResponse, lambda: object_changes(self.caller, node.id))


class BulkNodesView(LinesView):
    """Create thousands of nodes from JSON Lines, each line with its own result."""

    action_types = NODES
    reader = NodeLine
    reads = {"POST": NodeLine}
    reads_lines = ("POST",)
    answers = {"POST": LineResultsResponse}

    def keep(self, given: Sequence[NodeLine]) -> list[LineResult]:
        return bulk.add_nodes(caller=self.caller, drafts=[_node_draft(self.caller, one) for one in given])


class BulkEdgesView(LinesView):
    """Create thousands of edges from JSON Lines, each line with its own result."""

    action_types = EDGES
    reader = EdgeLine
    reads = {"POST": EdgeLine}
    reads_lines = ("POST",)
    answers = {"POST": LineResultsResponse}

    def keep(self, given: Sequence[EdgeLine]) -> list[LineResult]:
        return bulk.add_edges(caller=self.caller, drafts=[_new_edge(self.caller, one) for one in given])


class EdgesView(WorkspaceView):
    """List the workspace's edges, newest first; connect two nodes."""

    action_types = EDGES
    asks = {"GET": EdgesQuery}
    reads = {"POST": EdgeInput}
    answers = {"GET": Page[EdgeResponse], "POST": {200: EdgeResponse, 201: EdgeResponse}}

    def get(self, request: Request, ws: str) -> Response:
        narrow = EdgeFilter(**self.query(EdgesQuery).filter_values())
        return self.page(EdgeResponse, lambda: edges_matching(self.caller, narrow))

    def post(self, request: Request, ws: str) -> Response:
        new = _new_edge(self.caller, self.body(EdgeInput))
        edge, is_new = edges.add_edge(caller=self.caller, new=new)
        return self.answer(EdgeResponse.of(edge), status=201 if is_new else 200)


class EdgeView(WorkspaceView):
    """Read, edit or delete one edge; a deleted one can still be read, with `is_deleted`."""

    action_types = EDGES
    reads = {"PATCH": EdgeEditInput}
    answers = {"GET": EdgeResponse, "PATCH": EdgeResponse, "DELETE": EdgeResponse}

    def get(self, request: Request, ws: str, edge_id: str) -> Response:
        return self.answer(EdgeResponse.of(access_edge(self.caller, path_id(edge_id), with_deleted=True)))

    def patch(self, request: Request, ws: str, edge_id: str) -> Response:
        changes = self.body(EdgeEditInput).given()
        edge = edges.edit_edge(caller=self.caller, edge_id=path_id(edge_id), changes=changes)
        return self.answer(EdgeResponse.of(edge))

    def delete(self, request: Request, ws: str, edge_id: str) -> Response:
        self.body(NoBody)
        return self.answer(EdgeResponse.of(edges.delete_edge(caller=self.caller, edge_id=path_id(edge_id))))


class EdgeRestoreView(WorkspaceView):
    """Bring a deleted edge back."""

    action_types = EDGES
    answers = {"POST": EdgeResponse}

    def post(self, request: Request, ws: str, edge_id: str) -> Response:
        self.body(NoBody)
        return self.answer(EdgeResponse.of(edges.restore_edge(caller=self.caller, edge_id=path_id(edge_id))))


class TypesView(WorkspaceView):
    """The catalogue of types with counts, which fills itself; enter one beforehand."""

    action_types = CATALOGUE
    asks = {"GET": PageQuery}
    reads = {"POST": TypeInput}
    answers = {"GET": Page[TypeResponse], "POST": {201: TypeResponse}}

    def get(self, request: Request, ws: str) -> Response:
        found = paginate(
            request,
            type_catalogue(self.caller),
            key=lambda counted: (counted.entity != Entity.NODE, counted.entry.name, str(counted.entry.id)),
        )
        return self.answer(Page[TypeResponse](**found))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(TypeInput)
        counted = type_editor.add_type(
            caller=self.caller, entity=given.entity, name=given.name, description=given.description
        )
        return self.answer(TypeResponse.of(counted), status=201)


class TypeView(WorkspaceView):
    """Describe a type; take one that nothing has out of the catalogue."""

    action_types = CATALOGUE
    reads = {"PATCH": TypeEditInput}
    answers = {"PATCH": TypeResponse, "DELETE": TypeResponse}

    def patch(self, request: Request, ws: str, type_id: str) -> Response:
        changes = self.body(TypeEditInput).given()
        return self.answer(
            TypeResponse.of(type_editor.edit_type(caller=self.caller, type_id=path_id(type_id), changes=changes))
        )

    def delete(self, request: Request, ws: str, type_id: str) -> Response:
        self.body(NoBody)
        return self.answer(TypeResponse.of(type_editor.delete_type(caller=self.caller, type_id=path_id(type_id))))


class TypeRestoreView(WorkspaceView):
    """Put a type back into the catalogue."""

    action_types = CATALOGUE
    answers = {"POST": TypeResponse}

    def post(self, request: Request, ws: str, type_id: str) -> Response:
        self.body(NoBody)
        return self.answer(TypeResponse.of(type_editor.restore_type(caller=self.caller, type_id=path_id(type_id))))


def _node_draft(caller: Caller, given: NodeLine) -> node_editor.NodeDraft:
    return node_editor.NodeDraft(
        type=given.type,
        name=given.name,
        properties=given.properties,
        connection_id=given.connection,
        provenance=describe_author(label=caller.label, is_person=caller.is_person),
    )


def _new_edge(caller: Caller, given: EdgeLine) -> edges.NewEdge:
    return edges.NewEdge(
        type=given.type,
        source_id=given.source,
        target_id=given.target,
        properties=given.properties,
        connection_id=given.connection,
        provenance=describe_author(label=caller.label, is_person=caller.is_person),
    )
