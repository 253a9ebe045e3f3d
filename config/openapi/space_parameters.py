"""The spaces that a call may name, in the OpenAPI document: said once, and referred to by each operation."""

from __future__ import annotations

from typing import Any

from config.openapi.operations import Operation
from core.http.field_types import JsonSchema
from core.http.json_schema import body_schema, query_parameters
from workspaces.http.rest import WorkspaceView
from workspaces.http.space_fields import SpaceFields, SpaceQuery

_SCHEMA = "#/components/schemas/Names{name}"
_PARAMETER = "#/components/parameters/{name}"


def space_schemas() -> dict[str, JsonSchema]:
    """Return the schemas of the fields of a body that name spaces."""
    return {f"Names{name.title()}": field for name, field in body_schema(SpaceFields)["properties"].items()}


def space_parameters() -> dict[str, dict[str, Any]]:
    """Return the parameters of a query string that name spaces."""
    meanings = {name: field.description for name, field in SpaceFields.model_fields.items()}
    return {
        name: {**one, "description": meanings[name]} for one in query_parameters(SpaceQuery) if (name := one["name"])
    }


def parameter_references(view: type[Any], method: str) -> list[dict[str, str]]:
    """Return a reference to each of these parameters that a method of a view takes: all but those of its own names."""
    if not _names_spaces(view):
        return []
    asked = view.asks.get(method)
    own = asked.model_fields if asked else ()
    return [{"$ref": _PARAMETER.format(name=name)} for name in SpaceQuery.model_fields if name not in own]


def bodies_with_spaces(view: type[Any], operation: Operation) -> list[JsonSchema]:
    """Return the bodies of an operation, with those of these fields that no body has for itself."""
    bodies = [body_schema(reader) for reader in operation.reads]
    if not _names_spaces(view) or operation.takes_lines:
        return bodies
    own = {name for body in bodies for name in body["properties"]}
    added = {name: {"$ref": _SCHEMA.format(name=name.title())} for name in SpaceFields.model_fields if name not in own}
    return [_with_fields(body, added) for body in bodies]


def resolve_parameter(parameter: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter itself, also where the operation only refers to it."""
    if reference := parameter.get("$ref"):
        return dict(document["components"]["parameters"][str(reference).rpartition("/")[2]])
    return parameter


def _names_spaces(view: type[Any]) -> bool:
    return issubclass(view, WorkspaceView) and view.names_spaces


def _with_fields(body: JsonSchema, added: dict[str, JsonSchema]) -> JsonSchema:
    """Return a body with more fields; what has to name something still has to name something of its own."""
    found = {**body, "properties": {**body["properties"], **added}}
    if found.pop("minProperties", None):
        found["anyOf"] = [{"required": [name]} for name in body["properties"]]
    return found
