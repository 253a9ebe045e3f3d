"""Console pages of Agents: the timeline, a sequence, patterns and what people say to them, benchmarks and metrics."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseLocation
from rest_framework.request import Request

from core.errors import ProductError
from core.http.pages import CursorPages
from telemetry import console, selectors
from telemetry.forms import AnnotationForm, MetricForm, PatternFilter, TimelineFilter, narrowed
from telemetry.models import Metric, PatternStatus
from telemetry.services import governing, metrics, mining
from workspaces.callers import Right
from workspaces.console import ConsoleRequest, came_from, console_page, done, show_refusal
from workspaces.scope import workspace_scope
from workspaces.switches import is_memory_enabled

MOST_ACTIONS = 500
MOST_PATTERNS = 200
# Enough sequences to tell which agents are at work.
RECENT = 200


@require_safe
@console_page
def timeline(request: ConsoleRequest) -> HttpResponse:
    """What agents did, the latest first. The first page asks for news by itself, and is told when there are none."""
    seat, pages = request.seat, CursorPages()
    narrow = narrowed(TimelineFilter, request.GET)
    with workspace_scope(seat.caller):
        page = pages.paginate_queryset(selectors.sequences_of(seat.caller, narrow), Request(request)) or []
        recent = list(selectors.sequences_of(seat.caller)[:RECENT])
    seen = selectors.mark_of(page)
    if request.htmx.target == "timeline" and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    context = {
        "tabs": console.tabs(seat, "agents"),
        "lines": console.timeline_lines(seat, page),
        "chips": console.timeline_chips(narrow, recent) if recent else [],
        "clear_url": reverse("agents", args=[seat.workspace.slug]) if narrow else "",
        "previous": pages.get_previous_link(),
        "next": pages.get_next_link(),
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
    found = selectors.access_sequence(seat.caller, sequence_id)
    with workspace_scope(seat.caller):
        actions = list(selectors.actions_in(seat.caller, found)[: MOST_ACTIONS + 1])
        warnings = list(selectors.warnings_in(seat.caller, found))
    context = {
        "sequence": found,
        "duration": console.duration(found.duration),
        "lines": console.action_lines(actions[:MOST_ACTIONS]),
        "has_more": len(actions) > MOST_ACTIONS,
        "warnings": [(warning, console.pattern_url(seat, warning.pattern)) for warning in warnings],
    }
    return render(request, "agents/sequence.html", context)


@require_safe
@console_page
def patterns(request: ConsoleRequest) -> HttpResponse:
    """What keeps going wrong, the surest and commonest first."""
    seat = request.seat
    narrow = narrowed(PatternFilter, request.GET)
    by = {**narrow, **({"suppressed": True} if "suppressed" in narrow else {})}
    with workspace_scope(seat.caller):
        found = list(selectors.ranked_patterns(seat.caller, by)[:MOST_PATTERNS])
        has_any = bool(found) or selectors.patterns_of(seat.caller).exists()
    context = {
        "tabs": console.tabs(seat, "agent-patterns"),
        "lines": console.pattern_lines(seat, found),
        "chips": console.pattern_chips(narrow) if has_any else [],
        "clear_url": reverse("agent-patterns", args=[seat.workspace.slug]) if narrow else "",
        "may_write": seat.caller.may(Right.WRITE),
        "is_memory_enabled": is_memory_enabled(seat.workspace),
    }
    return render(request, "agents/patterns.html", context)


@require_POST
@console_page
def evaluate(request: ConsoleRequest) -> HttpResponse:
    """Look for patterns now."""
    found = mining.evaluate_patterns(caller=request.seat.caller)
    text = f"Evaluated. {len(found.promoted)} promoted, {len(found.retired)} retired."
    back = reverse("agent-patterns", args=[request.seat.workspace.slug])
    return done(request, text, fragment=lambda: _led_to(back), back=back)


@require_safe
@console_page
def pattern(request: ConsoleRequest, pattern_id: UUID) -> HttpResponse:
    """One pattern: how sure it is, what agents are told, and what telling them changed."""
    return _pattern_answer(request, pattern_id)


@require_POST
@console_page
def annotate(request: ConsoleRequest, pattern_id: UUID) -> HttpResponse:
    """Note something on a pattern."""
    form = AnnotationForm(request.POST)
    if not form.is_valid():
        return _pattern_answer(request, pattern_id, form=form, status=422)
    note = form.cleaned_data["annotation"]
    found = governing.annotate_pattern(caller=request.seat.caller, pattern_id=pattern_id, annotation=note)
    return done(
        request,
        "Noted. Agents read it with the next warning." if note else "The note is gone.",
        fragment=lambda: _pattern_answer(request, pattern_id),
        back=console.pattern_url(request.seat, found),
    )


@require_POST
@console_page
def suppress(request: ConsoleRequest, pattern_id: UUID, suppressed: bool) -> HttpResponse:
    """Keep a pattern from agents, or tell them again."""
    found = governing.annotate_pattern(caller=request.seat.caller, pattern_id=pattern_id, suppressed=suppressed)
    url = console.pattern_url(request.seat, found)
    return done(
        request,
        "Suppressed. No agent is told of it." if suppressed else "Lifted. Agents are told of it again.",
        fragment=lambda: _pattern_answer(request, pattern_id),
        back=came_from(request, url),
        undo_url=f"{url}/{'unsuppress' if suppressed else 'suppress'}",
        undo_target="#pattern",
    )


@require_safe
@console_page
def benchmarks(request: ConsoleRequest) -> HttpResponse:
    """Every metric with its values."""
    seat = request.seat
    known = metrics.metrics_of(seat.caller)
    context = {
        "tabs": console.tabs(seat, "agent-benchmarks"),
        "panels": [console.metric_panel(seat, history) for history in selectors.histories_of(seat.caller, known)],
        "may_write": seat.caller.may(Right.WRITE),
        "is_memory_enabled": is_memory_enabled(seat.workspace),
    }
    return render(request, "agents/benchmarks.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def new_metric(request: ConsoleRequest) -> HttpResponse:
    """Write a metric, try it, and keep it."""
    request.seat.caller.require(Right.WRITE)
    form = MetricForm(request.POST if request.method == "POST" else None)
    return _edited(request, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def metric(request: ConsoleRequest, metric_id: UUID) -> HttpResponse:
    """One metric: its values and how they come about; one of the workspace's own can be changed."""
    found = selectors.access_metric(request.seat.caller, str(metric_id))
    if request.method == "POST":
        request.seat.caller.require(Right.WRITE)
    return _edited(request, MetricForm.of(found, request.POST if request.method == "POST" else None), found)


