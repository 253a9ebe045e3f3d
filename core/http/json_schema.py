"""Schemas of doors as JSON Schema, for the OpenAPI document: no looser and no stricter than they are."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from core.http.field_types import COMMA_SEPARATED, JsonSchema
from core.http.schemas import EditSchema, QuerySchema, RequestSchema


def body_schema(schema: type[RequestSchema]) -> JsonSchema:
    """Return a body, with the schemas of its parts in their places."""
    found = schema.model_json_schema()
    parts = found.pop("$defs", {})
    found.pop("description", None)  # the docstring, which says of which door it is the body
    plain = _plain(found, parts)
    plain.setdefault("properties", {})
    if issubclass(schema, EditSchema):  # what is not named stays as it is, whatever a new one would have
        for field in plain["properties"].values():
            field.pop("default", None)
    is_open = schema.model_config.get("extra") == "allow"
    return {**plain, **schema.json_rules, "additionalProperties": is_open}


def body_example(schema: type[BaseModel]) -> dict[str, Any]:
    """Return an example of every field that has one."""
    fields = schema.model_fields.items()
    return {field.alias or name: field.examples[0] for name, field in fields if field.examples}


def query_parameters(schema: type[QuerySchema]) -> list[dict[str, Any]]:
    """Return the parameters of a query string."""
    found = body_schema(schema)
    required = set(found.get("required", ()))
    parameters = []
    for name, given in found["properties"].items():
        # There is no null in a query string.
        single = {**given, "type": given["type"][0]} if isinstance(given.get("type"), list) else given
        parameter: dict[str, Any] = {"name": name, "in": "query", "required": name in required}
        if COMMA_SEPARATED in schema.model_fields[name].metadata:
            parameter |= {"schema": single, "style": "form", "explode": False}
        elif name in required or name in schema.never_empty:
            parameter["schema"] = single
        else:  # a parameter without a value says nothing
            parameter["schema"] = {"anyOf": [single, {"type": "string", "maxLength": 0}]}
        parameters.append(parameter)
    return parameters


def _plain(schema: Any, parts: dict[str, Any]) -> Any:
    """Return the schema with its references replaced, without titles, examples of fields and defaults that say
    nothing."""
    if isinstance(schema, list):
        return [_plain(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if reference := schema.get("$ref"):
        more = {name: value for name, value in schema.items() if name != "$ref"}
        return _plain({**parts[reference.rpartition("/")[2]], **more}, parts)
    found = {}
    for name, value in schema.items():
        if name == "properties":
            found[name] = {field: _plain(one, parts) for field, one in value.items()}
        elif name not in {"title", "examples"} and not (name == "default" and value in (None, [], "")):
            found[name] = _plain(value, parts)
    return _or_null(found)


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema or null as one schema of two types, where it has a type."""
    choices = schema.get("anyOf", ())
    if len(choices) != 2 or {"type": "null"} not in choices:
        return schema
    found = next(one for one in choices if one != {"type": "null"})
    if not isinstance(found.get("type"), str):
        return schema
    listed = {"enum": [*found["enum"], None]} if "enum" in found else {}
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    return {**found, "type": [found["type"], "null"], **listed, **rest}
