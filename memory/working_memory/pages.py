"""Console page About you: the person who is signed in sees, edits and clears what is kept about them, and no other."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from core.errors import ProductError
from memory.models import UserMemory
from memory.working_memory.forms import AboutYouForm
from memory.working_memory.profile_sections import content_version
from memory.working_memory.services.profiles import (
    UserMemoryVersionError,
    forget_user_memory,
    read_user_memory,
    write_user_memory,
)
from workspaces.access.callers import Right
from workspaces.http.console import (
    ConsoleRequest,
    console_page,
    redirect_without_reload,
    show_refusal,
    show_success,
)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def about_you(request: ConsoleRequest) -> HttpResponse:
    """Render what is kept about the person who asks, and take their changes."""
    seat = request.seat
    if request.method != "POST":
        return _page_answer(request, _read_own(request))
    seat.caller.require(Right.WRITE)
    form = AboutYouForm(request.POST)
    if not form.is_valid():
        return _page_answer(request, _read_own(request), form=form, status=422)
    content, version = form.cleaned_data["content"], form.cleaned_data["version"]
    try:
        write_user_memory(caller=seat.caller, user=seat.own_space.key, content=content, version=version)
    except UserMemoryVersionError as error:
        # What was typed stays; sent again, it replaces what is shown next to it.
        again = AboutYouForm({"content": content, "version": content_version(error.kept.content)})
        again.fields["content"].label = "Your text"
        return _page_answer(request, error.kept, form=again, is_changed=True, status=422 if request.htmx else 409)
    except ProductError as error:
        show_refusal(form, error)
        return _page_answer(request, _read_own(request), form=form, status=422)
    return show_success(
        request,
        "Saved. Agents are given it from now on.",
        fragment=lambda: _page_answer(request, _read_own(request)),
        back=request.path,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def clear_about_you(request: ConsoleRequest) -> HttpResponse:
    """Ask before everything is deleted, on a page of its own where there is no script; a POST does it."""
    seat = request.seat
    seat.caller.require(Right.WRITE)
    if request.method != "POST":
        return render(request, "memory/clear_about_you.html")
    forget_user_memory(caller=seat.caller, user=seat.own_space.key)
    back = reverse("about-you", args=[seat.workspace.slug])
    return show_success(
        request,
        "Cleared. No agent is given anything of it from now on.",
        fragment=lambda: redirect_without_reload(back),
        back=back,
    )


def _read_own(request: ConsoleRequest) -> UserMemory:
    return read_user_memory(caller=request.seat.caller, user=request.seat.own_space.key)


def _page_answer(
    request: ConsoleRequest,
    kept: UserMemory,
    *,
    form: AboutYouForm | None = None,
    is_changed: bool = False,
    status: int = 200,
) -> HttpResponse:
    context = {
        "kept": kept,
        "form": form or AboutYouForm.of(kept),
        "is_changed": is_changed,
        "own_key": request.seat.own_space.key,
        "own_chat": f"{reverse('ask', args=[request.seat.workspace.slug])}?space={request.seat.own_space}",
        "may_write": request.seat.caller.may(Right.WRITE),
    }
    template = "memory/_about_you.html" if request.htmx.target == "about-you" else "memory/about_you.html"
    return render(request, template, context, status=status)
