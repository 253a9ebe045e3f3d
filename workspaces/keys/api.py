"""REST of API keys."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import CONFIGURATION
from core.http.pagination import PageQuery, paginate
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from workspaces.access import selectors
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView
from workspaces.keys import services
from workspaces.keys.schemas import ApiKeyResponse, KeyInput, NewApiKeyResponse
from workspaces.models import User


class KeysView(WorkspaceView):
    """List API keys; make one. The secret is in the answer to the POST and nowhere else."""

    action_types = CONFIGURATION
    names_spaces = False
    is_for_bound_keys = True
    rights: ClassVar[dict[str, Right]] = {"GET": Right.ADMIN, "POST": Right.ADMIN}
    keeps_answers: ClassVar[bool] = False  # the secret is kept nowhere
    asks = {"GET": PageQuery}
    reads = {"POST": KeyInput}
    answers = {"GET": Page[ApiKeyResponse], "POST": {201: NewApiKeyResponse}}

    def get(self, request: Request, ws: str) -> Response:
        keys = selectors.workspace_keys(self.caller)
        found = paginate(request, keys, key=lambda key: (bool(key.revoked_at), -key.id.int))
        return self.answer(Page[ApiKeyResponse].of(found))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(KeyInput)
        made = services.create_key(
            caller=self.caller,
            name=given.name,
            scopes=[Right(scope) for scope in given.scopes],
            expires_at=given.expires_at,
            spaces=given.spaces,
            is_stamped=given.stamped,
            is_of_sub_agent=given.sub_agent,
            tools=given.tools,
            owner=request.user.id if isinstance(request.user, User) else None,
        )
        return self.answer(NewApiKeyResponse.of_new(made.key, secret=made.secret), status=201)


class KeyView(WorkspaceView):
    """Revoke an API key."""

    action_types = CONFIGURATION
    names_spaces = False
    is_for_bound_keys = True
    rights: ClassVar[dict[str, Right]] = {"DELETE": Right.ADMIN}
    answers = {"DELETE": ApiKeyResponse}

    def delete(self, request: Request, ws: str, key_id: str) -> Response:
        self.body(NoBody)
        return self.answer(ApiKeyResponse.of(services.revoke_key(caller=self.caller, key_id=path_id(key_id))))
