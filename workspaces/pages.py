"""Console pages of a workspace: signing in, where to begin, Settings → Memory, Connected apps and API keys."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import retarget

from core.errors import ProductError
from workspaces.callers import Right
from workspaces.console import ConsoleRequest, console_page, done, settings_tabs, show_refusal
from workspaces.forms import KeyForm, MemorySettingsForm
from workspaces.models import User
from workspaces.selectors import Seat, apps_of, keys_of, workspace_of, workspaces_of
from workspaces.services.connecting import withdraw_app
from workspaces.services.keys import NewKey, create_key, revoke_key
from workspaces.services.switching import change_settings, set_memory_enabled
from workspaces.signing_in import SignInForm
from workspaces.switches import memory_settings


class SignIn(LoginView):
    """Address and password; afterwards the page that was asked for."""

    template_name = "registration/login.html"
    form_class = SignInForm
    redirect_authenticated_user = True


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """The first workspace's memory; for a person without one, what to do about it."""
    assert isinstance(request.user, User)  # noqa: S101  # login_required has seen to it; this tells the type checker
    mine = workspaces_of(request.user)
    return redirect("memory", slug=mine[0].slug) if mine else render(request, "workspaces/none.html")


@require_safe
@console_page
def begin(request: ConsoleRequest) -> HttpResponse:
    """The first page of the address's workspace."""
    return redirect("memory", slug=request.seat.workspace.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def memory_settings_page(request: ConsoleRequest) -> HttpResponse:
    """The switch, the retention window, the token budget."""
    page, seat = "workspaces/settings_memory.html", request.seat
    if request.method != "POST":
        return render(request, page, _memory_context(seat))
    form = MemorySettingsForm(request.POST)
    if form.is_valid():
        try:
            change_settings(caller=seat.caller, memory=form.cleaned_data)
        except ProductError as error:
            show_refusal(form, error)
        else:
            return done(
                request,
                "Saved.",
                fragment=lambda: render(request, "workspaces/_memory_form.html", {"form": form}),
                back=request.path,
            )
    fragment = "workspaces/_memory_form.html" if request.htmx else page
    return render(request, fragment, {**_memory_context(seat), "form": form}, status=422)


@require_POST
@console_page
def memory_switch(request: ConsoleRequest) -> HttpResponse:
    """Turn memory on or off."""
    is_on = request.POST.get("on") == "true"
    set_memory_enabled(caller=request.seat.caller, enabled=is_on)
    return done(
        request,
        "Memory is on. What agents do from now on is remembered; nothing is filled in for the past."
        if is_on
        else "Memory is off. Everything kept so far stays, and can still be searched and edited.",
        fragment=lambda: render(request, "workspaces/_switched.html", _memory_context(request.seat)),
        back=reverse("settings-memory", args=[request.seat.workspace.slug]),
    )


@require_safe
@console_page
def api_keys(request: ConsoleRequest) -> HttpResponse:
    """The workspace's keys."""
    return _keys_answer(request)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def api_key_new(request: ConsoleRequest) -> HttpResponse:
    """Make a key. Its secret is in the answer to the POST and nowhere else."""
    request.seat.caller.require(Right.ADMIN)
    form = KeyForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = create_key(
                caller=request.seat.caller,
                name=form.cleaned_data["name"],
                scopes=[Right(scope) for scope in form.cleaned_data["scopes"]],
                expires_at=form.expires_at(),
                owner=request.user.id,
            )
        except ProductError as error:
            show_refusal(form, error)
        else:
            return retarget(_keys_answer(request, made), "#api-keys")
    template = "workspaces/_key_form.html" if request.htmx else "workspaces/new_api_key.html"
    return render(request, template, {"form": form}, status=422 if form.is_bound else 200)


@require_POST
@console_page
def api_key_revoke(request: ConsoleRequest, key_id: UUID) -> HttpResponse:
    """Revoke a key for good."""
    key = revoke_key(caller=request.seat.caller, key_id=key_id)
    return done(
        request,
        f"Revoked {key.name}. Calls with this key are refused from now on.",
        fragment=lambda: _keys_answer(request),
        back=reverse("settings-api-keys", args=[request.seat.workspace.slug]),
    )


@require_safe
@console_page
def connected_apps(request: ConsoleRequest) -> HttpResponse:
    """The programs that were let in by signing in: one's own, for admins everybody's."""
    return _apps_answer(request)


@require_POST
@console_page
def app_withdraw(request: ConsoleRequest, app_id: UUID) -> HttpResponse:
    """Withdraw a connected app for good."""
    app = withdraw_app(caller=request.seat.caller, app_id=app_id)
    return done(
        request,
        f"Withdrew {app.name}. Its calls are refused from now on.",
        fragment=lambda: _apps_answer(request),
        back=reverse("settings-apps", args=[request.seat.workspace.slug]),
    )


def _apps_answer(request: ConsoleRequest) -> HttpResponse:
    template = "workspaces/_apps.html" if request.htmx else "workspaces/settings_apps.html"
    context = {
        "apps": apps_of(request.seat.caller),
        "sees_all": request.seat.caller.may(Right.ADMIN),
        "tabs": settings_tabs(request.seat, "settings-apps"),
        "mcp_url": request.build_absolute_uri("/mcp"),
    }
    return render(request, template, context)


def _keys_answer(request: ConsoleRequest, made: NewKey | None = None) -> HttpResponse:
    template = "workspaces/_api_keys.html" if request.htmx else "workspaces/settings_api_keys.html"
    context = {
        "form": KeyForm(),
        "made": made,
        "keys": keys_of(request.seat.caller),
        "tabs": settings_tabs(request.seat, "settings-api-keys"),
        "api_url": request.build_absolute_uri(reverse("api-memories", args=[request.seat.workspace.id])),
    }
    return render(request, template, context)


def _memory_context(seat: Seat) -> dict[str, Any]:
    settings = memory_settings(workspace_of(seat.caller))
    return {
        "settings": settings,
        "form": MemorySettingsForm(
            initial={"retention_days": settings.retention_days, "token_budget": settings.token_budget}
        ),
        "may_change": seat.caller.may(Right.ADMIN),
        "may_switch": seat.caller.may(Right.WRITE),
        "tabs": settings_tabs(seat, "settings-memory"),
    }
