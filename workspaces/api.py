"""REST of a workspace itself: settings, the toggle, API keys, members."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pages import one_page
from workspaces import inputs, selectors
from workspaces.authentication import IsCaller, who
from workspaces.callers import Caller, Right
from workspaces.http import RestView, WorkspaceView
from workspaces.models import ApiKey, Membership, Role, User, Workspace
from workspaces.services import founding, keys, switching
from workspaces.switches import settings_json


class WorkspacesView(RestView):
    """List the workspaces that the caller may enter: a key has one, a person those they are a member of."""

    permission_classes = (IsCaller,)

    def get(self, request: Request) -> Response:
        somebody = who(request)
        assert isinstance(somebody, Caller | User)  # noqa: S101  # the permission above says so
        return Response(one_page([workspace_json(each) for each in selectors.workspaces_open_to(somebody)]))


class SettingsView(WorkspaceView):
    """Read the settings; change the ones that are named."""

    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN}

    def get(self, request: Request, ws: str) -> Response:
        return Response(settings_json(selectors.workspace_of(self.caller)))

    def put(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.SettingsInput)
        return Response(settings_json(switching.change_settings(caller=self.caller, **given)))


class ToggleView(WorkspaceView):
    """Turn memory on or off; idempotent."""

    rights: ClassVar[dict[str, None]] = {"POST": None}  # the service knows who may
    enabled: ClassVar[bool] = True

    def post(self, request: Request, ws: str) -> Response:
        self.body(inputs.NothingInput)
        changed = switching.set_memory_enabled(caller=self.caller, enabled=self.enabled)
        return Response({"enabled": self.enabled, "changed": changed})


class KeysView(WorkspaceView):
    """List API keys; make one. The secret is in the answer to the POST and nowhere else."""

    rights: ClassVar[dict[str, Right]] = {"GET": Right.ADMIN, "POST": Right.ADMIN}
    keeps_answers: ClassVar[bool] = False  # the secret is kept nowhere

    def get(self, request: Request, ws: str) -> Response:
        return Response(one_page([key_json(key) for key in selectors.keys_of(self.caller)]))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.KeyInput)
        made = keys.create_key(
            caller=self.caller,
            name=given["name"],
            scopes=[Right(scope) for scope in given["scopes"]],
            expires_at=given.get("expires_at"),
            owner=request.user.id if isinstance(request.user, User) else None,
        )
        return Response({**key_json(made.key), "secret": made.secret}, status=201)


class KeyView(WorkspaceView):
    """Revoke an API key."""

    rights: ClassVar[dict[str, Right]] = {"DELETE": Right.ADMIN}

    def delete(self, request: Request, ws: str, key_id: str) -> Response:
        self.body(inputs.NothingInput)
        return Response(key_json(keys.revoke_key(caller=self.caller, key_id=path_id(key_id))))


class MembersView(WorkspaceView):
    """List, admit and remove people."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN, "DELETE": Right.ADMIN}

    def get(self, request: Request, ws: str) -> Response:
        return Response(one_page([member_json(member) for member in selectors.members_of(self.caller)]))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.MemberInput)
        member = founding.add_member(
            caller=self.caller, email=given["email"], role=given.get("role", Role.MEMBER.value)
        )
        return Response(member_json(member), status=201)

    def delete(self, request: Request, ws: str) -> Response:
        founding.remove_member(caller=self.caller, user_id=self.body(inputs.MemberRemovalInput)["user_id"])
        return Response(status=204)


def workspace_json(workspace: Workspace) -> dict[str, Any]:
    return {"id": str(workspace.id), "name": workspace.name, "slug": workspace.slug}


def key_json(key: ApiKey) -> dict[str, Any]:
    return {
        "id": str(key.id),
        "name": key.name,
        "hint": key.hint,
        "scopes": key.scopes,
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    }


def member_json(member: Membership) -> dict[str, Any]:
    return {
        "user_id": str(member.user_id),
        "email": member.user.email,
        "name": member.user.name,
        "role": member.role,
        "since": member.created_at,
    }
