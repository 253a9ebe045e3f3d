"""Console page that erases a space: what would go, and a form in which its name is typed."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from transfer.erasure.schemas import ErasePageQuery
from transfer.erasure.services import space_erasure
from workspaces.http.console import ConsoleRequest, console_page, redirect_without_reload, show_success
from workspaces.http.console_lists import read_address


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
