"""Console pages of merges: the queue of candidates, merging, undoing, keeping apart."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from ontology.matching.forms import MergeForm
from ontology.matching.selectors import merge_candidates, recent_merges
from ontology.matching.services.candidates import keep_apart
from ontology.matching.services.merges import merge_nodes, undo_merge
from ontology.matching.view_models import build_pair, merge_lines
from ontology.nodes_and_edges.console_selectors import edge_counts
from ontology.nodes_and_edges.view_models import tabs
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import ConsoleRequest, console_page, show_success

MAX_PAIRS = 25
MAX_MERGES = 20


@require_safe
@console_page
def merge_queue(request: ConsoleRequest) -> HttpResponse:
    """Pairs of nodes that may be one, the likeliest first, and what was merged last."""
    return _queue_answer(request)


@require_POST
@console_page
def merge(request: ConsoleRequest) -> HttpResponse:
    """Make one node out of two."""
    form = MergeForm(request.POST)
    if not form.is_valid():
        return _queue_answer(request, status=422)
    merged = merge_nodes(
        caller=request.seat.caller, keep_id=form.cleaned_data["keep"], absorb_id=form.cleaned_data["absorb"]
    )
    moved = len({*merged.record["moved_out"], *merged.record["moved_in"]})
    return show_success(
        request,
        f"Merged. {moved:,} {'edge' if moved == 1 else 'edges'} moved.",
        fragment=lambda: _queue_answer(request),
        back=_queue_url(request.seat),
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


def _queue_answer(request: ConsoleRequest, *, status: int = 200) -> HttpResponse:
    request.seat = request.seat.alone()
    seat = request.seat
    pairs = merge_candidates(seat.caller, limit=MAX_PAIRS + 1)
    edges = edge_counts(seat.caller, [node.id for pair in pairs for node in (pair.first, pair.second)])
    context = {
        "pairs": [build_pair(seat, pair, edges) for pair in pairs[:MAX_PAIRS]],
        "has_more_pairs": len(pairs) > MAX_PAIRS,
        "merges": merge_lines(seat, recent_merges(seat.caller, most=MAX_MERGES)),
        "may_write": seat.caller.may(Right.WRITE),
        "tabs": tabs(seat, "ontology-merge-queue"),
    }
    template = "ontology/_merging.html" if request.htmx.target == "merging" else "ontology/merging.html"
    return render(request, template, context, status=status)


def _queue_url(seat: ConsoleContext) -> str:
    return reverse("ontology-merge-queue", args=[seat.workspace.slug])
