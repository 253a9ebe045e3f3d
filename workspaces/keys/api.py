"""REST of a workspace itself: settings, the toggle, API keys, members."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import PageInput, paginate
from workspaces.access import selectors
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView
from workspaces.keys import services
from workspaces.keys.schemas import KeyInput
from workspaces.models import ApiKey, User
from workspaces.settings.schemas import NothingInput


class KeysView(WorkspaceView):
    """List API keys; make one. The secret is in the answer to the POST and nowhere else."""

    rights: ClassVar[dict[str, Right]] = {"GET": Right.ADMIN, "POST": Right.ADMIN}
    keeps_answers: ClassVar[bool] = False  # the secret is kept nowhere
    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        listed = paginate(
            request, selectors.workspace_keys(self.caller), key=lambda key: (bool(key.revoked_at), -key.id.int)
        )
        return Response({**listed, "results": [key_json(key) for key in listed["results"]]})

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(KeyInput)
        made = services.create_key(
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
        self.body(NothingInput)
        return Response(key_json(services.revoke_key(caller=self.caller, key_id=path_id(key_id))))


def key_json(key: ApiKey) -> dict[str, Any]:
    return {
        "id": str(key.id),
        "name": key.name,
        "hint": key.hint,
        "scopes": key.scopes,
        "created_by": None
        if key.created_by is None
        else {"user_id": str(key.created_by_id), "name": str(key.created_by)},
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    }
