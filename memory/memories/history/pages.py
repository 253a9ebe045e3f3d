"""Console page of a memory's history: taking it back to what it said after an earlier step."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from core.errors import InvalidError
from memory.memories.history.forms import RevertForm
from memory.memories.history.services import revert_memory
from memory.memories.selectors import access_memory
from memory.memories.services.memory_writer import edit_hash
from workspaces.access.callers import Right
from workspaces.http.console import ConsoleRequest, console_page, redirect_without_reload, show_success


@require_POST
@console_page
def revert(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """Let a memory say again what it said after a step; the undoing comes with its step in the address."""
    request.seat.caller.require(Right.WRITE)
    access_memory(request.seat.caller, memory_id)
    form = RevertForm(request.POST if "step" in request.POST else request.GET)
    if not form.is_valid():
        raise InvalidError("Name the step of the history to which the memory is taken back.")
    step, seen = form.cleaned_data["step"], form.cleaned_data["seen"]
    done = revert_memory(caller=request.seat.caller, memory_id=memory_id, step_id=step, seen=seen)
    url = reverse("memory-detail", args=[request.seat.workspace.slug, memory_id])
    return show_success(
        request,
        f"Reverted to what it said on {done.said_at:%-d %b %Y at %H:%M:%S}. What it said until now is in its history.",
        fragment=lambda: redirect_without_reload(url),
        back=url,
        undo_url=f"{url}/revert?step={done.undo_step}&seen={edit_hash(done.memory)}",
        undo_target="#memory",
    )
