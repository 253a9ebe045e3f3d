"""Console pages of Live: what happens now, and what its script asks for."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from telemetry.live.forms import LiveFilter, read_place
from telemetry.live.selectors import EventPage, EventsUnavailableError, later_events, newest_events
from telemetry.live.view_models import event_lines, live_chips
from telemetry.sequences.forms import valid_filters
from workspaces.http.console import ConsoleRequest, console_page
from workspaces.http.console_lists import Filters

MAX_LINES = 100


@require_safe
@console_page
def live(request: ConsoleRequest) -> HttpResponse:
    """Render the latest events, newest first; for the script, the rows behind one, and 204 when there are none."""
    seat, narrow = request.seat, valid_filters(LiveFilter, request.GET)
    after = read_place(request.GET.get("after"))
    if request.htmx and after:
        page = later_events(seat.caller, after, narrow=narrow, most=MAX_LINES)
        if not page.events:
            return HttpResponse(status=204)
        return render(request, "live/_rows.html", {"lines": event_lines(seat, page.events)})
    before = read_place(request.GET.get("before"))
    is_away = False
    try:
        page = newest_events(seat.caller, narrow=narrow, most=MAX_LINES, before=before)
    except EventsUnavailableError:
        page, is_away = EventPage(), True
    filters = Filters.single(narrow)
    context = {
        "lines": event_lines(seat, page.events),
        "chips": live_chips(narrow, page.events),
        "clear_url": filters.clear_url,
        "here": _address(request, narrow),
        "place": page.place,
        "earlier_url": _address(request, {**narrow, "before": page.events[0].id}) if page.has_earlier else "",
        "is_earlier": bool(before),
        "is_away": is_away,
    }
    return render(request, "live/page.html", context)


@require_safe
@console_page
def counters(request: ConsoleRequest) -> HttpResponse:
    """Render the numbers in the rail, for pages that follow the stream."""
    return render(request, "live/_counters.html")


def _address(request: ConsoleRequest, given: dict[str, str]) -> str:
    """Return the address of Live with these parameters."""
    query = Filters.single(given).given.urlencode()
    here = reverse("live", args=[request.seat.workspace.slug])
    return f"{here}?{query}" if query else here
