"""Console pages of Settings → API keys."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import retarget

from core.errors import ProductError
from workspaces.access.callers import Right
from workspaces.access.selectors import workspace_keys
from workspaces.http.console import ConsoleRequest, console_page, settings_tabs, show_refusal, show_success
from workspaces.keys.forms import KeyForm
from workspaces.keys.services import NewKey, create_key, revoke_key


@require_safe
@console_page
def api_keys(request: ConsoleRequest) -> HttpResponse:
    """Render the workspace's keys."""
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
                spaces=form.cleaned_data["spaces"],
                is_stamped=form.cleaned_data["stamped"],
                is_of_sub_agent=form.cleaned_data["sub_agent"],
                tools=form.cleaned_data["tools"],
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
    return show_success(
        request,
        f"Revoked {key.name}. Calls with this key are refused from now on.",
        fragment=lambda: _keys_answer(request),
        back=reverse("settings-api-keys", args=[request.seat.workspace.slug]),
    )


def _keys_answer(request: ConsoleRequest, made: NewKey | None = None) -> HttpResponse:
    template = "workspaces/_api_keys.html" if request.htmx else "workspaces/settings_api_keys.html"
    context = {
        "form": KeyForm(),
        "made": made,
        "keys": workspace_keys(request.seat.caller),
        "tabs": settings_tabs(request.seat, "settings-api-keys"),
        "api_url": request.build_absolute_uri(reverse("api-memories", args=[request.seat.workspace.id])),
    }
    return render(request, template, context)
