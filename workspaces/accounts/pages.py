"""Console pages of accounts: signing in, a person's workspaces, invitations, how to begin."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from workspaces.access.client_address import client_address
from workspaces.access.selectors import member_workspaces, received_invitations
from workspaces.accounts.services.invitations import accept_invitation, decline_invitation
from workspaces.accounts.sign_in import SignInForm
from workspaces.http.console import ConsoleRequest, console_page
from workspaces.models import User


class SignIn(LoginView):
    """Address and password; afterwards the page that was asked for."""

    template_name = "registration/login.html"
    form_class = SignInForm
    redirect_authenticated_user = True


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Render the first workspace's memory; for a person without one, or with an invitation, their workspaces."""
    mine = member_workspaces(_person(request))
    if mine and not received_invitations(_person(request)):
        return redirect("memory", slug=mine[0].slug)
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
    return redirect("memory", slug=joined.slug)


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
    return redirect("memory", slug=request.seat.workspace.slug)


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101  # login_required has seen to it; this tells the type checker
    return request.user
