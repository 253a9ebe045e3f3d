"""REST addresses of the ontology, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from ontology import api, api_answers, api_graph, api_merging, api_telemetry

urlpatterns: list[URLPattern] = [
    path("ontology/nodes", api.NodesView.as_view(), name="api-nodes"),
    path("ontology/nodes/bulk", api.BulkNodesView.as_view(), name="api-nodes-bulk"),
    path("ontology/nodes/<str:node_id>", api.NodeView.as_view(), name="api-node"),
    path("ontology/nodes/<str:node_id>/restore", api.NodeRestoreView.as_view(), name="api-node-restore"),
    path("ontology/nodes/<str:node_id>/history", api.NodeHistoryView.as_view(), name="api-node-history"),
    path("ontology/nodes/<str:node_id>/neighbours", api_graph.NeighboursView.as_view(), name="api-neighbours"),
    path("ontology/nodes/<str:node_id>/actions", api_telemetry.NodeActionsView.as_view(), name="api-node-actions"),
    path("ontology/nodes/<str:node_id>/impact", api_graph.ImpactView.as_view(), name="api-impact"),
    path("ontology/path", api_graph.PathView.as_view(), name="api-path"),
    path("ontology/edges", api.EdgesView.as_view(), name="api-edges"),
    path("ontology/edges/bulk", api.BulkEdgesView.as_view(), name="api-edges-bulk"),
    path("ontology/edges/<str:edge_id>", api.EdgeView.as_view(), name="api-edge"),
    path("ontology/edges/<str:edge_id>/restore", api.EdgeRestoreView.as_view(), name="api-edge-restore"),
    path("ontology/search", api_answers.SearchView.as_view(), name="api-ontology-search"),
    path("ontology/prompt", api_answers.PromptView.as_view(), name="api-ontology-prompt"),
    path("ontology/ask", api_answers.AskView.as_view(), name="api-ontology-ask"),
    path("ontology/types", api.TypesView.as_view(), name="api-types"),
    path("ontology/types/<str:type_id>", api.TypeView.as_view(), name="api-type"),
    path("ontology/types/<str:type_id>/restore", api.TypeRestoreView.as_view(), name="api-type-restore"),
    path("ontology/connections", api_graph.ConnectionsView.as_view(), name="api-connections"),
    path("ontology/connections/<str:connection_id>", api_graph.ConnectionView.as_view(), name="api-connection"),
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
