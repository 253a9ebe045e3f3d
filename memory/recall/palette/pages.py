"""The palette: pages, verbs and what is stored, as one types; without script a page with the same results."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory.recall.palette.selectors import find_objects, recent_objects
from memory.recall.palette.view_models import build_groups, count_entries
from workspaces.http.console import ConsoleRequest, console_page

MAX_CHARACTERS = 200


@require_safe
@console_page
def palette(request: ConsoleRequest) -> HttpResponse:
    """Render what fits `q`, as the page of a search or as the list of the dialog; at most twelve results."""
    seat = request.seat
    query = " ".join(request.GET.get("q", "")[:MAX_CHARACTERS].split())
    found = find_objects(seat.caller, query) if query else recent_objects(seat.caller)
    groups = build_groups(seat, query, found)
    context = {"query": query, "groups": groups, "number": count_entries(groups)}
    return render(request, "palette/_results.html" if request.htmx else "palette/page.html", context)
