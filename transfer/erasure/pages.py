"""Console pages that erase a space or a whole workspace: what would go, and a form in which its name is typed."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from core.errors import InvalidError
from transfer.erasure import view_models
from transfer.erasure.forms import ConfirmErasureForm
from transfer.erasure.schemas import ErasePageQuery
from transfer.erasure.selectors import access_erasure, person_erasures
from transfer.erasure.services import space_erasure, workspace_erasure
from transfer.erasure.services.erasure_rights import require_eraser
from workspaces.http.console import (
    ConsoleRequest,
    console_page,
    redirect_without_reload,
    settings_tabs,
    show_refusal,
    show_success,
)
from workspaces.http.console_lists import read_address
from workspaces.models import User

CONTENT = "workspace-content"  # where the numbers come on the page


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def erase(request: ConsoleRequest) -> HttpResponse:
    """Render what a space holds, and erase it once its name is typed."""
    caller, slug = request.seat.caller, request.seat.workspace.slug
    _, asked = read_address(ErasePageQuery, request.GET)
    counted = space_erasure.count_erasure(caller=caller, name=asked.name)
    is_typed = request.POST.get("typed", "").strip() == counted.space
    if request.method != "POST" or not is_typed:
        context = {
            "erasure": counted,
            "erase_url": f"{reverse('space-erase', args=[slug])}?{urlencode({'name': counted.space})}",
            "is_mistyped": request.method == "POST",
        }
        template = "erasure/_form.html" if request.htmx else "erasure/page.html"
        return render(request, template, context, status=422 if request.method == "POST" else 200)
    erasure = space_erasure.erase_space(caller=caller, name=counted.space)
    back = reverse("spaces", args=[slug])
    text = f"Erased {erasure.space}: {erasure.total:,} rows."
    if erasure.status == space_erasure.ErasureStatus.ERASING:
        text = f"{erasure.space} is being erased in the background."
    return show_success(request, text, fragment=lambda: redirect_without_reload(back), back=back)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def erase_workspace(request: ConsoleRequest) -> HttpResponse:
    """Close the workspace and have it deleted once its name is typed; what it holds is counted when asked for."""
    caller = request.seat.caller
    require_eraser(caller)
    if request.method != "POST":
        # The exact numbers of a large workspace take seconds: the page comes first, and they follow.
        content = workspace_erasure.count_workspace(caller=caller) if "counted" in request.GET else None
        template = "erasure/_content.html" if request.htmx.target == CONTENT else "erasure/workspace.html"
        return render(request, template, _content_context(request, content, ConfirmErasureForm()))
    form = ConfirmErasureForm(request.POST)
    form.is_valid()
    try:
        erasure = workspace_erasure.erase_workspace(caller=caller, confirm=form.cleaned_data.get("confirm", ""))
    except InvalidError as error:
        show_refusal(form, error)
        content = workspace_erasure.count_workspace(caller=caller)
        template = "erasure/_workspace_form.html" if request.htmx else "erasure/workspace.html"
        return render(request, template, _content_context(request, content, form), status=422)
    receipt = reverse("erasure", args=[erasure.id])
    return HttpResponseClientRedirect(receipt) if request.htmx else redirect(receipt)


@require_safe
@login_required
def erasure_receipt(request: HttpRequest, erasure_id: UUID) -> HttpResponse:
    """Render how far an erasure is that the person asked for, and its receipt."""
    erasure = access_erasure(cast(User, request.user), erasure_id)
    is_fragment = bool(cast(HtmxDetails, request.htmx))  # type: ignore[attr-defined]  # its middleware adds it
    template = "erasure/_receipt.html" if is_fragment else "erasure/receipt.html"
    return render(request, template, {"shown": view_models.read_receipt(erasure)})


@require_safe
@login_required
def erasures(request: HttpRequest) -> HttpResponse:
    """Render the workspaces that the person had deleted."""
    found = person_erasures(cast(User, request.user))
    return render(request, "erasure/list.html", {"erasures": found})


def _content_context(
    request: ConsoleRequest, content: workspace_erasure.WorkspaceContent | None, form: ConfirmErasureForm
) -> dict[str, Any]:
    return {
        "is_counted": content is not None,
        "layers": view_models.content_lines(content) if content else [],
        "unreachable": view_models.unreachable_names(content) if content else [],
        "form": form,
        "tabs": settings_tabs(request.seat, "settings-delete"),
    }
