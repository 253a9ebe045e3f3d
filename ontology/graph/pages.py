"""The console page that draws what is around a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ontology.graph.services.traversal import MAX_NODES, Neighbourhood, neighbours
from ontology.models import Node
from ontology.nodes_and_edges.view_models import node_title, node_url
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import ConsoleRequest, console_page
from workspaces.http.space_links import KeptSpace

DEPTHS = {1: "1 edge away", 2: "2 edges", 3: "3 edges"}
MAX_ROWS = 500
METHODS = {"graph": "by the graph", "postgres": "by PostgreSQL"}


@dataclass(frozen=True, slots=True)
class End:
    """One end of an edge in the table."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One edge of the table."""

    source: End
    words: str
    target: End


@require_safe
@console_page
def graph(request: ConsoleRequest, node_id: UUID) -> HttpResponse:
    """Render a node's neighbourhood, one to three edges deep."""
    seat = request.seat
    depth = _depth(request.GET.get("depth", ""))
    around = neighbours(caller=seat.caller, node_id=node_id, depth=depth)
    nodes = [around.start, *(near.node for near in around.nodes)]
    context = {
        "node": around.start,
        "title": node_title(around.start),
        "summary": _summarise(around),
        "depths": _depth_chips(depth),
        "drawn": _drawing(seat, around, nodes),
        "rows": _rows(seat, around, nodes),
        "has_more_rows": len(around.edges) > MAX_ROWS,
    }
    return render(request, "ontology/graph.html", context)


def _depth(given: str) -> int:
    """Return how far to look; what is not a depth is taken as the usual one."""
    return int(given) if given in map(str, DEPTHS) else 2


def _summarise(around: Neighbourhood) -> str:
    nodes, edges = len(around.nodes), len(around.edges)
    counts = f"{nodes:,} {'node' if nodes == 1 else 'nodes'} and {edges:,} {'edge' if edges == 1 else 'edges'}"
    more = f", the nearest {MAX_NODES:,} of more" if around.is_truncated else ""
    return f"{counts}{more}, found {METHODS[around.method]} in {around.latency_ms:.0f} ms"


def _depth_chips(depth: int) -> list[dict[str, Any]]:
    return [{"label": label, "url": f"?depth={one}", "on": one == depth} for one, label in DEPTHS.items()]


def _drawing(seat: ConsoleContext, around: Neighbourhood, nodes: list[Node]) -> dict[str, Any]:
    """Return what `static/js/graph.js` reads."""
    kept = KeptSpace.of(seat)
    return {
        "centre": str(around.start.id),
        "nodes": [
            {
                "id": str(node.id),
                "title": node_title(node),
                "type": node.type,
                "url": kept.address(node_url(seat, node)),
                "graph_url": kept.address(f"{node_url(seat, node)}/graph"),
            }
            for node in nodes
        ],
        "edges": [
            {"source": str(edge.source_id), "target": str(edge.target_id), "type": edge.type} for edge in around.edges
        ],
    }


def _rows(seat: ConsoleContext, around: Neighbourhood, nodes: list[Node]) -> list[EdgeRow]:
    ends = {node.id: End(node_title(node), node_url(seat, node)) for node in nodes}
    return [
        EdgeRow(ends[edge.source_id], edge.type.replace("_", " "), ends[edge.target_id])
        for edge in around.edges[:MAX_ROWS]
        if edge.source_id in ends and edge.target_id in ends
    ]
