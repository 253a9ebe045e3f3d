"""Console pages of nodes and types: the list and its search, one node with what hangs on it, adding and editing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect
from rest_framework.request import Request

from core.errors import ProductError
from core.http.pages import CursorPages
from ontology import console, overview
from ontology.console import Listing
from ontology.forms import Look, NodeForm, look_of
from ontology.models import GOVERNED_TYPES, Entity, Node
from ontology.selectors import TypeCount, access_connection, access_node, changes_of, types_of
from ontology.services.asking import cited_as
from ontology.services.editing import NodeDraft, add_node, delete_node, edit_node, restore_node
from ontology.services.hits import search_ontology
from workspaces.callers import Right
from workspaces.console import ConsoleRequest, console_page, done, show_refusal
from workspaces.scope import workspace_scope

MOST_HITS = 50
MOST_STEPS = 50
MOST_LINKS = 100
MOST_MENTIONS = 20
MOST_ACTIONS = 10
EXACT_COUNTS_UP_TO = 1_000
VERBS = {"delete": delete_node, "restore": restore_node}


@require_safe
@console_page
def listing(request: ConsoleRequest) -> HttpResponse:
    """The nodes and the search over them, chosen by the query string."""
    seat, look = request.seat, look_of(request.GET)
    types = types_of(seat.caller)
    listed = _searched(request, look) if look.query else _listed(request, look)
    context: dict[str, Any] = {
        "look": look,
        "listing": listed,
        "chips": console.chip_groups(look, _of_nodes(types), overview.some_connections(seat.caller)),
        "clear_url": console.cleared(look),
        "kept": console.kept_by_search(look),
        "has_nodes": any(one.count for one in _of_nodes(types)),
        "may_write": seat.caller.may(Right.WRITE),
        "tabs": console.tabs(seat, "ontology"),
    }
    template = "ontology/_view.html" if request.htmx.target == "ontology-view" else "ontology/list.html"
    return render(request, template, context)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def node_new(request: ConsoleRequest) -> HttpResponse:
    """Add a node as a person."""
    seat = request.seat
    seat.caller.require(Right.WRITE)
    form = NodeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        provenance = {"source": "user", "by": seat.caller.label}
        try:
            node = add_node(caller=seat.caller, draft=NodeDraft(**form.cleaned_data, provenance=provenance))
        except ProductError as error:
            show_refusal(form, error)
        else:
            url = console.url_of(seat, node)
            return done(request, "Added.", fragment=lambda: HttpResponseClientRedirect(url), back=url)
    context = {"form": form, "types": _of_nodes(types_of(seat.caller))}
    return render(request, "ontology/new.html", context, status=422 if form.is_bound else 200)


@require_safe
@console_page
def detail(request: ConsoleRequest, node_id: UUID) -> HttpResponse:
    """One node: what is known of it, its edges, who mentions it, its history. A deleted one can still be looked at."""
    return _detail_answer(request, node_id)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def node_edit(request: ConsoleRequest, node_id: UUID) -> HttpResponse:
    """Change what is known of a node."""
    caller = request.seat.caller
    caller.require(Right.WRITE)
    node = access_node(caller, node_id)
    if request.method != "POST":
        return _detail_answer(request, node_id, form=NodeForm.of(node))
    form = NodeForm.of(node, request.POST)
    if form.is_valid():
        try:
            edit_node(caller=caller, node_id=node_id, changes=form.changes_of(node))
        except ProductError as error:
            show_refusal(form, error)
        else:
            return done(
                request,
                "Saved. What was there before is in its history." if form.has_changed() else "Nothing was changed.",
                fragment=lambda: _detail_answer(request, node_id),
                back=console.url_of(request.seat, node),
            )
    return _detail_answer(request, node_id, form=form, status=422)


@require_POST
@console_page
def node_verb(request: ConsoleRequest, node_id: UUID, verb: str) -> HttpResponse:
    """Delete a node or restore it; its edges go and come with it."""
    node = VERBS[verb](caller=request.seat.caller, node_id=node_id)
    url = console.url_of(request.seat, node)
    said = "Deleted, with its edges. Nothing finds it any more." if verb == "delete" else "Restored, with its edges."
    return done(
        request,
        said,
        fragment=lambda: _detail_answer(request, node_id),
        back=url,
        undo_url=f"{url}/{'restore' if verb == 'delete' else 'delete'}",
        undo_target="#node",
    )


@require_safe
@console_page
def types(request: ConsoleRequest) -> HttpResponse:
    """The catalogue of types."""
    seat = request.seat
    found = types_of(seat.caller)
    context = {
        "nodes": [(one, console.type_url(seat, one.entry.name)) for one in found if one.entity == Entity.NODE],
        "edges": [one for one in found if one.entity == Entity.EDGE],
        "tabs": console.tabs(seat, "ontology-types"),
    }
    return render(request, "ontology/types.html", context)


def _listed(request: ConsoleRequest, look: Look) -> Listing:
    caller, pages = request.seat.caller, CursorPages()
    with workspace_scope(caller):
        found = overview.nodes_shown(caller, look.narrow, deleted=look.deleted)
        page: list[Node] = pages.paginate_queryset(found, Request(request)) or []
        number = overview.count_up_to(found, EXACT_COUNTS_UP_TO)
        edges = overview.edge_counts(caller, [node.id for node in page])
    total = f"Over {EXACT_COUNTS_UP_TO:,} nodes" if number > EXACT_COUNTS_UP_TO else _nodes(number)
    rows = console.rows_of(request.seat, page, edges)
    return Listing(rows, pages.get_previous_link(), pages.get_next_link(), total)


def _searched(request: ConsoleRequest, look: Look) -> Listing:
    caller = request.seat.caller
    found = search_ontology(caller=caller, query=look.query, narrow=look.narrow, top_k=MOST_HITS)
    edges = overview.edge_counts(caller, [hit.node.id for hit in found.hits])
    rows = console.rows_of_hits(request.seat, found.hits, edges)
    number = f"The best {MOST_HITS}" if len(rows) == MOST_HITS else f"{len(rows)} found"
    total = f"{number} {console.METHODS[found.method]} in {found.latency_ms:.0f} ms"
    return Listing(rows, total=total, is_scored=True)


def _detail_answer(
    request: ConsoleRequest, node_id: UUID, *, form: NodeForm | None = None, status: int = 200
) -> HttpResponse:
    seat, caller = request.seat, request.seat.caller
    node = access_node(caller, node_id, with_deleted=True)
    edges = overview.edges_of(caller, node, most=MOST_LINKS + 1)
    connection = access_connection(caller, node.connection_id) if node.connection_id else None
    mentions = overview.memories_mentioning(caller, node, most=MOST_MENTIONS + 1)
    with workspace_scope(caller):
        changes = list(changes_of(caller, node_id)[: MOST_STEPS + 1])
    context = {
        "node": node,
        "title": console.title_of(node),
        "citation": cited_as(node).mark,
        "is_memory": node.type in GOVERNED_TYPES,
        "may_edit": console.may_edit(seat, node),
        "pairs": console.pairs_of(seat, node, connection),
        "properties": console.properties_of(node),
        "links": console.links_of(seat, node, edges[:MOST_LINKS]),
        "has_more_links": len(edges) > MOST_LINKS,
        "mentions": mentions[:MOST_MENTIONS],
        "has_more_mentions": len(mentions) > MOST_MENTIONS,
        "steps": console.step_lines(changes[:MOST_STEPS]),
        "has_more_steps": len(changes) > MOST_STEPS,
        "done_to_it": overview.actions_on(caller, node, most=MOST_ACTIONS),
        "actions_looked_at": f"{overview.ACTIONS_LOOKED_AT:,}",
        "origins": console.origins_of(node.provenance),
        "form": form,
        "types": _of_nodes(types_of(caller)) if form else (),
    }
    template = "ontology/_node.html" if request.htmx.target == "node" else "ontology/node.html"
    return render(request, template, context, status=status)


def _of_nodes(found: Sequence[TypeCount]) -> list[TypeCount]:
    return [one for one in found if one.entity == Entity.NODE]


def _nodes(number: int) -> str:
    return "1 node" if number == 1 else f"{number:,} nodes"
