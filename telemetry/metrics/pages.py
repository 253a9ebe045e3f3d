"""Console pages of metrics: benchmarks, one metric, a new one, its days measured afterwards."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import ProductError
from telemetry.metrics.forms import MetricForm
from telemetry.metrics.selectors import access_metric, metric_histories, metric_history
from telemetry.metrics.services import metrics
from telemetry.metrics.view_models import definition, metric_panel, metric_url, trial_lines
from telemetry.models import Metric
from telemetry.sequences.view_models import tabs
from workspaces.access.callers import Right
from workspaces.http.console import ConsoleRequest, console_page, redirect_without_reload, show_refusal, show_success
from workspaces.settings.workspace_settings import is_memory_enabled


@require_safe
@console_page
def benchmarks(request: ConsoleRequest) -> HttpResponse:
    """Render every metric with its values."""
    seat = request.seat
    known = metrics.workspace_metrics(seat.caller)
    context = {
        "tabs": tabs(seat, "agent-benchmarks"),
        "panels": [metric_panel(seat, history) for history in metric_histories(seat.caller, known)],
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
    return _render_editor(request, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def metric(request: ConsoleRequest, metric_id: UUID) -> HttpResponse:
    """One metric: its values and how they come about; one of the workspace's own can be changed."""
    found = access_metric(request.seat.caller, str(metric_id))
    if request.method == "POST":
        request.seat.caller.require(Right.WRITE)
    return _render_editor(request, MetricForm.of(found, request.POST if request.method == "POST" else None), found)


@require_POST
@console_page
def back_fill(request: ConsoleRequest, metric_id: UUID) -> HttpResponse:
    """Measure the past, in the background."""
    found = metrics.change_metric(caller=request.seat.caller, metric_id=metric_id, changes={}, back_fill=True)
    text = "The past is being measured in the background. Reload in a moment."
    back = metric_url(request.seat, found)
    return show_success(request, text, fragment=lambda: HttpResponse(status=204), back=back)


@require_POST
@console_page
def delete_metric(request: ConsoleRequest, metric_id: UUID) -> HttpResponse:
    """Delete a metric with all of its values."""
    gone = metrics.delete_metric(caller=request.seat.caller, address=str(metric_id))
    back = reverse("agent-benchmarks", args=[request.seat.workspace.slug])
    return show_success(request, f"Deleted {gone.name}.", fragment=lambda: redirect_without_reload(back), back=back)


def _render_editor(request: ConsoleRequest, form: MetricForm, known: Metric | None) -> HttpResponse:
    """Render the editor, with what a trial said, or after saving the metric's page."""
    trial: dict[str, Any] | None = None
    status = 422 if form.is_bound and not form.is_valid() else 200
    if form.is_bound and form.is_valid():
        try:
            if "try" not in request.POST:
                return _redirect_saved(request, form, known)
            trial = _trial(request, form)
        except ProductError as error:
            show_refusal(form, error)
            status = 422
    return _metric_answer(request, form, known, trial, status)


def _trial(request: ConsoleRequest, form: MetricForm) -> dict[str, Any]:
    found = metrics.try_metric(caller=request.seat.caller, new=form.metric())
    lines = trial_lines(Metric(aggregation=form.metric().aggregation, measure=form.metric().measure), found)
    return {"lines": lines, "days": len(found)}


def _redirect_saved(request: ConsoleRequest, form: MetricForm, known: Metric | None) -> HttpResponse:
    caller = request.seat.caller
    if known is None:
        kept = metrics.create_metric(caller=caller, new=form.metric(), back_fill=True)
        text = "Made. The past is being measured in the background."
    else:
        changes = {name: value for name, value in form.service_arguments().items() if getattr(known, name) != value}
        kept = metrics.change_metric(caller=caller, metric_id=known.id, changes=changes, back_fill=bool(changes))
        text = "Saved. The past is being measured again in the background." if changes else "Nothing was changed."
    back = metric_url(request.seat, kept)
    return show_success(request, text, fragment=lambda: redirect_without_reload(back), back=back)


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
        context["panel"] = metric_panel(seat, metric_history(seat.caller, known))
        context["pairs"] = definition(known)
    template = "agents/_metric_form.html" if request.htmx.target == "metric-form" else "agents/metric.html"
    return render(request, template, context, status=status)
