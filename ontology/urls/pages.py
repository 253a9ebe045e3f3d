"""Console addresses of the ontology, under /w/<slug>/ontology."""

from django.urls import URLPattern, path

from ontology.connections.pages import connection_delete, connection_progress, connections
from ontology.graph import pages as pages_graph
from ontology.matching.pages import merge, merge_apart, merge_queue, merge_undo
from ontology.nodes_and_edges import pages

ONTOLOGY = "w/<slug:slug>/ontology"
NODE = f"{ONTOLOGY}/nodes/<uuid:node_id>"
CONNECTION = f"{ONTOLOGY}/connections/<uuid:connection_id>"

urlpatterns: list[URLPattern] = [
    path(ONTOLOGY, pages.listing, name="ontology"),
    path(f"{ONTOLOGY}/nodes/new", pages.node_new, name="ontology-node-new"),
    path(NODE, pages.detail, name="ontology-node"),
    path(f"{NODE}/edit", pages.node_edit, name="ontology-node-edit"),
    path(f"{NODE}/revert", pages.node_revert, name="ontology-node-revert"),
    path(f"{NODE}/delete", pages.node_verb, {"verb": "delete"}, name="ontology-node-delete"),
    path(f"{NODE}/restore", pages.node_verb, {"verb": "restore"}, name="ontology-node-restore"),
    path(f"{NODE}/graph", pages_graph.graph, name="ontology-node-graph"),
    path(f"{NODE}/graph/data", pages_graph.graph_data, name="ontology-node-graph-data"),
    path(f"{ONTOLOGY}/types", pages.types, name="ontology-types"),
    path(f"{ONTOLOGY}/connections", connections, name="ontology-connections"),
    path(f"{CONNECTION}/delete", connection_delete, name="ontology-connection-delete"),
    path(f"{CONNECTION}/progress", connection_progress, name="ontology-connection-progress"),
    path(f"{ONTOLOGY}/merge-queue", merge_queue, name="ontology-merge-queue"),
    path(f"{ONTOLOGY}/merge", merge, name="ontology-merge-nodes"),
    path(f"{ONTOLOGY}/merges/<uuid:merge_id>/undo", merge_undo, name="ontology-merge-undo"),
    path(
        f"{ONTOLOGY}/merge-queue/<uuid:candidate_id>/keep-apart",
        merge_apart,
        name="ontology-merge-apart",
    ),
]
