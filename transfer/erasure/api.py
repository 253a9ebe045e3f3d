"""REST of one space: what is in it, and its erasure."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.schemas import NoBody
from memory.memories.space_counts import count_space
from transfer.erasure import services
from transfer.erasure.schemas import EraseQuery, ErasureResponse, OneSpaceResponse
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView

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
            return self.answer(ErasureResponse.of(services.count_erasure(caller=self.caller, name=space)))
        erasure = services.erase_space(caller=self.caller, name=space)
        status = 200 if erasure.status == services.ErasureStatus.ERASED else ACCEPTED
        return self.answer(ErasureResponse.of(erasure), status=status)
