"""Console pages of accounts: signing in, a person's workspaces, invitations, how to begin, who may open which space."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import ProductError
from workspaces.access.callers import Right
from workspaces.access.client_address import client_address
from workspaces.access.selectors import (
    member_workspaces,
    own_space_openings,
    received_invitations,
    workspace_grants,
    workspace_members,
)
from workspaces.accounts import view_models
from workspaces.accounts.forms import GrantForm
from workspaces.accounts.services.invitations import accept_invitation, decline_invitation
from workspaces.accounts.services.space_grants import grant_space, withdraw_grant
from workspaces.accounts.sign_in_forms import SignInForm
from workspaces.http.console import ConsoleRequest, console_page, settings_tabs, show_refusal, show_success
from workspaces.models import User


class SignIn(LoginView):
    """Address and password; afterwards the page that was asked for."""

    template_name = "registration/login.html"
    form_class = SignInForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, provider=settings.OIDC if settings.OIDC.issuer else None)


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Render the first workspace's Home; for a person without one, or with an invitation, their workspaces."""
    mine = member_workspaces(_person(request))
    if mine and not received_invitations(_person(request)):
        return redirect("overview", slug=mine[0].slug)
    return my_workspaces(request)


@require_safe
@login_required
def my_workspaces(request: HttpRequest) -> HttpResponse:
    """Render the workspaces of a person, and those that they are invited to."""
    person = _person(request)
    context = {"mine": member_workspaces(person), "invitations": received_invitations(person)}
    return render(request, "workspaces/invitations.html", context)


@require_POST
@login_required
def invitation_accept(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    """Become a member of the workspace, and go there."""
    membership = accept_invitation(user=_person(request), invitation_id=invitation_id, address=client_address(request))
    joined = next(each for each in member_workspaces(_person(request)) if each.id == membership.workspace_id)
    return redirect("overview", slug=joined.slug)


@require_POST
@login_required
def invitation_decline(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    """Turn the invitation down."""
    decline_invitation(user=_person(request), invitation_id=invitation_id, address=client_address(request))
    return redirect("my-workspaces")


@require_safe
@console_page
def begin(request: ConsoleRequest) -> HttpResponse:
    """Render the first page of the address's workspace."""
    return redirect("overview", slug=request.seat.workspace.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def spaces(request: ConsoleRequest) -> HttpResponse:
    """Render the spaces of a person and who else opened theirs; owners and admins grant custom ones."""
    if request.method != "POST":
        return _spaces_answer(request)
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    form = GrantForm(request.POST, members=workspace_members(caller))
    if form.is_valid():
        given = form.cleaned_data
        try:
            grant = grant_space(caller=caller, user_id=given["member"], space=given["space"])
        except ProductError as error:
            show_refusal(form, error)
        else:
            return _say_and_return(request, f"Granted {grant.space} to {grant.user}.")
    return _spaces_answer(request, form, status=422)


@require_POST
@console_page
def grant_withdraw(request: ConsoleRequest, grant_id: UUID) -> HttpResponse:
    """Take a custom space away from a member."""
    grant = withdraw_grant(caller=request.seat.caller, grant_id=grant_id)
    return _say_and_return(request, f"Withdrew {grant.space} from {grant.user}. They cannot open it any more.")


def _say_and_return(request: ConsoleRequest, text: str) -> HttpResponse:
    back = reverse("settings-spaces", args=[request.seat.workspace.slug])
    return show_success(request, text, fragment=lambda: _spaces_answer(request), back=back)


def _spaces_answer(request: ConsoleRequest, form: GrantForm | None = None, *, status: int = 200) -> HttpResponse:
    seat, caller = request.seat, request.seat.caller
    governs = caller.may(Right.ADMIN)
    context = {
        "spaces": view_models.own_spaces(seat),
        "openings": own_space_openings(caller),
        "grants": workspace_grants(caller) if governs else [],
        "governs": governs,
        "form": form or (GrantForm(members=workspace_members(caller)) if governs else None),
        "tabs": settings_tabs(seat, "settings-spaces"),
    }
    template = "workspaces/_spaces.html" if request.htmx else "workspaces/settings_spaces.html"
    return render(request, template, context, status=status)


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101  # login_required has seen to it; this tells the type checker
    return request.user
