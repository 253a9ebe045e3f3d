"""Fields of REST framework as JSON Schema: no looser and no stricter than they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from core.http.fields import CommaSeparatedField, ObjectField, SpokenField, TextField
from core.http.pagination import MOST
from core.text.invisible_characters import INVISIBLE

Schema = dict[str, Any]
# What `core.text` lets through as text, and the same with something to see in it.
_CHARACTER = r"[^\u0000-\u0008\u000b\u000c\u000e-\u001f]"
TEXT = rf"^{_CHARACTER}*$"
VISIBLE = rf"^{_CHARACTER}*[^\s\u0000-\u001f]{_CHARACTER}*$"
# The same without invisible characters. Joiners that a script or an emoji needs are taken, which no pattern can say.
_PLAIN = _CHARACTER.replace("]", f"{INVISIBLE}]")
PLAIN_TEXT = rf"^{_PLAIN}*$"
PLAIN_VISIBLE = rf"^{_PLAIN}*[^\s\u0000-\u001f{INVISIBLE}]{_PLAIN}*$"
# Of every list; that a number there is written in digits is all that the field itself says.
LIMIT: Schema = {"type": "integer", "minimum": 1, "maximum": MOST, "default": 50}
CURSOR: Schema = {"type": "string", "description": "Out of `next` or `previous`; it cannot be made up."}


def body_schema(reader: serializers.Serializer[Any]) -> Schema:
    """A body of which every field is known."""
    fields = reader.fields
    schema: Schema = {"type": "object", "properties": {name: field_schema(field) for name, field in fields.items()}}
    if required := [name for name, field in fields.items() if field.required]:
        schema["required"] = required
    return {**schema, **getattr(reader, "json_rules", {}), "additionalProperties": False}


def query_parameters(reader: serializers.Serializer[Any]) -> list[dict[str, Any]]:
    """The parameters of a query string."""
    return [
        {"name": name, "in": "query", "required": bool(field.required), **_query_schema(name, field)}
        for name, field in reader.fields.items()
    ]


def field_schema(field: Any) -> Schema:
    """What one field takes."""
    schema = _of_kind(field)
    if field.default is not empty and not callable(field.default) and field.default is not None:
        schema = {**schema, "default": field.default}
    if getattr(field, "help_text", None):
        schema = {**schema, "description": str(field.help_text)}
    return _or_null(schema) if field.allow_null else schema


def _query_schema(name: str, field: Any) -> dict[str, Any]:
    if name == "limit" and isinstance(field, serializers.CharField):
        return {"schema": LIMIT}
    if name == "cursor":
        return {"schema": CURSOR}
    if isinstance(field, CommaSeparatedField):
        return {"schema": field_schema(field), "style": "form", "explode": False}
    schema = field_schema(field)
    if isinstance(schema.get("type"), list):  # there is no null in a query string
        schema = {**schema, "type": schema["type"][0]}
    # A parameter without a value says nothing.
    return {"schema": schema if field.required else {"anyOf": [schema, {"type": "string", "maxLength": 0}]}}


def _of_kind(field: Any) -> Schema:
    for kind, make in KINDS:
        if isinstance(field, kind):
            return make(field)
    raise TypeError(f"Nobody has said what {type(field).__name__} is in JSON Schema.")


def _list(field: Any) -> Schema:
    bounds = {"minItems": field.min_length, "maxItems": field.max_length}
    return {"type": "array", "items": field_schema(field.child), **_drop_none(bounds)}


def _text(field: Any) -> Schema:
    least = None if field.allow_blank else 1
    is_plain = isinstance(field, TextField) and not isinstance(field, SpokenField)
    any_text, visible = (PLAIN_TEXT, PLAIN_VISIBLE) if is_plain else (TEXT, VISIBLE)
    pattern = getattr(field, "json_pattern", None) or (any_text if field.allow_blank else visible)
    if field.allow_blank and pattern not in {any_text, visible}:
        pattern = f"{pattern}|^$"
    return {"type": "string", **_drop_none({"minLength": least, "maxLength": field.max_length}), "pattern": pattern}


def _number(kind: str) -> Callable[[Any], Schema]:
    return lambda field: {"type": kind, **_drop_none({"minimum": field.min_value, "maximum": field.max_value})}


def _drop_none(found: Schema) -> Schema:
    return {name: value for name, value in found.items() if value is not None}


def _or_null(schema: Schema) -> Schema:
    if "type" in schema:
        listed = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
        return {**schema, "type": [schema["type"], "null"], **listed}
    return {"anyOf": [schema, {"type": "null"}]} if schema else {}


KINDS: tuple[tuple[type[Any], Callable[[Any], Schema]], ...] = (
    (serializers.Serializer, body_schema),
    (serializers.ListField, _list),
    (serializers.ChoiceField, lambda field: {"type": "string", "enum": list(field.choices)}),
    (serializers.BooleanField, lambda field: {"type": "boolean"}),
    (serializers.IntegerField, _number("integer")),
    (serializers.FloatField, _number("number")),
    (serializers.UUIDField, lambda field: {"type": "string", "format": "uuid"}),
    (serializers.DateTimeField, lambda field: {"type": "string", "format": "date-time"}),
    (serializers.EmailField, lambda field: {"type": "string", "format": "email", "maxLength": field.max_length}),
    (ObjectField, lambda field: {"type": "object"}),
    (serializers.JSONField, lambda field: {}),
    (serializers.CharField, _text),
)
