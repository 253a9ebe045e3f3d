"""The console pages that draw what is around a node, and the path from it to another one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.errors import NotFoundError
from ontology.graph.services.traversal import MAX_NODES, Neighbourhood, Path, find_path, neighbours
from ontology.graph.view_models import build_drawing, build_edge_rows, build_legend, build_steps
from ontology.nodes_and_edges.view_models import node_title
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import ConsoleRequest, console_page

DEPTHS = {1: "1 edge away", 2: "2 edges", 3: "3 edges"}
MAX_ROWS = 500
MAX_PATH = 6  # edges
MAX_EXPANDED = 60  # nodes that are added to a picture at once
METHODS = {"graph": "by the graph", "postgres": "by PostgreSQL"}


@require_safe
@console_page
def graph(request: ConsoleRequest, node_id: UUID) -> HttpResponse:
    """Render a node's neighbourhood, one to three edges deep, and the path to another node where one is named."""
    seat = request.seat
    depth = _depth(request.GET.get("depth", ""))
    around = neighbours(caller=seat.caller, node_id=node_id, depth=depth)
    path = _find_asked_path(seat, node_id, request.GET.get("to", ""))
    found = {node.id: node for node in (around.start, *(near.node for near in around.nodes))}
    links = {edge.id: edge for edge in around.edges}
    if path:
        found |= {node.id: node for node in path.nodes}
        links |= {edge.id: edge for edge in path.edges}
    nodes, edges = list(found.values()), list(links.values())
    rows = build_edge_rows(seat, nodes, edges[:MAX_ROWS])
    context = {
        "node": around.start,
        "title": node_title(around.start),
        "summary": _summarise(around),
        "depths": _depth_chips(depth),
        "drawn": {**build_drawing(seat, nodes, edges, centre=around.start), **_path_ids(path)},
        "legend": build_legend(seat, nodes),
        "rows": rows,
        "has_more_rows": len(edges) > MAX_ROWS,
        "ends": [(str(one.id), node_title(one)) for one in nodes if one.id != around.start.id][:MAX_ROWS],
        "to": request.GET.get("to", ""),
        "path": path,
        "steps": build_steps(seat, path) if path else [],
        "max_path": MAX_PATH,
    }
    return render(request, "ontology/graph.html", context)


@require_safe
@console_page
def graph_data(request: ConsoleRequest, node_id: UUID) -> HttpResponse:
    """Return what is one edge away from a node, for a picture that grows."""
    seat = request.seat
    around = neighbours(caller=seat.caller, node_id=node_id, depth=1, limit=MAX_EXPANDED)
    nodes = [around.start, *(near.node for near in around.nodes)]
    return JsonResponse(build_drawing(seat, nodes, around.edges))


def _depth(given: str) -> int:
    """Return how far to look; what is not a depth is taken as the usual one."""
    return int(given) if given in map(str, DEPTHS) else 2


def _find_asked_path(seat: ConsoleContext, start_id: UUID, given: str) -> Path | None:
    """Return the path to the node in the address; None where it names none. Raises NotFoundError."""
    if not given:
        return None
    try:
        end_id = UUID(given)
    except ValueError as error:
        raise NotFoundError() from error
    return find_path(caller=seat.caller, start_id=start_id, end_id=end_id, max_depth=MAX_PATH)


def _path_ids(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    return {"path": [str(node.id) for node in path.nodes], "path_edges": [str(edge.id) for edge in path.edges]}


def _summarise(around: Neighbourhood) -> str:
    nodes, edges = len(around.nodes), len(around.edges)
    counts = f"{nodes:,} {'node' if nodes == 1 else 'nodes'} and {edges:,} {'edge' if edges == 1 else 'edges'}"
    more = f", the nearest {MAX_NODES:,} of more" if around.is_truncated else ""
    return f"{counts}{more}, found {METHODS[around.method]} in {around.latency_ms:.0f} ms"


def _depth_chips(depth: int) -> list[dict[str, Any]]:
    return [{"label": label, "url": f"?depth={one}", "on": one == depth} for one, label in DEPTHS.items()]
