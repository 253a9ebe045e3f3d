"""REST of the list of spaces: which users, agents and parts of its own a workspace has."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from core.http.field_types import TextRules
from core.http.pagination import CursorPages, PageQuery
from core.http.schemas import NOT_GIVEN, FilledText, MomentText, Page, ResponseSchema, attribute
from core.text import has_forbidden_characters
from workspaces.access.space_registry import known_spaces
from workspaces.access.spaces import KIND, MAX_NAME_CHARACTERS
from workspaces.http.rest import WorkspaceView


class SpacesQuery(PageQuery):
    """The query string of `GET spaces`."""

    kind: Annotated[
        str,
        Field(
            pattern=rf"^{KIND.pattern}$",
            description="`shared`, `user`, `agent`, or the kind of spaces of your own, such as `project`.",
            examples=["user"],
        ),
    ] = NOT_GIVEN
    q: Annotated[
        str,
        TextRules(max_length=MAX_NAME_CHARACTERS),
        Field(description="How the name begins, or the key of a user, an agent or a space of that kind."),
    ] = NOT_GIVEN


class SpaceResponse(ResponseSchema):
    """A space; `kind` and `key` are the two parts of its name, the key of `shared` is null."""

    space: str = attribute("name")
    kind: str = attribute("parsed_name", "kind")
    key: FilledText = attribute("parsed_name", "key")
    title: FilledText
    created_at: MomentText
    erasing_since: MomentText | None
    erased_at: MomentText | None


class SpacePages(CursorPages):
    """Pages in the order of keys, `shared` first."""

    ordering = ("key", "kind")

    def check_position(self, position: str) -> None:
        if has_forbidden_characters(position):
            raise ValueError(position)


class SpacesView(WorkspaceView):
    """List the spaces that something was written into, and `shared`, by their keys: those that the caller may use."""

    names_spaces = False
    rights: ClassVar[dict[str, None]] = {"GET": None}
    asks = {"GET": SpacesQuery}
    answers = {"GET": Page[SpaceResponse]}

    def get(self, request: Request, ws: str) -> Response:
        asked = self.query(SpacesQuery)
        return self.page(
            SpaceResponse,
            lambda: known_spaces(self.caller, kind=asked.kind or "", prefix=asked.q or ""),
            SpacePages(),
        )
