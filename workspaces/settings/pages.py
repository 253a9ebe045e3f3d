"""Console pages of Settings → Memory and Settings → Retention, and the memory switch."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import ProductError
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext, current_workspace
from workspaces.access.staff_sessions import staff_visits
from workspaces.http.console import (
    ConsoleRequest,
    console_page,
    referring_page,
    settings_tabs,
    show_refusal,
    show_success,
)
from workspaces.settings.forms import MemorySettingsForm, RetentionForm, SettingsForm
from workspaces.settings.review_forms import ReviewPolicyForm
from workspaces.settings.selectors import last_retention_report
from workspaces.settings.services import change_settings, set_memory_enabled
from workspaces.settings.workspace_settings import memory_settings


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def memory_settings_page(request: ConsoleRequest) -> HttpResponse:
    """Render the switch, what contexts hold, and what waits for a person."""
    return _settings_page(request, MemorySettingsForm, "workspaces/settings_memory.html", _memory_context(request.seat))


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def retention_settings_page(request: ConsoleRequest) -> HttpResponse:
    """Render how long things stay, and what was deleted last."""
    seat = request.seat
    context = {
        "form_url": reverse("settings-retention", args=[seat.workspace.slug]),
        "report": last_retention_report(seat.caller),
        "may_change": seat.caller.may(Right.ADMIN),
        "tabs": settings_tabs(seat, "settings-retention"),
    }
    return _settings_page(request, RetentionForm, "workspaces/settings_retention.html", context)


def _settings_page(
    request: ConsoleRequest, form_type: type[SettingsForm], page: str, context: dict[str, Any]
) -> HttpResponse:
    """Render a form of settings; on POST save it, or return it with what was refused (422)."""
    seat, fragment = request.seat, "workspaces/_settings_form.html"
    if request.method != "POST":
        return render(request, page, {**context, "form": form_type.of(current_workspace(seat.caller))})
    seat.caller.require(Right.ADMIN)
    form = form_type(request.POST)
    if form.is_valid():
        try:
            workspace = change_settings(caller=seat.caller, **form.changes())
        except ProductError as error:
            show_refusal(form, error)
        else:
            saved = {**context, "form": form_type.of(workspace)}
            return show_success(request, "Saved.", fragment=lambda: render(request, fragment, saved), back=request.path)
    return render(request, fragment if request.htmx else page, {**context, "form": form}, status=422)


@require_POST
@console_page
def memory_switch(request: ConsoleRequest) -> HttpResponse:
    """Turn memory on or off."""
    is_on = request.POST.get("on") == "true"
    set_memory_enabled(caller=request.seat.caller, enabled=is_on)
    return show_success(
        request,
        "Memory is on. What agents do from now on is remembered; nothing is filled in for the past."
        if is_on
        else "Memory is off. Everything kept so far stays, and can still be searched and edited.",
        fragment=lambda: render(request, "workspaces/_switched.html", _memory_context(request.seat)),
        back=referring_page(request, reverse("settings-memory", args=[request.seat.workspace.slug])),
    )


@require_POST
@console_page
def review_policy_change(request: ConsoleRequest) -> HttpResponse:
    """Change what waits for a person before agents read it."""
    request.seat.caller.require(Right.ADMIN)
    form, template = ReviewPolicyForm(request.POST), "workspaces/_review_form.html"
    if not form.is_valid():
        fragment = template if request.htmx else "workspaces/settings_memory.html"
        return render(request, fragment, {**_memory_context(request.seat), "review_form": form}, status=422)
    change_settings(caller=request.seat.caller, memory={"review": form.changes()})
    return show_success(
        request,
        "Saved. It counts for what comes in from now on.",
        fragment=lambda: render(request, template, _memory_context(request.seat)),
        back=reverse("settings-memory", args=[request.seat.workspace.slug]),
    )


def _memory_context(seat: ConsoleContext) -> dict[str, Any]:
    workspace = current_workspace(seat.caller)
    settings = memory_settings(workspace)
    return {
        "settings": settings,
        "form_url": reverse("settings-memory", args=[seat.workspace.slug]),
        "visits": staff_visits(seat.caller) if seat.caller.may(Right.ADMIN) else [],
        "form": MemorySettingsForm.of(workspace),
        "review_form": ReviewPolicyForm.of(settings.review),
        "may_change": seat.caller.may(Right.ADMIN),
        "may_switch": seat.caller.may(Right.WRITE),
        "tabs": settings_tabs(seat, "settings-memory"),
    }
