"""Console addresses of the ontology, under /w/<slug>/ontology."""

from django.urls import URLPattern, path

from ontology import pages, pages_answers, pages_governing, pages_graph

ONTOLOGY = "w/<slug:slug>/ontology"
NODE = f"{ONTOLOGY}/nodes/<uuid:node_id>"
CONNECTION = f"{ONTOLOGY}/connections/<uuid:connection_id>"

urlpatterns: list[URLPattern] = [
    path(ONTOLOGY, pages.listing, name="ontology"),
    path(f"{ONTOLOGY}/nodes/new", pages.node_new, name="ontology-new"),
    path(NODE, pages.detail, name="ontology-node"),
    path(f"{NODE}/edit", pages.node_edit, name="ontology-edit"),
    *[path(f"{NODE}/{verb}", pages.node_verb, {"verb": verb}, name=f"ontology-{verb}") for verb in pages.VERBS],
    path(f"{NODE}/graph", pages_graph.graph, name="ontology-graph"),
    path(f"{ONTOLOGY}/types", pages.types, name="ontology-types"),
    path(f"{ONTOLOGY}/connections", pages_governing.connections, name="ontology-connections"),
    path(f"{CONNECTION}/delete", pages_governing.connection_delete, name="ontology-connection-delete"),
    path(f"{CONNECTION}/progress", pages_governing.connection_progress, name="ontology-connection-progress"),
    path(f"{ONTOLOGY}/merge-queue", pages_governing.merge_queue, name="ontology-merge"),
    path(f"{ONTOLOGY}/merge", pages_governing.merge, name="ontology-merge-nodes"),
    path(f"{ONTOLOGY}/merges/<uuid:merge_id>/undo", pages_governing.merge_undo, name="ontology-merge-undo"),
    path(
        f"{ONTOLOGY}/merge-queue/<uuid:candidate_id>/keep-apart",
        pages_governing.merge_apart,
        name="ontology-merge-apart",
    ),
    path(f"{ONTOLOGY}/ask", pages_answers.ask, name="ontology-ask"),
]
