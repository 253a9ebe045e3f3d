"""Console pages of members: who they are, inviting, changing roles, removing; and joining by a link."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import NotFoundError, ProductError
from core.mail import is_mail_configured, send_text
from workspaces.access.callers import Right
from workspaces.access.client_address import client_address
from workspaces.access.selectors import is_owner, workspace_members
from workspaces.accounts.members.forms import InviteForm, JoinForm
from workspaces.accounts.members.view_models import member_rows
from workspaces.accounts.secret_addresses import hide_address
from workspaces.accounts.services.invitation_links import (
    LINK_DAYS,
    InvitationLink,
    LinkOffer,
    accept_link,
    create_account,
    invite_by_link,
    read_offer,
)
from workspaces.accounts.services.invitations import withdraw_invitation
from workspaces.accounts.services.memberships import remove_member, set_role
from workspaces.http.console import ConsoleRequest, console_page, settings_tabs, show_refusal, show_success
from workspaces.models import Membership, User


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def members(request: ConsoleRequest) -> HttpResponse:
    """Render the members; invite a person. The link is in the answer to the POST and nowhere else."""
    if request.method != "POST":
        return _members_answer(request)
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    form = InviteForm(request.POST, is_owner=is_owner(caller))
    if form.is_valid():
        try:
            invited = invite_by_link(caller=caller, **form.cleaned_data)
        except ProductError as error:
            show_refusal(form, error)
        else:
            if isinstance(invited, Membership):
                return _say_and_return(
                    request, f"{invited.user} is a member already, and now {_article(invited.role)}."
                )
            return _members_answer(request, made=_show_link(request, invited))
    return _members_answer(request, form, status=422)


@require_POST
@console_page
def member_role(request: ConsoleRequest, user_id: UUID) -> HttpResponse:
    """Give a member another role."""
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    member = _access_member(request, user_id)
    changed = set_role(caller=caller, user=member.user, role=request.POST.get("role", ""))
    return _say_and_return(request, f"{member.user} is now {_article(changed.role)}.")


@require_POST
@console_page
def member_remove(request: ConsoleRequest, user_id: UUID) -> HttpResponse:
    """Take a person's membership away, and revoke the keys that they made."""
    request.seat.caller.require(Right.ADMIN)
    member = _access_member(request, user_id)
    remove_member(caller=request.seat.caller, user_id=user_id)
    if member.user_id == request.user.id:
        return redirect("my-workspaces")
    return _say_and_return(request, f"Removed {member.user}. The keys and apps of theirs are refused from now on.")


@require_POST
@console_page
def invitation_withdraw(request: ConsoleRequest) -> HttpResponse:
    """Withdraw an invitation: its link is worth nothing any more."""
    email = request.POST.get("email", "")
    withdraw_invitation(caller=request.seat.caller, email=email)
    return _say_and_return(request, f"Withdrew the invitation of {email}.")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Render what a link offers; join with the account that is signed in, or with one that the link makes."""
    offer = read_offer(token)
    user = request.user if isinstance(request.user, User) else None
    if request.method != "POST":
        return _join_answer(request, offer, user, JoinForm())
    if user is not None:
        accept_link(user=user, token=token, address=client_address(request))
        return redirect("workspace", slug=offer.workspace.slug)
    form = JoinForm(request.POST)
    if form.is_valid():
        try:
            made = create_account(token=token, address=client_address(request), **form.cleaned_data)
        except ProductError as error:
            show_refusal(form, error)
        else:
            login(request, made)
            return redirect("workspace", slug=offer.workspace.slug)
    return _join_answer(request, offer, user, form, status=422)


def _access_member(request: ConsoleRequest, user_id: UUID) -> Membership:
    found = next((one for one in workspace_members(request.seat.caller) if one.user_id == user_id), None)
    if found is None:
        raise NotFoundError()
    return found


def _show_link(request: ConsoleRequest, link: InvitationLink) -> dict[str, Any]:
    """Return the link as the page shows it, after mailing it where the server can."""
    url = request.build_absolute_uri(reverse("join", args=[link.token]))
    workspace, email = request.seat.workspace.name, link.invitation.email
    text = (
        f"{request.user} invites you to the workspace {workspace} as {link.invitation.role}.\n\n{url}\n\n"
        f"The link works once, for {LINK_DAYS} days. If you do not expect it, do nothing."
    )
    was_mailed = is_mail_configured() and send_text(to=email, subject=f"Invitation to {workspace}", text=text)
    return {"url": url, "email": email, "days": LINK_DAYS, "was_mailed": was_mailed, "can_mail": is_mail_configured()}


def _join_answer(
    request: HttpRequest, offer: LinkOffer, user: User | None, form: JoinForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "offer": offer,
        "form": form,
        "is_theirs": user is not None and user.email == offer.invitation.email,
        "here": request.path,
        "provider": settings.OIDC if settings.OIDC.issuer else None,
    }
    response = render(request, "workspaces/join.html", context, status=status)
    hide_address(response)
    return response


def _say_and_return(request: ConsoleRequest, text: str) -> HttpResponse:
    back = reverse("settings-members", args=[request.seat.workspace.slug])
    return show_success(request, text, fragment=lambda: _members_answer(request), back=back)


def _members_answer(
    request: ConsoleRequest, form: InviteForm | None = None, *, made: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    shown = member_rows(request.seat)
    context = {
        **shown,
        "made": made,
        "form": form or InviteForm(is_owner=cast(bool, shown["is_owner"])),
        "tabs": settings_tabs(request.seat, "settings-members"),
    }
    template = "workspaces/_members.html" if request.htmx else "workspaces/settings_members.html"
    return render(request, template, context, status=status)


def _article(role: str) -> str:
    return f"an {role}" if role[0] in "ao" else f"a {role}"
