"""Console pages of merges: the queue of candidates, merging by hand, undoing, keeping apart."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import InvalidError
from ontology.matching.forms import MergeForm, read_node_ids
from ontology.matching.selectors import merge_candidates, node_candidates, recent_merges
from ontology.matching.services.candidates import keep_apart
from ontology.matching.services.merges import merge_nodes, undo_merge
from ontology.matching.view_models import (
    OtherNode,
    build_comparison,
    build_others,
    build_pairs,
    describe_reasons,
    merge_lines,
)
from ontology.models import GOVERNED_TYPES, Node
from ontology.nodes_and_edges.console_selectors import edge_counts
from ontology.nodes_and_edges.selectors import NodeFilter, access_node
from ontology.nodes_and_edges.services.node_editor import refuse_governed
from ontology.nodes_and_edges.view_models import node_title, tabs
from ontology.search.schemas import MAX_QUERY_CHARACTERS
from ontology.search.services.node_search import search_ontology
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import ConsoleRequest, console_page, show_success

MAX_PAIRS = 25
MAX_MERGES = 20
MAX_OTHERS = 12


@require_safe
@console_page
def merge_queue(request: ConsoleRequest) -> HttpResponse:
    """Pairs of nodes that may be one, the likeliest first, and what was merged last."""
    return _queue_answer(request)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def merge(request: ConsoleRequest) -> HttpResponse:
    """Make one node out of two: compared side by side, with a choice for each property in which they differ."""
    request.seat = request.seat.alone()
    caller = request.seat.caller
    if request.method != "POST":
        return _comparison_answer(request)
    form = MergeForm(request.POST)
    if not form.is_valid():
        return _comparison_answer(request, problem="Say which of the two stays.", status=422)
    keep_id = form.cleaned_data["keep"]
    try:
        merged = merge_nodes(
            caller=caller, keep_id=keep_id, absorb_id=form.cleaned_data["absorb"], take=form.properties_to_take()
        )
    except InvalidError as error:  # a property that was there when the page was made
        return _comparison_answer(request, problem=error.detail, status=422)
    moved = len({*merged.record["moved_out"], *merged.record["moved_in"]})
    is_by_hand = "nodes" in request.POST
    return show_success(
        request,
        f"Merged. {moved:,} {'edge' if moved == 1 else 'edges'} moved.",
        fragment=lambda: _queue_answer(request),
        back=reverse("ontology-node", args=[request.seat.workspace.slug, keep_id])
        if is_by_hand
        else _queue_url(request.seat),
        undo_url=reverse("ontology-merge-undo", args=[request.seat.workspace.slug, merged.id]),
        undo_target="#merging",
    )


@require_POST
@console_page
def merge_undo(request: ConsoleRequest, merge_id: UUID) -> HttpResponse:
    """Make two nodes out of one again."""
    undo_merge(caller=request.seat.caller, merge_id=merge_id)
    return show_success(
        request,
        "Undone. Both nodes are there again, each with its edges.",
        fragment=lambda: _queue_answer(request),
        back=_queue_url(request.seat),
    )


@require_POST
@console_page
def merge_apart(request: ConsoleRequest, candidate_id: UUID) -> HttpResponse:
    """Say that two nodes are not one."""
    keep_apart(caller=request.seat.caller, candidate_id=candidate_id)
    return show_success(
        request,
        "Kept apart. This pair is not proposed again.",
        fragment=lambda: _queue_answer(request),
        back=_queue_url(request.seat),
    )


def _comparison_answer(request: ConsoleRequest, *, problem: str = "", status: int = 200) -> HttpResponse:
    """Show two nodes side by side; one alone with those that it may be merged with."""
    seat, caller = request.seat, request.seat.caller
    caller.require(Right.WRITE)
    named = read_node_ids(request.POST if request.method == "POST" else request.GET)
    nodes = [access_node(caller, node_id) for node_id in named[:2]]
    for node in nodes:
        refuse_governed(node)
    context: dict[str, Any] = {"problem": problem, "tabs": tabs(seat, "ontology-merge-queue")}
    if len(named) > 2:
        context["problem"] = "Two nodes are merged at a time: these are the first two."
    if len(nodes) == 2:
        edges = edge_counts(caller, [node.id for node in nodes])
        context["comparison"] = build_comparison(seat, (nodes[0], nodes[1]), edges)
    elif nodes:
        query = request.GET.get("q", "").strip()[:MAX_QUERY_CHARACTERS]
        context.update(node=nodes[0], title=node_title(nodes[0]), query=query)
        context["others"] = _find_others(seat, nodes[0], query)
    return render(request, "ontology/merge.html", context, status=status)


def _find_others(seat: ConsoleContext, node: Node, query: str) -> list[OtherNode]:
    """Return what is proposed for a node, and what is found by its name or by other words."""
    caller = seat.caller
    pairs = [] if query else node_candidates(caller, node.id, limit=MAX_OTHERS)
    reasons = {other.id: describe_reasons(pair) for pair in pairs for other in (pair.first, pair.second)}
    found = {other.id: other for pair in pairs for other in (pair.first, pair.second)}
    narrow = NodeFilter() if query else NodeFilter(types=[node.type])
    hits = search_ontology(caller=caller, query=query or node_title(node), narrow=narrow, top_k=MAX_OTHERS).hits
    found |= {hit.node.id: hit.node for hit in hits if hit.node.id not in found}
    others = [other for other in found.values() if other.id != node.id and other.type not in GOVERNED_TYPES]
    return build_others(seat, node, others[:MAX_OTHERS], edge_counts(caller, list(found)), reasons)


def _queue_answer(request: ConsoleRequest, *, status: int = 200) -> HttpResponse:
    request.seat = request.seat.alone()
    seat = request.seat
    pairs = merge_candidates(seat.caller, limit=MAX_PAIRS + 1)
    edges = edge_counts(seat.caller, [node.id for pair in pairs for node in (pair.first, pair.second)])
    context = {
        "pairs": build_pairs(seat, pairs[:MAX_PAIRS], edges),
        "has_more_pairs": len(pairs) > MAX_PAIRS,
        "merges": merge_lines(seat, recent_merges(seat.caller, most=MAX_MERGES)),
        "may_write": seat.caller.may(Right.WRITE),
        "tabs": tabs(seat, "ontology-merge-queue"),
    }
    template = "ontology/_merging.html" if request.htmx.target == "merging" else "ontology/merging.html"
    return render(request, template, context, status=status)


def _queue_url(seat: ConsoleContext) -> str:
    return reverse("ontology-merge-queue", args=[seat.workspace.slug])
