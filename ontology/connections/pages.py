"""Console pages of connections: the list, deletion and its progress."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import ProductError
from ontology.connections.forms import ConnectionForm
from ontology.connections.selectors import ConnectionShown, access_connection, recent_connections
from ontology.connections.services import add_connection, delete_connection
from ontology.nodes_and_edges.view_models import tabs
from workspaces.access.callers import Right
from workspaces.http.console import ConsoleRequest, console_page, show_refusal, show_success


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def connections(request: ConsoleRequest) -> HttpResponse:
    """List the connections through which nodes come in, and create one."""
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
            return show_success(
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
    return show_success(
        request,
        said,
        fragment=lambda: _connections_answer(request, ConnectionForm()),
        back=reverse("ontology-connections", args=[request.seat.workspace.slug]),
    )


@require_safe
@console_page
def connection_progress(request: ConsoleRequest, connection_id: UUID) -> HttpResponse:
    """Render how far the removal of a connection is; the page asks again until it is done."""
    found = access_connection(request.seat.caller, connection_id)
    return render(request, "ontology/_removal.html", {"shown": ConnectionShown(found)})


def _connections_answer(request: ConsoleRequest, form: ConnectionForm, *, status: int = 200) -> HttpResponse:
    seat = request.seat.alone()
    context = {
        "connections": recent_connections(seat.caller),
        "form": form,
        "may_write": seat.caller.may(Right.WRITE),
        "may_delete": seat.caller.may(Right.ADMIN),
        "tabs": tabs(seat, "ontology-connections"),
    }
    is_part = request.htmx.target == "connections"
    template = "ontology/_connections.html" if is_part else "ontology/connections.html"
    return render(request, template, context, status=status)
