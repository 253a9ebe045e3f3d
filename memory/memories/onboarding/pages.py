"""Console pages that connect an agent: choosing a client, making its key, and waiting for its first call."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import ProductError
from memory.memories.onboarding import view_models
from memory.memories.onboarding.client_setups import ClientSetup, SetupTarget
from memory.memories.onboarding.forms import ConnectForm
from memory.memories.onboarding.selectors import onboarding_state
from memory.memories.onboarding.view_models import FirstCall
from workspaces.access.callers import Right
from workspaces.access.selectors import access_key
from workspaces.http.console import ConsoleRequest, console_page, show_refusal
from workspaces.keys.services import NewKey, create_key
from workspaces.settings.workspace_settings import is_memory_enabled


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def connect(request: ConsoleRequest) -> HttpResponse:
    """Render how a client is connected; make a key for it. Its secret is in the answer to the POST and nowhere else."""
    setup = view_models.find_setup(request.GET.get("client", ""))
    if request.method != "POST":
        return _connect_answer(request, setup, ConnectForm.of(setup))
    request.seat.caller.require(Right.ADMIN)
    form = ConnectForm.of(setup, request.POST)
    if form.is_valid():
        try:
            made = create_key(caller=request.seat.caller, owner=request.user.id, **form.key_fields())
        except ProductError as error:
            show_refusal(form, error)
        else:
            return _connect_answer(request, setup, ConnectForm.of(setup), made)
    return _connect_answer(request, setup, form, status=422)


@require_safe
@console_page
def key_progress(request: ConsoleRequest, key_id: UUID) -> HttpResponse:
    """Render what a key did so far; to a page that shows just that, nothing."""
    key = access_key(request.seat.caller, key_id)
    call = view_models.first_call(request.seat, key, is_agent="program" not in request.GET)
    if not request.htmx:
        return render(request, "onboarding/key.html", {"call": call})
    if request.GET.get("seen") == call.progress:
        return HttpResponse(status=204)
    return render(request, "onboarding/_first_call.html", {"call": call, "is_news": True})


def _connect_answer(
    request: ConsoleRequest, setup: ClientSetup, form: ConnectForm, made: NewKey | None = None, *, status: int = 200
) -> HttpResponse:
    seat = request.seat
    home = request.build_absolute_uri("/").rstrip("/")
    target = SetupTarget(home, str(seat.workspace.id), **({"secret": made.secret} if made else {}))
    call: FirstCall | None = view_models.first_call(seat, made.key, is_agent=setup.is_agent) if made else None
    context: dict[str, Any] = {
        "tabs": view_models.client_tabs(seat, setup),
        "setup": setup,
        "steps": setup.steps(target),
        "sign_in_steps": view_models.sign_in_steps(setup, target),
        "form": form,
        "made": made,
        "call": call,
        "may_make": seat.caller.may(Right.ADMIN),
        "may_switch": seat.caller.may(Right.WRITE),
        "checklist": view_models.checklist(
            seat, onboarding_state(seat.caller), is_enabled=is_memory_enabled(seat.workspace)
        ),
    }
    template = "onboarding/_connect.html" if request.htmx.target == "connect" else "onboarding/connect.html"
    return render(request, template, context, status=status)
