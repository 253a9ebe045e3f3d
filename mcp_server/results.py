"""Results of tools: the answers of REST without the fields that are marked as details."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, get_args, get_origin

from pydantic import ConfigDict, Field, create_model
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
    arguments = get_args(annotation)
    if not arguments or get_origin(annotation) is None:
        return annotation
    narrowed = tuple(without_details(one) if _is_type(one) else one for one in arguments)
    if narrowed == arguments:
        return annotation
    union = narrowed[0]
    if get_origin(annotation) in {list, dict, tuple}:
        return get_origin(annotation)[narrowed if len(narrowed) > 1 else narrowed[0]]
    for one in narrowed[1:]:
        union = union | one
    return union


def _type(field: FieldInfo) -> Any:
    annotation: Any = field.annotation
    narrowed = without_details(annotation)
    return Annotated[narrowed, *field.metadata] if field.metadata else narrowed


def _default(field: FieldInfo) -> Any:
    default = ... if field.is_required() else field.default
    return Field(default=default, description=field.description, json_schema_extra=field.json_schema_extra)


def _is_type(argument: Any) -> bool:
    return isinstance(argument, type) or get_origin(argument) is not None
