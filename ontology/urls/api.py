"""REST addresses of the ontology, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from ontology.answers.api import AskView, PromptView
from ontology.connections.api import ConnectionsView, ConnectionView
from ontology.graph.api import ImpactView, NeighboursView, NodeActionsView, PathView
from ontology.matching import api as api_merging
from ontology.nodes_and_edges.api import (
    BulkEdgesView,
    BulkNodesView,
    EdgeRestoreView,
    EdgesView,
    EdgeView,
    NodeHistoryView,
    NodeRestoreView,
    NodesView,
    NodeView,
    TypeRestoreView,
    TypesView,
    TypeView,
)
from ontology.search.api import NodeSearchView

urlpatterns: list[URLPattern] = [
    path("ontology/nodes", NodesView.as_view(), name="api-nodes"),
    path("ontology/nodes/bulk", BulkNodesView.as_view(), name="api-nodes-bulk"),
    path("ontology/nodes/<str:node_id>", NodeView.as_view(), name="api-node"),
    path("ontology/nodes/<str:node_id>/restore", NodeRestoreView.as_view(), name="api-node-restore"),
    path("ontology/nodes/<str:node_id>/history", NodeHistoryView.as_view(), name="api-node-history"),
    path("ontology/nodes/<str:node_id>/neighbours", NeighboursView.as_view(), name="api-neighbours"),
    path("ontology/nodes/<str:node_id>/actions", NodeActionsView.as_view(), name="api-node-actions"),
    path("ontology/nodes/<str:node_id>/impact", ImpactView.as_view(), name="api-impact"),
    path("ontology/path", PathView.as_view(), name="api-path"),
    path("ontology/edges", EdgesView.as_view(), name="api-edges"),
    path("ontology/edges/bulk", BulkEdgesView.as_view(), name="api-edges-bulk"),
    path("ontology/edges/<str:edge_id>", EdgeView.as_view(), name="api-edge"),
    path("ontology/edges/<str:edge_id>/restore", EdgeRestoreView.as_view(), name="api-edge-restore"),
    path("ontology/search", NodeSearchView.as_view(), name="api-ontology-search"),
    path("ontology/prompt", PromptView.as_view(), name="api-ontology-prompt"),
    path("ontology/ask", AskView.as_view(), name="api-ontology-ask"),
    path("ontology/types", TypesView.as_view(), name="api-types"),
    path("ontology/types/<str:type_id>", TypeView.as_view(), name="api-type"),
    path("ontology/types/<str:type_id>/restore", TypeRestoreView.as_view(), name="api-type-restore"),
    path("ontology/connections", ConnectionsView.as_view(), name="api-connections"),
    path("ontology/connections/<str:connection_id>", ConnectionView.as_view(), name="api-connection"),
    path("ontology/merge-candidates", api_merging.CandidatesView.as_view(), name="api-merge-candidates"),
    path(
        "ontology/merge-candidates/<str:candidate_id>/keep-apart",
        api_merging.KeepApartView.as_view(),
        name="api-keep-apart",
    ),
    path("ontology/merge", api_merging.MergeView.as_view(), name="api-merge"),
    path("ontology/merges", api_merging.MergesView.as_view(), name="api-merges"),
    path("ontology/merges/<str:merge_id>/undo", api_merging.UndoMergeView.as_view(), name="api-merge-undo"),
]
