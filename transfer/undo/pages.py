"""Console pages of undos: the preview, the undo with what became of it, and undoing it again."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import InvalidError
from transfer.undo.forms import UndoAddress, UndoConfirmForm, UndoPeriodForm
from transfer.undo.selectors import access_undo, undo_report
from transfer.undo.services import undo_jobs
from transfer.undo.view_models import back_url, build_view
from workspaces.access.callers import Right
from workspaces.http.console import ConsoleRequest, console_page, show_refusal
from workspaces.http.console_lists import read_address


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def undo_preview(request: ConsoleRequest) -> HttpResponse:
    """Render what an undo would take back and what would stay; start it once that is confirmed."""
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    given, asked = read_address(UndoAddress, request.GET)
    if asked.agent and not asked.period:
        return _period_answer(request, asked, UndoPeriodForm())
    try:
        if request.method == "POST":
            wanted = UndoConfirmForm(request.POST).as_confirmed_request(asked)
            made = undo_jobs.start_undo(caller=caller, wanted=wanted)
            return redirect("undo", slug=request.seat.workspace.slug, undo_id=made.id)
        report = undo_jobs.preview_undo(caller=caller, wanted=asked.as_request())
    except InvalidError as error:
        if not asked.agent:
            raise
        form = UndoPeriodForm(given)
        form.is_valid()
        show_refusal(form, error)
        return _period_answer(request, asked, form, status=422)
    context = {
        "shown": build_view(request.seat, report),
        "back": back_url(request.seat, asked.target),
        "address": request.get_full_path(),
    }
    return render(request, "undo/preview.html", context)


@require_safe
@console_page
def undo_state(request: ConsoleRequest, undo_id: UUID) -> HttpResponse:
    """Render how far an undo is, and what became of each thing."""
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    report = undo_report(caller, access_undo(caller, undo_id))
    template = "undo/_state.html" if request.htmx else "undo/page.html"
    context = {"shown": build_view(request.seat, report), "back": back_url(request.seat, report.target)}
    return render(request, template, context)


@require_POST
@console_page
def undo_revert(request: ConsoleRequest, undo_id: UUID) -> HttpResponse:
    """Return what an undo took back."""
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    undo_jobs.revert_undo(caller=caller, undo_id=undo_id)
    return redirect("undo", slug=request.seat.workspace.slug, undo_id=undo_id)


def _period_answer(
    request: ConsoleRequest, asked: UndoAddress, form: UndoPeriodForm, *, status: int = 200
) -> HttpResponse:
    context = {"form": form, "agent": asked.agent, "back": back_url(request.seat, asked.target)}
    return render(request, "undo/period.html", context, status=status)
