"""REST of a workspace itself: settings, the toggle, API keys, members."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.pagination import PageInput, paginate
from workspaces.access import selectors
from workspaces.access.callers import Caller, Right
from workspaces.accounts.schemas import HAND_OVER, MemberInput, MemberRemovalInput
from workspaces.accounts.services import invitations, workspaces
from workspaces.http.authentication import IsCaller, who
from workspaces.http.rest import RestView, WorkspaceView
from workspaces.models import Invitation, Membership, Role, User, Workspace


class WorkspacesView(RestView):
    """List the workspaces that the caller may enter: a key has one, a person those they are a member of."""

    permission_classes = (IsCaller,)
    asks = {"GET": PageInput}

    def get(self, request: Request) -> Response:
        somebody = who(request)
        assert isinstance(somebody, Caller | User)  # noqa: S101  # the permission above says so
        listed = [workspace_json(each) for each in selectors.accessible_workspaces(somebody)]
        return Response(paginate(request, listed, key=lambda one: (one["name"], one["id"])))


class MembersView(WorkspaceView):
    """List members; invite people and change roles; remove members and withdraw invitations."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN, "DELETE": Right.ADMIN}
    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        governs = self.caller.may(Right.ADMIN)
        listed = [member_json(member, shows_email=governs) for member in selectors.workspace_members(self.caller)]
        if governs:
            listed += [invitation_json(invitation) for invitation in selectors.workspace_invitations(self.caller)]
        return Response(paginate(request, listed, key=lambda one: (one["status"], one["email"] or one["user_id"])))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MemberInput)
        found = invitations.invite_member(
            caller=self.caller, email=given["email"], role=given.get("role", Role.MEMBER.value)
        )
        if isinstance(found, Membership):
            return Response(member_json(found, shows_email=True), status=201)
        return Response(invitation_json(found), status=201)

    def delete(self, request: Request, ws: str) -> Response:
        given = self.body(MemberRemovalInput)
        keeps_keys = given.get("keys") == HAND_OVER
        if "user_id" in given:
            workspaces.remove_member(caller=self.caller, user_id=given["user_id"], keeps_keys=keeps_keys)
        else:
            invitations.withdraw_invitation(caller=self.caller, email=given["email"], keeps_keys=keeps_keys)
        return Response(status=204)


def workspace_json(workspace: Workspace) -> dict[str, Any]:
    return {"id": str(workspace.id), "name": workspace.name, "slug": workspace.slug}


def member_json(member: Membership, *, shows_email: bool) -> dict[str, Any]:
    return {
        "user_id": str(member.user_id),
        "email": member.user.email if shows_email else None,
        "name": member.user.name,
        "role": member.role,
        "status": "active",
        "since": member.created_at,
    }


def invitation_json(invitation: Invitation) -> dict[str, Any]:
    """A member to be, in the shape of one. Whether the address has an account is not told."""
    return {
        "user_id": None,
        "email": invitation.email,
        "name": "",
        "role": invitation.role,
        "status": "pending",
        "since": invitation.created_at,
    }
