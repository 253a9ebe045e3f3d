"""REST of erasure: of one space, with what is in it, and of a whole workspace."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.schemas import NoBody
from core.http.url_parameters import path_id
from memory.memories.space_counts import count_space
from transfer.erasure.schemas import (
    EraseQuery,
    EraseWorkspaceInput,
    ErasureResponse,
    OneSpaceResponse,
    WorkspaceErasureResponse,
)
from transfer.erasure.selectors import access_erasure, access_erasure_of_key, has_erased
from transfer.erasure.services import space_erasure, workspace_erasure
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.http.authentication import IsCaller, KeyAuthentication, SignedInAuthentication, who
from workspaces.http.rest import RestView, WorkspaceView
from workspaces.keys.secrets import secret_hash
from workspaces.models import User

ACCEPTED = 202


class SpaceView(WorkspaceView):
    """Read one space and how much is in it, or erase it for good (202 while the worker goes on with a large one).

    Its name is percent-encoded in the path, `/` as `%2F` or as it is. With `dry_run` nothing is deleted.
    """

    names_spaces = False
    rights: ClassVar[dict[str, Right | None]] = {"GET": None, "DELETE": Right.ADMIN}
    asks = {"DELETE": EraseQuery}
    answers = {"GET": OneSpaceResponse, "DELETE": {200: ErasureResponse, ACCEPTED: ErasureResponse}}

    def get(self, request: Request, ws: str, space: str) -> Response:
        return self.answer(OneSpaceResponse.of_counted(count_space(self.caller, space)))

    def delete(self, request: Request, ws: str, space: str) -> Response:
        self.body(NoBody)
        if self.query(EraseQuery).dry_run:
            return self.answer(ErasureResponse.of_space(space_erasure.count_erasure(caller=self.caller, name=space)))
        erasure = space_erasure.erase_space(caller=self.caller, name=space)
        status = 200 if erasure.status == space_erasure.ErasureStatus.ERASED else ACCEPTED
        return self.answer(ErasureResponse.of_space(erasure), status=status)


class WholeWorkspaceView(WorkspaceView):
    """Erase the workspace for good: it is closed at once, and the worker deletes everything of it (202).

    `confirm` is its name or its slug. With `dry_run` nothing is deleted, and the answer counts what would be.
    """

    action_types = None
    names_spaces = False
    rights: ClassVar[dict[str, Right | None]] = {"DELETE": Right.ADMIN}
    asks = {"DELETE": EraseQuery}
    reads = {"DELETE": EraseWorkspaceInput}
    answers = {"DELETE": {200: WorkspaceErasureResponse, ACCEPTED: WorkspaceErasureResponse}}

    def delete(self, request: Request, ws: str) -> Response:
        given = self.body(EraseWorkspaceInput)
        if self.query(EraseQuery).dry_run:
            counted = workspace_erasure.count_workspace(caller=self.caller)
            return self.answer(WorkspaceErasureResponse.of_content(counted))
        erasure = workspace_erasure.erase_workspace(caller=self.caller, confirm=given.confirm)
        return self.answer(WorkspaceErasureResponse.of_erasure(erasure), status=ACCEPTED)


class AskingKeyAuthentication(KeyAuthentication):
    """The key that asked for an erasure, by its hash: it reads the receipt when the key itself is deleted.

    Any other key is authenticated as usual, and finds no such erasure.
    """

    def authenticate(self, request: Request) -> tuple[Caller, str] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        digest = secret_hash(secret.strip())
        if scheme.lower() == "bearer" and has_erased(digest):
            # Of no workspace: what is counted of its calls must not name the one that is erased.
            return Caller(UUID(int=0), ActorKind.SYSTEM, digest, "erasure", frozenset()), "key"
        return super().authenticate(request)


class ErasureView(RestView):
    """Read how far the erasure of a workspace is, and its receipt, as the person who asked or with the key that did."""

    action_types = None
    authentication_classes = (AskingKeyAuthentication, SignedInAuthentication)
    permission_classes = (IsCaller,)
    answers = {"GET": WorkspaceErasureResponse}

    def get(self, request: Request, erasure_id: str) -> Response:
        identity, actor = path_id(erasure_id), who(request)
        if isinstance(actor, User):
            return self.answer(WorkspaceErasureResponse.of_erasure(access_erasure(actor, identity)))
        digest = actor.id if isinstance(actor, Caller) and actor.kind == ActorKind.SYSTEM else ""
        return self.answer(WorkspaceErasureResponse.of_erasure(access_erasure_of_key(identity, key_hash=digest)))
