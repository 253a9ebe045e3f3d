"""Console pages of sequences: the timeline, and one sequence."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from telemetry.patterns.view_models import pattern_url
from telemetry.sequences.call_words import summary_in_words
from telemetry.sequences.forms import TimelineFilter, valid_filters
from telemetry.sequences.selectors import (
    access_sequence,
    list_version,
    sequence_actions,
    sequence_warnings,
    workspace_sequences,
)
from telemetry.sequences.view_models import action_lines, duration, tabs, timeline_chips, timeline_lines
from workspaces.access.scope import workspace_scope
from workspaces.http.console import ConsoleRequest, console_page
from workspaces.http.console_lists import Filters, read_page
from workspaces.settings.workspace_settings import is_memory_enabled

MAX_ACTIONS = 500
# Enough sequences to tell which agents are at work.
MAX_RECENT = 200


@require_safe
@console_page
def timeline(request: ConsoleRequest) -> HttpResponse:
    """Render what agents did, the latest first. The first page polls for new rows, and gets 204 when there are none."""
    seat = request.seat.alone()
    narrow = valid_filters(TimelineFilter, request.GET)
    with workspace_scope(seat.caller):
        page = read_page(request, workspace_sequences(seat.caller, narrow), counted_as=("sequence", "sequences"))
        recent = list(workspace_sequences(seat.caller)[:MAX_RECENT])
    seen = list_version(page.records)
    if request.htmx.target == "timeline" and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    context = {
        "tabs": tabs(seat, "agents"),
        "listing": page.listing(timeline_lines(seat, page.records)),
        "chips": timeline_chips(narrow, recent) if recent else [],
        "clear_url": Filters.single(narrow).clear_url,
        "agent": narrow.get("agent", ""),
        "seen": seen,
        "is_live": not request.GET.get("cursor"),
        "is_memory_enabled": is_memory_enabled(seat.workspace),
    }
    template = "agents/_timeline.html" if request.htmx.target == "timeline" else "agents/timeline.html"
    return render(request, template, context)


@require_safe
@console_page
def sequence(request: ConsoleRequest, sequence_id: UUID) -> HttpResponse:
    """One sequence: its actions in order."""
    seat = request.seat
    found = access_sequence(seat.caller, sequence_id)
    with workspace_scope(seat.caller):
        actions = list(sequence_actions(seat.caller, found)[: MAX_ACTIONS + 1])
        warnings = list(sequence_warnings(seat.caller, found))
    context = {
        "sequence": found,
        "summary": summary_in_words(found.intent.summary),
        "duration": duration(found.duration) if found.duration_ms else "",
        "lines": action_lines(actions[:MAX_ACTIONS]),
        "has_more": len(actions) > MAX_ACTIONS,
        "warnings": [(warning, pattern_url(seat, warning.pattern)) for warning in warnings],
    }
    return render(request, "agents/sequence.html", context)
