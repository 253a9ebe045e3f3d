"""Console pages of patterns: the list, one pattern, its annotation and suppression."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from rest_framework.request import Request

from core.http.pagination import paginate
from telemetry.actions.selectors import Narrow
from telemetry.models import PatternStatus
from telemetry.patterns.forms import AnnotationForm, PatternFilter
from telemetry.patterns.selectors import access_pattern, pattern_ranks, workspace_patterns
from telemetry.patterns.services import evaluation, pattern_admin
from telemetry.patterns.view_models import (
    PatternLine,
    effect_arms,
    effect_in_words,
    occurrences_url,
    pattern_chips,
    pattern_lines,
    pattern_url,
    prompt_line,
)
from telemetry.sequences.forms import valid_filters
from telemetry.sequences.view_models import tabs
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import (
    ConsoleRequest,
    console_page,
    redirect_to_its_space,
    redirect_without_reload,
    referring_page,
    show_success,
)
from workspaces.http.console_lists import ROWS, Filters, Listing, number_in_words
from workspaces.settings.workspace_settings import is_memory_enabled

# Of those that are paged through; the commonest come first.
MAX_PATTERNS = 1_000


@require_safe
@console_page
def patterns(request: ConsoleRequest) -> HttpResponse:
    """Render what keeps going wrong, the surest and commonest first."""
    seat = request.seat.alone()
    narrow = valid_filters(PatternFilter, request.GET)
    by = {**narrow, **({"suppressed": True} if "suppressed" in narrow else {})}
    with workspace_scope(seat.caller):
        listing = _list_patterns(request, seat, by)
        has_any = bool(listing.rows) or workspace_patterns(seat.caller).exists()
    context = {
        "tabs": tabs(seat, "agent-patterns"),
        "listing": listing,
        "chips": pattern_chips(narrow) if has_any else [],
        "clear_url": Filters.single(narrow).clear_url,
        "may_write": seat.caller.may(Right.WRITE),
        "is_memory_enabled": is_memory_enabled(seat.workspace),
    }
    return render(request, "agents/patterns.html", context)


def _list_patterns(request: ConsoleRequest, seat: ConsoleContext, narrow: Narrow) -> Listing[PatternLine]:
    """Return the page that the address asks for, in an open scope."""
    ranks = pattern_ranks(seat.caller, narrow, most=MAX_PATTERNS + 1)
    page = paginate(Request(request), ranks[:MAX_PATTERNS], key=lambda rank: rank, page_size=ROWS)
    ids = [UUID(identity) for *_, identity in page["results"]]
    found = workspace_patterns(seat.caller).in_bulk(ids)
    lines = pattern_lines(seat, [found[each] for each in ids if each in found])
    total = number_in_words(len(ranks), "pattern", "patterns", most=MAX_PATTERNS)
    return Listing(lines, page["previous"], page["next"], total)


@require_POST
@console_page
def evaluate(request: ConsoleRequest) -> HttpResponse:
    """Look for patterns now."""
    found = evaluation.evaluate_patterns(caller=request.seat.caller)
    text = f"Evaluated. {len(found.promoted)} promoted, {len(found.retired)} retired."
    back = reverse("agent-patterns", args=[request.seat.workspace.slug])
    return show_success(request, text, fragment=lambda: redirect_without_reload(back), back=back)


@require_safe
@console_page
def pattern(request: ConsoleRequest, pattern_id: UUID) -> HttpResponse:
    """One pattern: how sure it is, the warning that agents get, and its effect."""
    found = access_pattern(request.seat.caller, pattern_id)
    return redirect_to_its_space(request, found.space_id) or _pattern_answer(request, pattern_id)


@require_POST
@console_page
def annotate(request: ConsoleRequest, pattern_id: UUID) -> HttpResponse:
    """Note something on a pattern."""
    form = AnnotationForm(request.POST)
    if not form.is_valid():
        return _pattern_answer(request, pattern_id, form=form, status=422)
    note = form.cleaned_data["annotation"]
    found = pattern_admin.annotate_pattern(caller=request.seat.caller, pattern_id=pattern_id, annotation=note)
    return show_success(
        request,
        "Noted. Agents read it with the next warning." if note else "The note is gone.",
        fragment=lambda: _pattern_answer(request, pattern_id),
        back=pattern_url(request.seat, found),
    )


@require_POST
@console_page
def suppress(request: ConsoleRequest, pattern_id: UUID, suppressed: bool) -> HttpResponse:
    """Keep a pattern from agents, or tell them again."""
    found = pattern_admin.annotate_pattern(caller=request.seat.caller, pattern_id=pattern_id, suppressed=suppressed)
    url = pattern_url(request.seat, found)
    return show_success(
        request,
        "Suppressed. Agents no longer see it." if suppressed else "Lifted. Agents see it again.",
        fragment=lambda: _pattern_answer(request, pattern_id),
        back=referring_page(request, url),
        undo_url=f"{url}/{'unsuppress' if suppressed else 'suppress'}",
        undo_target="#pattern",
    )


def _pattern_answer(
    request: ConsoleRequest, pattern_id: UUID, *, form: AnnotationForm | None = None, status: int = 200
) -> HttpResponse:
    seat = request.seat
    found = access_pattern(seat.caller, pattern_id)
    context = {
        "pattern": found,
        "url": pattern_url(seat, found),
        "told": prompt_line(found),
        "arms": effect_arms(found),
        "effect": effect_in_words(found),
        "occurrences_url": occurrences_url(seat, found),
        "is_promoted": found.status == PatternStatus.PROMOTED,
        "form": form or AnnotationForm(initial={"annotation": found.annotation}),
        "may_write": seat.caller.may(Right.WRITE),
    }
    template = "agents/_pattern.html" if request.htmx.target == "pattern" else "agents/pattern.html"
    return render(request, template, context, status=status)
