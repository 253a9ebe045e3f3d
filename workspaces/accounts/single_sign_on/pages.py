"""Pages of signing in with the provider of an organisation: sending there, coming back, the second factor."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from core.clock import utc_now
from core.errors import NotFoundError, ProductError
from workspaces.access.client_address import client_address
from workspaces.access.login_throttle import count_provider_start, count_sign_in, note_sign_in
from workspaces.accounts.security.forms import CodeForm
from workspaces.accounts.services.external_identities import (
    ProvenIdentity,
    find_or_create_account,
    needs_code,
    record_provider_use,
)
from workspaces.accounts.services.second_factor import use_code
from workspaces.accounts.single_sign_on.provider import SignInRefusedError, build_request, redeem_code
from workspaces.http.console import show_refusal
from workspaces.models import User

PENDING, WAITING = "provider_request", "provider_code"
SECONDS = 10 * 60


@never_cache
@require_safe
def provider_start(request: HttpRequest) -> HttpResponse:
    """Send a person to the provider; what must come back stays in their session."""
    _require_provider()
    back = _next_page(request, request.GET.get("next", ""))
    if request.user.is_authenticated:
        return redirect(back)
    count_provider_start(address=client_address(request))
    try:
        asked = build_request(redirect_uri=_answer_address())
    except ProductError as error:
        return _refusal(request, error)
    request.session[PENDING] = {
        "state": asked.state,
        "nonce": asked.nonce,
        "verifier": asked.verifier,
        "next": back,
        "until": utc_now().timestamp() + SECONDS,
    }
    return redirect(asked.url)


@never_cache
@require_safe
def provider_answer(request: HttpRequest) -> HttpResponse:
    """Sign in who comes back from the provider with an answer to the request of this session."""
    _require_provider()
    try:
        pending = _take_pending(request)
        identity = redeem_code(
            code=request.GET["code"],
            verifier=pending["verifier"],
            nonce=pending["nonce"],
            redirect_uri=_answer_address(),
            issuer=request.GET.get("iss", ""),
        )
        user = find_or_create_account(identity)
    except ProductError as error:
        return _refusal(request, error)
    if needs_code(user, identity):
        request.session[WAITING] = {
            "user": str(user.id),
            "issuer": identity.issuer,
            "subject": identity.subject,
            "next": pending["next"],
            "until": utc_now().timestamp() + SECONDS,
        }
        return redirect("sign-in-code")
    return _open_session(request, user, identity, pending["next"])


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """Ask the second factor of who came back from the provider without one."""
    waiting = request.session.get(WAITING)
    if not waiting or waiting["until"] < utc_now().timestamp():
        return redirect("sign-in")
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = User.objects.filter(id=UUID(waiting["user"]), is_active=True).first()
        if user is None:
            return redirect("sign-in")
        who = {"email": user.email, "address": client_address(request)}
        try:
            count_sign_in(**who)
        except ProductError as error:
            show_refusal(form, error)
        else:
            if use_code(user=user, code=form.cleaned_data["code"]):
                note_sign_in(**who)
                del request.session[WAITING]
                identity = ProvenIdentity(waiting["issuer"], waiting["subject"], user.email, True, "", True)
                return _open_session(request, user, identity, waiting["next"])
            form.add_error("code", "This is not the code that the app shows now. Wait for the next one.")
    return render(request, "registration/code.html", {"form": form}, status=422 if form.errors else 200)


def _open_session(request: HttpRequest, user: User, identity: ProvenIdentity, back: str) -> HttpResponse:
    login(request, user)
    record_provider_use(user=user, identity=identity, address=client_address(request))
    return redirect(back)


def _take_pending(request: HttpRequest) -> dict[str, Any]:
    """Return what this session asked the provider, once. Raises SignInRefusedError unless this is the answer to it."""
    pending: dict[str, Any] | None = request.session.pop(PENDING, None)
    if pending is None or pending["until"] < utc_now().timestamp():
        raise SignInRefusedError("This sign-in took too long, or was begun in another browser. Start again.")
    if not constant_time_compare(pending["state"], request.GET.get("state", "")):
        raise SignInRefusedError()
    if request.GET.get("error") or not request.GET.get("code"):
        raise SignInRefusedError(f"{settings.OIDC.name} did not sign you in. Start again, or ask your operator.")
    return pending


def _require_provider() -> None:
    if not settings.OIDC.issuer:
        raise NotFoundError()


def _answer_address() -> str:
    return f"{settings.PUBLIC_URL}{reverse('sign-in-provider-answer')}"


def _next_page(request: HttpRequest, wanted: str) -> str:
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours else reverse("home")


def _refusal(request: HttpRequest, error: ProductError) -> HttpResponse:
    return render(request, "registration/refused.html", {"error": error}, status=error.status)
