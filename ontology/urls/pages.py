"""Console addresses of the ontology, under /w/<slug>/ontology."""

from django.urls import URLPattern, path

from ontology import pages, pages_answers, pages_graph

ONTOLOGY = "w/<slug:slug>/ontology"
NODE = f"{ONTOLOGY}/nodes/<uuid:node_id>"

urlpatterns: list[URLPattern] = [
    path(ONTOLOGY, pages.listing, name="ontology"),
    path(f"{ONTOLOGY}/nodes/new", pages.node_new, name="ontology-new"),
    path(NODE, pages.detail, name="ontology-node"),
    path(f"{NODE}/edit", pages.node_edit, name="ontology-edit"),
    *[path(f"{NODE}/{verb}", pages.node_verb, {"verb": verb}, name=f"ontology-{verb}") for verb in pages.VERBS],
    path(f"{NODE}/graph", pages_graph.graph, name="ontology-graph"),
    path(f"{ONTOLOGY}/types", pages.types, name="ontology-types"),
    path(f"{ONTOLOGY}/ask", pages_answers.ask, name="ontology-ask"),
]
