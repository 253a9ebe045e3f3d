"""Console pages that govern the ontology: connections and what came through them, pairs that may be one, merges."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import ProductError
from ontology import console, overview
from ontology.forms import ConnectionForm, MergeForm
from ontology.selectors import access_connection, merge_candidates
from ontology.services.connections import add_connection, delete_connection
from ontology.services.matching import keep_apart
from ontology.services.merging import merge_nodes, undo_merge
from workspaces.callers import Right
from workspaces.console import ConsoleRequest, console_page, done, show_refusal
from workspaces.selectors import Seat

MOST_PAIRS = 25
MOST_MERGES = 20


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def connections(request: ConsoleRequest) -> HttpResponse:
    """Where nodes come from by themselves; make a connection."""
    if request.method != "POST":
        return _connections_answer(request, ConnectionForm())
    request.seat.caller.require(Right.WRITE)
    form = ConnectionForm(request.POST)
    if form.is_valid():
        try:
            add_connection(caller=request.seat.caller, **form.cleaned_data)
        except ProductError as error:
            show_refusal(form, error)
        else:
            return done(
                request,
                "Added. Agents name its id as `connection` of what they bring in.",
                fragment=lambda: _connections_answer(request, ConnectionForm()),
                back=request.path,
            )
    return _connections_answer(request, form, status=422)


@require_POST
@console_page
def connection_delete(request: ConsoleRequest, connection_id: UUID) -> HttpResponse:
    """Delete a connection with everything that came through it."""
    gone = delete_connection(caller=request.seat.caller, connection_id=connection_id)
    counts = f"{gone.removed_nodes:,} nodes and {gone.removed_edges:,} edges"
    said = f"Deleted {gone.name}, with {counts}." if gone.removed_at else f"Deleting {gone.name}: {counts} are gone."
    return done(
        request,
        said,
        fragment=lambda: _connections_answer(request, ConnectionForm()),
        back=reverse("ontology-connections", args=[request.seat.workspace.slug]),
    )


@require_safe
@console_page
def connection_progress(request: ConsoleRequest, connection_id: UUID) -> HttpResponse:
    """How far the removal of a connection is; the page asks again until it is done."""
    found = access_connection(request.seat.caller, connection_id)
    return render(request, "ontology/_removal.html", {"shown": overview.ConnectionShown(found)})


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
    return done(
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
    return done(
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
    return done(
        request,
        "Kept apart. This pair is not proposed again.",
        fragment=lambda: _queue_answer(request),
        back=_queue_url(request.seat),
    )


def _connections_answer(request: ConsoleRequest, form: ConnectionForm, *, status: int = 200) -> HttpResponse:
    seat = request.seat
    context = {
        "connections": overview.connections_shown(seat.caller),
        "form": form,
        "may_write": seat.caller.may(Right.WRITE),
        "may_delete": seat.caller.may(Right.ADMIN),
        "tabs": console.tabs(seat, "ontology-connections"),
    }
    is_part = request.htmx.target == "connections"
    template = "ontology/_connections.html" if is_part else "ontology/connections.html"
    return render(request, template, context, status=status)


def _queue_answer(request: ConsoleRequest, *, status: int = 200) -> HttpResponse:
    seat = request.seat
    pairs = merge_candidates(seat.caller, limit=MOST_PAIRS + 1)
    edges = overview.edge_counts(seat.caller, [node.id for pair in pairs for node in (pair.first, pair.second)])
    context = {
        "pairs": [console.pair_of(seat, pair, edges) for pair in pairs[:MOST_PAIRS]],
        "has_more_pairs": len(pairs) > MOST_PAIRS,
        "merges": console.merge_lines(seat, overview.merges_shown(seat.caller, most=MOST_MERGES)),
        "may_write": seat.caller.may(Right.WRITE),
        "tabs": console.tabs(seat, "ontology-merge"),
    }
    template = "ontology/_merging.html" if request.htmx.target == "merging" else "ontology/merging.html"
    return render(request, template, context, status=status)


def _queue_url(seat: Seat) -> str:
    return reverse("ontology-merge", args=[seat.workspace.slug])
