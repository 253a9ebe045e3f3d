"""REST of user working memory."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from core.clock import moment
from core.errors import NotFoundError
from core.text import has_forbidden_characters
from memory.inputs import NothingInput, UserMemoryInput, UserSectionsInput
from memory.models import UserMemory
from memory.profiles import sections_of
from memory.services import profiles
from workspaces.http import WorkspaceView

MOST_USER_CHARACTERS = 200


class UserMemoryView(WorkspaceView):
    """Read, replace, update by sections or delete what is kept about a user."""

    def get(self, request: Request, ws: str, user: str) -> Response:
        return Response(user_memory_json(profiles.read_user_memory(caller=self.caller, user=_user(user))))

    def put(self, request: Request, ws: str, user: str) -> Response:
        given = self.body(UserMemoryInput)
        return Response(user_memory_json(profiles.write_user_memory(caller=self.caller, user=_user(user), **given)))

    def patch(self, request: Request, ws: str, user: str) -> Response:
        given = self.body(UserSectionsInput)
        return Response(user_memory_json(profiles.update_user_memory(caller=self.caller, user=_user(user), **given)))

    def delete(self, request: Request, ws: str, user: str) -> Response:
        self.body(NothingInput)
        profiles.forget_user_memory(caller=self.caller, user=_user(user))
        return Response(status=204)


def user_memory_json(memory: UserMemory) -> dict[str, Any]:
    return {
        "user": memory.user,
        "content": memory.content,
        "sections": sections_of(memory.content),
        "updated_by": memory.updated_by or None,
        "updated_at": moment(memory.updated_at),
    }


def _user(name: str) -> str:
    if not 1 <= len(name) <= MOST_USER_CHARACTERS or has_forbidden_characters(name) or name.splitlines() != [name]:
        raise NotFoundError()
    return name
