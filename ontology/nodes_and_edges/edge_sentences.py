"""Edges of some nodes as answers and contexts say them: which may be seen, and each as a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from core.text import excerpt
from ontology.models import Edge, Node
from ontology.nodes_and_edges.normalisation import render_properties
from workspaces.access.callers import Caller

MAX_CHARACTERS_OF_EDGE = 300


def visible_edges(caller: Caller, ids: Sequence[UUID], *, at: datetime, limit: int) -> list[Edge]:
    """Return the newest edges of the nodes, with both ends, for an open scope: those of which both ends may be recalled
    at that moment, of at most `limit`."""
    if not ids:
        return []
    mine = Edge.objects.of(caller).visible().filter(Q(source__in=ids) | Q(target__in=ids), created_at__lte=at)
    newest = mine.select_related("source", "target").defer("source__words", "target__words").order_by("-id")
    edges = list(newest[:limit])
    ends = {identity for edge in edges for identity in (edge.source_id, edge.target_id)}
    open_ends = set(Node.objects.of(caller).recallable(at).filter(id__in=ends).values_list("id", flat=True))
    return [edge for edge in edges if {edge.source_id, edge.target_id} <= open_ends]


def edge_sentence(edge: Edge) -> str:
    """Return an edge in words: "Ada Lovelace works at Acme (since: 2023)"."""
    said = ", ".join(render_properties(edge.properties).splitlines())
    ends = [edge.source.name or edge.source.body, edge.type.replace("_", " "), edge.target.name or edge.target.body]
    return excerpt(" ".join([*ends, f"({said})" if said else ""]), limit=MAX_CHARACTERS_OF_EDGE)