@require_POST
@console_page
def back_fill(request: ConsoleRequest, metric_id: UUID) -> HttpResponse:
    """Measure the past, in the background."""
    found = metrics.change_metric(caller=request.seat.caller, metric_id=metric_id, changes={}, back_fill=True)
    text = "The past is being measured in the background. Reload in a moment."
    back = console.metric_url(request.seat, found)
    return done(request, text, fragment=lambda: HttpResponse(status=204), back=back)


def _edited(request: ConsoleRequest, form: MetricForm, known: Metric | None) -> HttpResponse:
    """The editor, with what a trial said, or after saving the metric's page."""
    trial: dict[str, Any] | None = None
    status = 422 if form.is_bound and not form.is_valid() else 200
    if form.is_bound and form.is_valid():
        try:
            if "try" not in request.POST:
                return _saved(request, form, known)
            trial = _trial(request, form)
        except ProductError as error:
            show_refusal(form, error)
            status = 422
    return _metric_answer(request, form, known, trial, status)


def _trial(request: ConsoleRequest, form: MetricForm) -> dict[str, Any]:
    found = metrics.try_metric(caller=request.seat.caller, new=form.metric())
    lines = console.trial_lines(Metric(aggregation=form.metric().aggregation, measure=form.metric().measure), found)
    return {"lines": lines, "days": len(found)}


def _saved(request: ConsoleRequest, form: MetricForm, known: Metric | None) -> HttpResponse:
    caller = request.seat.caller
    if known is None:
        kept = metrics.create_metric(caller=caller, new=form.metric(), back_fill=True)
        text = "Made. The past is being measured in the background."
    else:
        changes = {name: value for name, value in form.typed().items() if getattr(known, name) != value}
        kept = metrics.change_metric(caller=caller, metric_id=known.id, changes=changes, back_fill=bool(changes))
        text = "Saved. The past is being measured again in the background." if changes else "Nothing was changed."
    back = console.metric_url(request.seat, kept)
    return done(request, text, fragment=lambda: _led_to(back), back=back)


def _led_to(url: str) -> HttpResponse:
    """The page at the address in place of this one, without a page load."""
    return HttpResponseLocation(url, target="#content", select="#content", swap="outerHTML")


def _metric_answer(
    request: ConsoleRequest, form: MetricForm, known: Metric | None, trial: dict[str, Any] | None, status: int
) -> HttpResponse:
    seat = request.seat
    context: dict[str, Any] = {
        "form": form,
        "metric": known,
        "trial": trial,
        "may_write": seat.caller.may(Right.WRITE),
        "may_edit": seat.caller.may(Right.WRITE) and not (known and known.is_builtin),
    }
    if known:
        context["panel"] = console.metric_panel(seat, selectors.history_of(seat.caller, known))
        context["pairs"] = console.definition(known)
    template = "agents/_metric_form.html" if request.htmx.target == "metric-form" else "agents/metric.html"
    return render(request, template, context, status=status)


def _pattern_answer(
    request: ConsoleRequest, pattern_id: UUID, *, form: AnnotationForm | None = None, status: int = 200
) -> HttpResponse:
    seat = request.seat
    found = selectors.access_pattern(seat.caller, pattern_id)
    context = {
        "pattern": found,
        "url": console.pattern_url(seat, found),
        "told": console.told_line(found),
        "arms": console.effect_arms(found),
        "effect": console.effect_in_words(found),
        "met_url": console.met_url(seat, found),
        "is_promoted": found.status == PatternStatus.PROMOTED,
        "form": form or AnnotationForm(initial={"annotation": found.annotation}),
        "may_write": seat.caller.may(Right.WRITE),
    }
    template = "agents/_pattern.html" if request.htmx.target == "pattern" else "agents/pattern.html"
    return render(request, template, context, status=status)
