"""The spaces that a REST call names, in its query string or in the JSON object of its body."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any

from django.http import QueryDict
from pydantic import AfterValidator, Field

from core.errors import InvalidError
from core.http.field_types import Flag, QueryFlag, refuse
from core.http.schemas import NOT_GIVEN, QuerySchema, RequestSchema
from workspaces.access.spaces import (
    MAX_KEY_CHARACTERS,
    MAX_NAME_CHARACTERS,
    ContradictingSpacesError,
    NamedSpaces,
    parse_space,
    space_key,
)


def _check_key(key: str) -> str:
    try:
        return space_key(key, field="")
    except InvalidError as error:
        refuse(error.problems[0].code, error.problems[0].detail)


def _check_name(name: str) -> str:
    try:
        return str(parse_space(name))
    except InvalidError as error:
        refuse(error.problems[0].code, error.problems[0].detail)


Key = Annotated[str, Field(min_length=1, max_length=MAX_KEY_CHARACTERS), AfterValidator(_check_key)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS), AfterValidator(_check_name)]


class SpaceFields(RequestSchema):
    """Whose memory the call is about. Without any of them it reads and writes what is shared."""

    user: Annotated[
        Key, Field(description="Your own key of an end user: read and write their space.", examples=["42"])
    ] = NOT_GIVEN
    agent: Annotated[Key, Field(description="The name of an agent: read and write its space.", examples=["clerk"])] = (
        NOT_GIVEN
    )
    space: Annotated[
        Name,
        Field(
            description="The space to write into and to read: `shared`, `user:42`, `agent:clerk`, `project:apollo`.",
            examples=["project:apollo"],
        ),
    ] = NOT_GIVEN
    shared: Annotated[Flag, Field(description="Whether what is shared is read as well.", examples=[False])] = True


class SpaceQuery(SpaceFields, QuerySchema):
    """The same in a query string; an empty name is a mistake, and not the shared space."""

    never_empty = frozenset({"user", "agent", "space"})

    shared: Annotated[QueryFlag, Field(description="Whether what is shared is read as well.")] = None  # type: ignore[assignment]


NAMES = tuple(SpaceFields.model_fields)


def split_query(query: QueryDict, fields: Collection[str]) -> tuple[QueryDict, SpaceQuery | None]:
    """Return a query string without the spaces that it names, and these. Raises InvalidError for what is not a name.

    `fields` are those of the call itself: an action and a run have an `agent` of their own, whose space is named by
    `space`.
    """
    rest, said = query.copy(), QueryDict(mutable=True)
    for name in NAMES:
        if name in rest and name not in fields:
            said.setlist(name, rest.pop(name))
    return rest, SpaceQuery.read_query(said) if said else None


def split_body(body: Any, fields: Collection[str]) -> tuple[Any, SpaceFields | None]:
    """Return a body without the spaces that it names, and these. Raises InvalidError for what is not a name.

    A context is for a `user`: a field of its own, which names a space as well.
    """
    if not isinstance(body, Mapping):
        return body, None
    said = {name: body[name] for name in NAMES if name in body and name not in fields}
    rest = {name: value for name, value in body.items() if name not in said}
    if "user" in fields and body.get("user"):
        said["user"] = body["user"]
    return rest, SpaceFields.read(said) if said else None


def join_spaces(*said: SpaceFields | None) -> NamedSpaces:
    """Return the spaces that a call names; raise ContradictingSpacesError where its parts name different ones."""
    found = {
        NamedSpaces(each.user, each.agent, each.space, each.shared is not False) for each in said if each is not None
    }
    if len(found) > 1:
        raise ContradictingSpacesError("The query string and the body name different spaces. Name them in one place.")
    return found.pop() if found else NamedSpaces()
