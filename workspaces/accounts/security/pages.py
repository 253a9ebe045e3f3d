"""Pages of an account: changing the password, setting up and taking away the second factor."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from core.errors import ProductError
from workspaces.access.client_address import client_address
from workspaces.access.login_throttle import count_sign_in, note_sign_in
from workspaces.accounts import totp
from workspaces.accounts.security.forms import CodeForm, PasswordForm, SetUpForm
from workspaces.accounts.services.passwords import change_password
from workspaces.accounts.services.reset_links import may_have_password
from workspaces.accounts.services.second_factor import (
    count_recovery_codes,
    has_second_factor,
    remove_second_factor,
    set_up_second_factor,
)
from workspaces.http.console import show_refusal
from workspaces.models import User

ISSUER = "Workspace Memory"


@never_cache
@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Render the account of the person who is signed in."""
    return _account_answer(request)


@sensitive_post_parameters()
@require_POST
@login_required
def password(request: HttpRequest) -> HttpResponse:
    """Change the password; the sessions of the account elsewhere end."""
    user = _person(request)
    form = PasswordForm(request.POST, user=user)
    if form.is_valid():
        try:
            change_password(user=user, address=client_address(request), **form.cleaned_data)
        except ProductError as error:
            show_refusal(form, error)
        else:
            update_session_auth_hash(request, user)
            messages.success(request, "Changed. You are signed out everywhere else.")
            return redirect("account")
    return _account_answer(request, password_form=form, status=422)


@never_cache
@sensitive_post_parameters()
@require_POST
@login_required
def second_factor_add(request: HttpRequest) -> HttpResponse:
    """Set the second factor up. The recovery codes are in the answer and nowhere else."""
    form = SetUpForm(request.POST)
    if form.is_valid():
        try:
            codes = set_up_second_factor(user=_person(request), address=client_address(request), **form.cleaned_data)
        except ProductError as error:
            show_refusal(form, error)
        else:
            return _account_answer(request, codes=codes)
    return _account_answer(request, set_up_form=form, status=422)


@sensitive_post_parameters()
@require_POST
@login_required
def second_factor_remove(request: HttpRequest) -> HttpResponse:
    """Take the second factor away. Guessing codes is held up like guessing passwords."""
    user, form = _person(request), CodeForm(request.POST)
    if form.is_valid():
        who = {"email": user.email, "address": client_address(request)}
        count_sign_in(**who)
        try:
            remove_second_factor(user=user, code=form.cleaned_data["code"], address=who["address"])
        except ProductError as error:
            show_refusal(form, error)
        else:
            note_sign_in(**who)
            messages.success(request, "Turned off. Signing in takes the password alone.")
            return redirect("account")
    return _account_answer(request, code_form=form, status=422)


def _account_answer(request: HttpRequest, *, status: int = 200, **forms: Any) -> HttpResponse:
    user = _person(request)
    set_up = forms.get("set_up_form") or SetUpForm(initial={"secret": totp.new_secret()})
    secret = str(set_up["secret"].value() or "")
    context = {
        "may_have_password": user.has_usable_password() and may_have_password(user),
        "provider_name": settings.OIDC.name,
        "has_factor": has_second_factor(user),
        "codes_left": count_recovery_codes(user),
        "secret": " ".join(secret[start : start + 4] for start in range(0, len(secret), 4)),
        "app_address": totp.app_address(secret, account=user.email, issuer=ISSUER),
        "password_form": PasswordForm(user=user),
        "code_form": CodeForm(),
        **forms,
        "set_up_form": set_up,
    }
    return render(request, "workspaces/account.html", context, status=status)


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101  # login_required has seen to it; this tells the type checker
    return request.user
