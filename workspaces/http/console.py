"""Console pages of every app: the workspace and person of a request, toasts, answers to forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlsplit
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django_htmx.http import HttpResponseClientRedirect, HttpResponseLocation, trigger_client_event
from django_htmx.middleware import HtmxDetails

from core.errors import ProductError
from workspaces.access.callers import Right
from workspaces.access.client_address import client_address
from workspaces.access.selectors import ConsoleContext, access_console, is_owner
from workspaces.access.space_access_audit import note_openings
from workspaces.access.spaces import SHARED
from workspaces.http.confirmation import ActQuestion, ask_first
from workspaces.http.density import keep_density
from workspaces.http.space_links import PARAMETER, keep_space, named_space
from workspaces.models import User

P = ParamSpec("P")


class ConsoleRequest(HttpRequest):
    """What a page gets: the request of a signed-in person who is a member of the workspace in the address."""

    user: User
    htmx: HtmxDetails
    seat: ConsoleContext


def console_page(
    page: Callable[Concatenate[ConsoleRequest, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Let members in, to the space that the address names; send everybody else to sign in, or answer as if the
    workspace did not exist."""

    @wraps(page)
    def handle(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        asked = cast(ConsoleRequest, request)
        if not request.user.is_authenticated:
            return _sign_in_first(asked)
        asked.seat = access_console(
            user=asked.user, slug=slug, address=client_address(request), space=named_space(request)
        )
        note_openings(asked.seat.caller, [asked.seat.space])
        question = ActQuestion.of(request)
        response = ask_first(request, question) if question else page(asked, *args, **kwargs)
        keep_space(response, asked.seat)
        keep_density(request, response)
        # A page and its fragments share addresses, and none of them may outlive signing out.
        add_never_cache_headers(response)
        return response

    return handle


def show_success(
    request: ConsoleRequest, text: str, *, fragment: Callable[[], HttpResponse], back: str, **toast: str
) -> HttpResponse:
    """Say what was done: the changed fragment with a toast, or without script a redirect with a message.

    `toast` may name `undo_url` and `undo_target` (a selector of what the answer to the undoing replaces).
    """
    if not request.htmx:
        messages.success(request, text)
        return redirect(back)
    return with_toast(fragment(), text, **toast)


def with_toast(response: HttpResponse, text: str, **toast: str) -> HttpResponse:
    """Render the same answer, and a toast next to it; see `show_success`."""
    detail: dict[str, Any] = {"text": text, **{name: value for name, value in toast.items() if value}}
    return trigger_client_event(response, "toast", detail)


def redirect_without_reload(url: str) -> HttpResponse:
    """Render the page at the address in place of this one, without a page load."""
    return HttpResponseLocation(url, target="#content", select="#content", swap="outerHTML")


def settings_tabs(seat: ConsoleContext, current: str) -> list[dict[str, Any]]:
    """Return the pages of the settings that this person may see; `current` is the name of an address."""
    pages = [("Memory", "settings-memory"), ("Retention", "settings-retention"), ("Models", "settings-models")]
    pages += [("Members", "settings-members"), ("Spaces", "settings-spaces"), ("Connected apps", "settings-apps")]
    if seat.caller.may(Right.ADMIN):
        pages += [("API keys", "settings-api-keys"), ("Data", "settings-data")]
    if is_owner(seat.caller):
        pages += [("Activity", "settings-activity"), ("Delete", "settings-delete")]
    return build_tabs(seat, pages, current)


def build_tabs(seat: ConsoleContext, pages: Iterable[tuple[str, str]], current: str) -> list[dict[str, Any]]:
    """Return the tabs of a section, from labels and names of addresses."""
    slug = seat.workspace.slug
    return [{"label": label, "url": reverse(name, args=[slug]), "current": name == current} for label, name in pages]


def redirect_to_its_space(request: ConsoleRequest, space_id: UUID) -> HttpResponse | None:
    """Redirect a page that shows something shared to the shared space, where it can be changed; None if it is there."""
    if space_id == request.seat.caller.reach.written:
        return None
    address = request.GET.copy()
    address[PARAMETER] = str(SHARED)
    return redirect(f"{request.path}?{address.urlencode()}")


def referring_page(request: HttpRequest, default: str) -> str:
    """Return the page of ours that sent this form, so that a redirect leads back to it."""
    referer = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(referer, {request.get_host()}, require_https=request.is_secure())
    return referer if is_ours else default


def page_of_call(request: ConsoleRequest) -> str:
    """Return the path and query of the page that htmx calls from; '' where it is of another site, or no address."""
    try:
        address = request.htmx.current_url_abs_path or ""
        urlsplit(address)  # //[ is left of an address that could be read
    except ValueError:  # such as http://[
        return ""
    return address


def show_refusal(form: forms.Form, error: ProductError) -> None:
    """Put what a service refused where the person looks: next to the field, or above the form."""
    for problem in error.problems:
        name = problem.field.rpartition(".")[2]
        # A detail of its own says more than the field's; one that was put together from the fields names them twice.
        is_composed = error.detail == error.title or f"{problem.field}: {problem.detail}" in error.detail
        sentence = problem.detail if is_composed else error.detail
        form.add_error(name if name in form.fields else None, sentence)
    if not error.problems:
        form.add_error(None, error.detail)


def _sign_in_first(request: ConsoleRequest) -> HttpResponse:
    if not request.htmx:
        return redirect_to_login(request.get_full_path())
    back = urlencode({"next": page_of_call(request) or "/"})
    return HttpResponseClientRedirect(f"{resolve_url(settings.LOGIN_URL)}?{back}")
