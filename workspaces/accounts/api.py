"""REST of workspaces and their members."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import CONFIGURATION
from core.http.pagination import PageQuery, paginate
from core.http.schemas import Page
from workspaces.access import selectors
from workspaces.access.callers import Caller, Right
from workspaces.access.operators import Operator
from workspaces.accounts.operators.selectors import operator_workspaces
from workspaces.accounts.operators.services.provision import provision_workspace
from workspaces.accounts.schemas import (
    MemberInput,
    MemberRemovalInput,
    MemberResponse,
    NewWorkspaceResponse,
    WorkspaceInput,
    WorkspaceResponse,
)
from workspaces.accounts.services import invitations, memberships
from workspaces.http.authentication import (
    IsCallerOrOperator,
    KeyAuthentication,
    OperatorAuthentication,
    SignedInAuthentication,
    who,
)
from workspaces.http.rest import RestView, WorkspaceView
from workspaces.models import Membership, User


class WorkspacesView(RestView):
    """List the workspaces that the caller may enter: a key has one, a person those they are a member of; an operator's
    key is shown those that it made. Make a workspace, with an operator's key.
    """

    authentication_classes = (OperatorAuthentication, KeyAuthentication, SignedInAuthentication)
    permission_classes = (IsCallerOrOperator,)
    operator_methods = ("POST",)
    asks = {"GET": PageQuery}
    reads = {"POST": WorkspaceInput}
    answers = {"GET": Page[WorkspaceResponse], "POST": {201: NewWorkspaceResponse}}

    def get(self, request: Request) -> Response:
        actor = who(request)
        assert isinstance(actor, Caller | User | Operator)  # noqa: S101  # the permission above says so
        listed = operator_workspaces(actor) if isinstance(actor, Operator) else selectors.accessible_workspaces(actor)
        found = paginate(request, listed, key=lambda one: (one.name, str(one.id)))
        return self.answer(Page[WorkspaceResponse].of(found))

    def post(self, request: Request) -> Response:
        operator, given = who(request), self.body(WorkspaceInput)
        assert isinstance(operator, Operator)  # noqa: S101  # `operator_methods` says so
        made = provision_workspace(
            operator=operator,
            name=given.name,
            owner=given.owner or "",
            idempotency_key=request.headers.get("Idempotency-Key"),
        )
        answer = self.answer(NewWorkspaceResponse.of_provisioned(made), status=201)
        if made.is_repeated:
            answer["Idempotency-Replayed"] = "true"
        return answer


class MembersView(WorkspaceView):
    """List members; invite people and change roles; remove members and withdraw invitations."""

    action_types = CONFIGURATION
    names_spaces = False
    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN, "DELETE": Right.ADMIN}
    asks = {"GET": PageQuery}
    reads = {"POST": MemberInput, "DELETE": MemberRemovalInput}
    answers = {"GET": Page[MemberResponse], "POST": {201: MemberResponse}, "DELETE": None}

    def get(self, request: Request, ws: str) -> Response:
        governs = self.caller.may(Right.ADMIN)
        members = selectors.workspace_members(self.caller)
        listed = [MemberResponse.of_member(member, shows_email=governs) for member in members]
        if governs:
            listed += [MemberResponse.of_invitation(one) for one in selectors.workspace_invitations(self.caller)]
        found = paginate(request, listed, key=lambda one: (one.status, one.email or one.user_id))
        return self.answer(Page[MemberResponse].of(found))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MemberInput)
        found = invitations.invite_member(caller=self.caller, email=given.email, role=given.role)
        if isinstance(found, Membership):
            return self.answer(MemberResponse.of_member(found, shows_email=True), status=201)
        return self.answer(MemberResponse.of_invitation(found), status=201)

    def delete(self, request: Request, ws: str) -> Response:
        given = self.body(MemberRemovalInput)
        keeps_keys = given.keys == "keep"
        if given.user_id:
            memberships.remove_member(caller=self.caller, user_id=given.user_id, keeps_keys=keeps_keys)
        else:
            invitations.withdraw_invitation(caller=self.caller, email=given.email, keeps_keys=keeps_keys)
        return Response(status=204)
