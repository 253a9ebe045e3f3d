"""What REST views of every app stand on: the caller of a call, the workspace in the path, strict input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from core.errors import NotFoundError
from core.http.fields import path_id
from core.http.parsing import BodyTooLargeError, LengthRequiredError, most_bytes
from workspaces.authentication import IsCaller, address_of, who
from workspaces.callers import Caller, Right
from workspaces.models import User
from workspaces.selectors import access_workspace


class WorkspaceView(APIView):
    """A view under `/v1/workspaces/{ws}`; `self.caller` is who asks, inside that workspace.

    `rights` names what each method needs; None leaves it to the service. A path with another workspace, or with
    something that is no id, answers 404.
    """

    permission_classes = (IsCaller,)
    rights: ClassVar[Mapping[str, Right | None]] = {}
    caller: Caller

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if "chunked" in request.headers.get("Transfer-Encoding", "").lower():
            raise LengthRequiredError()
        if int(request.META.get("CONTENT_LENGTH") or 0) > (limit := most_bytes(self)):
            raise BodyTooLargeError(f"The body is larger than {limit:,} bytes.")
        super().initial(request, *args, **kwargs)
        self.caller = caller_in(request, kwargs["ws"])
        default = Right.READ if request.method in {"GET", "HEAD", "OPTIONS"} else Right.WRITE
        if right := self.rights.get(request.method or "", default):
            self.caller.require(right)

    def body(self, serializer: type[Serializer[Any]]) -> dict[str, Any]:
        """The validated body. Raises REST framework's ValidationError, which becomes a 422."""
        reader = serializer(data=self.request.data)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    def query(self, serializer: type[Serializer[Any]]) -> dict[str, Any]:
        """The validated query string; parameters that are not known are refused like unknown fields."""
        reader = serializer(data=self.request.query_params)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)


def caller_in(request: Request, workspace: str) -> Caller:
    """The caller inside the workspace that the path names. Raises NotFoundError for any other workspace."""
    workspace_id = path_id(workspace)
    found = who(request)
    if isinstance(found, User):
        return access_workspace(user=found, workspace_id=workspace_id, address=address_of(request))
    if isinstance(found, Caller) and found.workspace_id == workspace_id:
        return found
    raise NotFoundError()
