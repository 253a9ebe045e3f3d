"""JSON Schema in words, for people who read the reference. Pure."""

from __future__ import annotations

from typing import Any


def fields_in_words(schema: dict[str, Any]) -> str:
    """Return the fields of an object: name, whether it may be left out, and what it takes."""
    required = set(schema.get("required", ()))
    return " · ".join(
        f"`{name}`{'' if name in required else '?'} {type_in_words(field)}"
        for name, field in schema["properties"].items()
    )


def type_in_words(schema: dict[str, Any]) -> str:
    """Return what a field or a parameter takes."""
    if "anyOf" in schema:  # a parameter that may also be without a value
        return " or ".join(type_in_words(one) for one in schema["anyOf"] if one.get("maxLength") != 0)
    kinds = schema.get("type", "JSON")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    return f"{_alone(kind, schema)}{' or null' if isinstance(kinds, list) else ''}"


def _alone(kind: str, schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(f"`{choice}`" for choice in schema["enum"] if choice is not None)
    if kind == "array":
        bound = f"at most {schema['maxItems']:,}: " if "maxItems" in schema else ""
        return f"list of {bound}{type_in_words(schema['items'])}"
    if kind == "object" and "properties" in schema:
        return f"({fields_in_words(schema)})"
    name = KINDS.get(schema.get("format", kind), kind)
    least, most = schema.get("minimum"), schema.get("maximum")
    span = f" from {least:,} to {most:,}" if least is not None and most is not None else ""
    length = f" of at most {schema['maxLength']:,} characters" if "maxLength" in schema else ""
    return f"{name}{span}{length}"


KINDS = {
    "email": "e-mail address",
    "string": "text",
    "integer": "whole number",
    "boolean": "true or false",
    "date-time": "time",
    "uuid": "id",
}
