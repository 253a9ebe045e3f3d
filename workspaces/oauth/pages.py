"""Console pages of Settings → Connected apps."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from workspaces.access.callers import Right
from workspaces.access.selectors import workspace_apps
from workspaces.http.console import ConsoleRequest, console_page, settings_tabs, show_success
from workspaces.oauth.services.connected_apps import withdraw_app


@require_safe
@console_page
def connected_apps(request: ConsoleRequest) -> HttpResponse:
    """Render the programs that were let in by signing in: one's own, for admins everybody's."""
    return _apps_answer(request)


@require_POST
@console_page
def app_withdraw(request: ConsoleRequest, app_id: UUID) -> HttpResponse:
    """Withdraw a connected app for good."""
    app = withdraw_app(caller=request.seat.caller, app_id=app_id)
    return show_success(
        request,
        f"Withdrew {app.name}. Its calls are refused from now on.",
        fragment=lambda: _apps_answer(request),
        back=reverse("settings-apps", args=[request.seat.workspace.slug]),
    )


def _apps_answer(request: ConsoleRequest) -> HttpResponse:
    template = "workspaces/_apps.html" if request.htmx else "workspaces/settings_apps.html"
    context = {
        "apps": workspace_apps(request.seat.caller),
        "sees_all": request.seat.caller.may(Right.ADMIN),
        "tabs": settings_tabs(request.seat, "settings-apps"),
        "mcp_url": request.build_absolute_uri("/mcp"),
    }
    return render(request, template, context)
