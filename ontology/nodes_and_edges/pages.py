"""Console pages of nodes and types: the list and its search, one node with what hangs on it, adding and editing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from core.errors import InvalidError, ProductError
from ontology.answers.services.question_answering import build_citation
from ontology.connections.selectors import access_connection, some_connections
from ontology.graph.selectors import edges_among, nodes_to_draw
from ontology.graph.services.node_actions import ACTIONS_LOOKED_AT, ActionsShown, recent_node_actions
from ontology.graph.view_models import build_drawing, build_legend, build_moments
from ontology.models import GOVERNED_TYPES, Entity, Node
from ontology.nodes_and_edges.console_selectors import (
    MAX_NODES_COUNTED,
    edge_counts,
    listed_nodes,
    memories_mentioning,
    node_edges,
    type_marks,
    type_names,
    type_sizes,
)
from ontology.nodes_and_edges.forms import NodeForm, NodeListQuery, NodeRevertForm, parse_list_query
from ontology.nodes_and_edges.past_versions import NodeMoment, rewind_nodes
from ontology.nodes_and_edges.provenance import describe_author
from ontology.nodes_and_edges.selectors import access_node, object_changes, type_catalogue
from ontology.nodes_and_edges.services.node_editor import (
    NodeChangedError,
    NodeDraft,
    add_node,
    delete_node,
    edit_node,
    restore_node,
    revert_node,
)
from ontology.nodes_and_edges.view_models import (
    NodeRowView,
    build_details,
    build_links,
    build_properties,
    build_rows,
    extraction_origins,
    filter_chips,
    find_mark,
    may_edit,
    node_title,
    node_url,
    rows_of_hits,
    step_lines,
    tabs,
    type_url,
    view_links,
)
from ontology.search.services.node_search import search_ontology
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import (
    ConsoleRequest,
    console_page,
    redirect_to_its_space,
    show_refusal,
    show_success,
)
from workspaces.http.console_lists import MAX_HITS, Listing, count_in_words, hits_in_words, read_page
from workspaces.http.console_moments import NOW, MomentBar, read_moment_bar

MAX_STEPS = 50
MAX_LINKS = 100
MAX_MENTIONS = 20
MAX_ACTIONS = 10
MAX_DRAWN = 200  # nodes of the graph of a whole list
VERBS = {"delete": delete_node, "restore": restore_node}


@require_safe
@console_page
def listing(request: ConsoleRequest) -> HttpResponse:
    """Render the nodes and the search over them, chosen by the query string."""
    request.seat = request.seat.alone()
    seat, look = request.seat, parse_list_query(request.GET)
    types = type_sizes(seat.caller)
    listed = _search_nodes(request, look) if look.query else _list_nodes(request, look)
    context: dict[str, Any] = {
        "look": look,
        "listing": listed,
        "chips": filter_chips(look, types, some_connections(seat.caller)),
        "clear_url": look.filters.clear_url,
        "kept": look.filters.hidden_fields(without={"q", "deleted"}),
        "has_nodes": any(types.values()),
        "may_write": seat.caller.may(Right.WRITE) and look.moment is None,
        "tabs": tabs(seat, "ontology"),
        "views": view_links(look),
    }
    if look.is_graph:
        context.update(_draw_list(request, look, listed))
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
        provenance = describe_author(label=seat.caller.label, is_person=True)
        try:
            node = add_node(caller=seat.caller, draft=NodeDraft(**form.cleaned_data, provenance=provenance))
        except ProductError as error:
            show_refusal(form, error)
        else:
            url = node_url(seat, node)
            return show_success(request, "Added.", fragment=lambda: HttpResponseClientRedirect(url), back=url)
    context = {"form": form, "types": type_names(seat.caller)}
    return render(request, "ontology/new.html", context, status=422 if form.is_bound else 200)


@require_safe
@console_page
def detail(request: ConsoleRequest, node_id: UUID) -> HttpResponse:
    """One node: what is known of it, its edges, who mentions it, its history. A deleted one can still be looked at."""
    found = access_node(request.seat.caller, node_id, with_deleted=True)
    bar = read_moment_bar(request.GET)
    return redirect_to_its_space(request, found.space_id) or _detail_answer(request, node_id, bar=bar)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def node_edit(request: ConsoleRequest, node_id: UUID) -> HttpResponse:
    """Change what is known of a node."""
    caller = request.seat.caller
    caller.require(Right.WRITE)
    node = access_node(caller, node_id)
    if request.method != "POST":
        return _detail_answer(request, node_id, form=NodeForm.of(node))
    form, seen = NodeForm.of(node, request.POST), request.POST.get("seen", "")
    if form.is_valid():
        try:
            edit_node(caller=caller, node_id=node_id, changes=form.read_changes(node), seen=seen)
        except NodeChangedError as error:  # saved again, what was typed replaces what was written meanwhile
            show_refusal(form, error)
            return _detail_answer(request, node_id, form=form, status=409)
        except ProductError as error:
            show_refusal(form, error)
        else:
            return show_success(
                request,
                "Saved. What was there before is in its history." if form.has_changed() else "Nothing was changed.",
                fragment=lambda: _detail_answer(request, node_id),
                back=node_url(request.seat, node),
            )
    return _detail_answer(request, node_id, form=form, status=422)


@require_POST
@console_page
def node_revert(request: ConsoleRequest, node_id: UUID) -> HttpResponse:
    """Let a node be again what it was after a step of its history; the undoing comes with its step in the address."""
    request.seat.caller.require(Right.WRITE)
    access_node(request.seat.caller, node_id, with_deleted=True)
    form = NodeRevertForm(request.POST if "step" in request.POST else request.GET)
    if not form.is_valid():
        raise InvalidError("Name the step of the history to which the node is taken back.")
    step, seen = form.cleaned_data["step"], form.cleaned_data["seen"]
    done = revert_node(caller=request.seat.caller, node_id=node_id, step_id=step, seen=seen)
    url = node_url(request.seat, done.node)
    return show_success(
        request,
        "Reverted. What was there until now is in its history.",
        fragment=lambda: _detail_answer(request, node_id),
        back=url,
        undo_url=f"{url}/revert?step={done.undo_step}",
        undo_target="#node",
    )


@require_POST
@console_page
def node_verb(request: ConsoleRequest, node_id: UUID, verb: str) -> HttpResponse:
    """Delete a node or restore it; its edges go and come with it."""
    node = VERBS[verb](caller=request.seat.caller, node_id=node_id)
    url = node_url(request.seat, node)
    said = "Deleted, with its edges. Nothing finds it any more." if verb == "delete" else "Restored, with its edges."
    return show_success(
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
    """Render the catalogue of types."""
    seat = request.seat.alone()
    found = type_catalogue(seat.caller, most=MAX_NODES_COUNTED)
    context = {
        "most": MAX_NODES_COUNTED,
        "nodes": [(one, type_url(seat, one.entry.name)) for one in found if one.entity == Entity.NODE],
        "edges": [one for one in found if one.entity == Entity.EDGE],
        "tabs": tabs(seat, "ontology-types"),
    }
    return render(request, "ontology/types.html", context)


def _draw_list(request: ConsoleRequest, look: NodeListQuery, listed: Listing[NodeRowView]) -> dict[str, Any]:
    """Return what is drawn above the table: the hits of a search, otherwise the newest nodes of the list."""
    seat = request.seat
    is_found = bool(look.query or look.deleted or look.moment)
    nodes = [row.node for row in listed.rows] if is_found else nodes_to_draw(seat.caller, look.narrow, most=MAX_DRAWN)
    drawing = build_drawing(seat, nodes, edges_among(seat.caller, nodes))
    return {"drawn": drawing if nodes else None, "legend": build_legend(seat, nodes), "max_drawn": MAX_DRAWN}


def _list_nodes(request: ConsoleRequest, look: NodeListQuery) -> Listing[NodeRowView]:
    caller = request.seat.caller
    with workspace_scope(caller):
        found = listed_nodes(caller, look.narrow, deleted=look.deleted, moment=look.moment)
        page = read_page(request, found)
        nodes = rewind_nodes(caller, page.records, look.moment.until) if look.moment else page.records
        total = count_in_words(found, "node", "nodes")
        edges = edge_counts(caller, [node.id for node in page.records])
    return page.listing(build_rows(request.seat, nodes, edges, look.bar.query), total=total)


def _search_nodes(request: ConsoleRequest, look: NodeListQuery) -> Listing[NodeRowView]:
    caller = request.seat.caller
    found = search_ontology(caller=caller, query=look.query, narrow=look.narrow, top_k=MAX_HITS, moment=look.moment)
    edges = edge_counts(caller, [hit.node.id for hit in found.hits])
    rows = rows_of_hits(request.seat, found.hits, edges, look.bar.query)
    total = hits_in_words(len(rows), method=found.method, latency_ms=found.latency_ms)
    return Listing(rows, total=total, is_scored=True)


def _detail_answer(
    request: ConsoleRequest,
    node_id: UUID,
    *,
    form: NodeForm | None = None,
    status: int = 200,
    bar: MomentBar = NOW,
) -> HttpResponse:
    caller = request.seat.caller
    with workspace_scope(caller):
        node = access_node(caller, node_id, with_deleted=True)
        context = _detail_context(request.seat, node, bar)
        context |= {"form": form, "types": type_names(caller) if form else ()}
    context |= _moments(recent_node_actions(caller, node, most=MAX_ACTIONS))  # asks the graph, outside of the scope
    template = "ontology/_node.html" if request.htmx.target == "node" else "ontology/node.html"
    return render(request, template, context, status=status)


def _detail_context(seat: ConsoleContext, node: Node, bar: MomentBar) -> dict[str, Any]:
    """Return what is known of a node, or was at another moment, in an open scope."""
    caller = seat.caller
    edges = node_edges(caller, node, most=MAX_LINKS + 1)
    connection = access_connection(caller, node.connection_id) if node.connection_id else None
    mentions = memories_mentioning(caller, node, most=MAX_MENTIONS + 1)
    changes = list(object_changes(caller, node.id)[: MAX_STEPS + 1])
    if bar.is_set:
        until = NodeMoment(bar.as_of, bar.known_at).until
        [node] = rewind_nodes(caller, [node], until)
        changes = [change for change in changes if change.created_at <= until]
    return {
        "bar": bar,
        "node": node,
        "title": node_title(node),
        "citation": build_citation(node).mark,
        "is_memory": node.type in GOVERNED_TYPES,
        "may_edit": may_edit(seat, node) and not bar.is_set,
        "pairs": build_details(seat, node, connection),
        "properties": build_properties(node),
        "links": build_links(seat, node, edges[:MAX_LINKS]),
        "max_links": MAX_LINKS,
        "has_more_links": len(edges) > MAX_LINKS,
        "mentions": mentions[:MAX_MENTIONS],
        "has_more_mentions": len(mentions) > MAX_MENTIONS,
        "steps": step_lines(seat, node, changes[:MAX_STEPS], is_complete=len(changes) <= MAX_STEPS, bar=bar),
        "newest_step": changes[0].id if changes else node.id,
        "has_more_steps": len(changes) > MAX_STEPS,
        "mark": find_mark(type_marks(caller), node.type),
        "actions_looked_at": f"{ACTIONS_LOOKED_AT:,}",
        "origins": extraction_origins(node.provenance),
    }


def _moments(done: ActionsShown) -> dict[str, Any]:
    return {"moments": build_moments(done.actions), "has_all_moments": done.is_complete}
