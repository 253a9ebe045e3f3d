"""Results of tools: the answers of REST without the fields that are marked as details."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BeforeValidator, ConfigDict, Field, create_model
from pydantic.fields import FieldInfo

from core.http.schemas import DETAIL, ResponseSchema


@cache
def without_details(annotation: Any) -> Any:
    """Return the type with every `ResponseSchema` inside of it narrowed to what an agent can use."""
    if isinstance(annotation, type) and issubclass(annotation, ResponseSchema):
        kept = {name: one for name, one in annotation.model_fields.items() if DETAIL not in one.metadata}
        fields: dict[str, Any] = {name: (_type(one), _default(one)) for name, one in kept.items()}
        name = annotation.__name__.replace("Response", "")
        return create_model(name, __config__=ConfigDict(title=name), **fields)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return Annotated[without_details(arguments[0]), *_checks(arguments[1:])]
    narrowed = tuple(without_details(one) if _is_type(one) else one for one in arguments)
    if origin is None or narrowed == arguments:
        return annotation
    return reduce(or_, narrowed) if origin in {Union, UnionType} else origin[narrowed]


def _checks(metadata: Iterable[Any]) -> list[Any]:
    """Return the metadata of a type without what made its values from objects: here they are JSON already."""
    return [one for one in metadata if not isinstance(one, BeforeValidator)]


def _type(field: FieldInfo) -> Any:
    annotation: Any = field.annotation
    narrowed = without_details(annotation)
    checks = _checks(field.metadata)
    return Annotated[narrowed, *checks] if checks else narrowed


def _default(field: FieldInfo) -> Any:
    default = ... if field.is_required() else field.default
    return Field(default=default, description=field.description, json_schema_extra=field.json_schema_extra)


def _is_type(argument: Any) -> bool:
    return isinstance(argument, type) or get_origin(argument) is not None
