"""Base classes of what a door reads and answers, and how their refusals become problems.

A feature declares each field once, in its `schemas.py`: its type, its limits, what it means, an example. Bodies,
query strings, the OpenAPI document, the reference pages and the arguments of tools follow from that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar
from uuid import UUID

from django.http import QueryDict
from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from core.clock import moment
from core.errors import FieldProblem, InvalidError, UnknownFieldError
from core.http.field_types import COMMA_SEPARATED, REPEATED, JsonSchema, refuse
from core.http.url_parameters import MAX_NAME_CHARACTERS, MAX_PROBLEMS, refuse_repeated
from core.text import encodable, excerpt

# The default of a field that need not be given although it may not be null.
NOT_GIVEN: Any = None
MAX_SENTENCE_CHARACTERS = 300
# Refusals of values of one body that are listed.
MAX_PROBLEMS_LOOKED_AT = 1_000


class RequestSchema(BaseModel):
    """A body whose every field is known. `json_rules` says in JSON Schema what validators of the whole demand."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)
    json_rules: ClassVar[JsonSchema] = {}

    @model_validator(mode="before")
    @classmethod
    def _leave_out_unknown(cls, data: Any) -> Any:
        """Leave out all but some of the fields that are not known: each of a hundred thousand would be refused by
        itself, for a second in which nothing else of the process runs. Where any field is taken, all stay."""
        is_strict = cls.model_config.get("extra") == "forbid"
        if not is_strict or not isinstance(data, dict) or len(data) <= len(cls.model_fields) + MAX_PROBLEMS:
            return data
        known = {field.alias or name for name, field in cls.model_fields.items()}
        unknown = islice((name for name in data if name not in known), MAX_PROBLEMS)
        return {name: data[name] for name in (*unknown, *(each for each in known if each in data))}

    @classmethod
    def read(cls, data: Any) -> Self:
        """Return the validated body. Raises InvalidError, or UnknownFieldError if a field is not known."""
        if data is None:
            raise InvalidError(problems=(FieldProblem("body", "null", "This field may not be null."),))
        if not isinstance(data, Mapping):
            sentence = "A JSON object is required."
            raise InvalidError(problems=(FieldProblem("body", "invalid", sentence),))
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise _as_product_error(cls, error) from None

    def given(self) -> dict[str, Any]:
        """Return the fields that the caller named, by name; an edit changes these and no others."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class EditSchema(RequestSchema):
    """A body that changes what it names and leaves the rest as it is: any of the fields, at least one."""

    json_rules = {"minProperties": 1}

    @model_validator(mode="after")
    def _names_a_change(self) -> Self:
        if not self.model_fields_set:
            refuse("empty", "Name at least one field to change.")
        return self


class QuerySchema(RequestSchema):
    """A query string whose every parameter is known and given once, unless it is a list.

    A parameter without a value says nothing, unless it has to be there or is one of `never_empty`.
    """

    never_empty: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def read_query(cls, query: QueryDict) -> Self:
        """Return the validated query string. Raises InvalidError, or UnknownFieldError."""
        lists = cls.list_names()
        refuse_repeated(query, lists=lists)
        values = {name: query.getlist(name) if name in lists else query[name] for name in query}
        return cls.read({name: value for name, value in values.items() if value not in ("", [""]) or cls._says(name)})

    @classmethod
    def _says(cls, name: str) -> bool:
        """Return whether a parameter says something, or something wrong, without a value."""
        field = cls.model_fields.get(name)
        return field is None or field.is_required() or name in cls.never_empty

    @classmethod
    def list_names(cls) -> set[str]:
        """Return the parameters that may be repeated."""
        marks = (COMMA_SEPARATED, REPEATED)
        return {name for name, field in cls.model_fields.items() if any(mark in field.metadata for mark in marks)}


class NoBody(RequestSchema):
    """An empty body."""


class NoQuery(QuerySchema):
    """An empty query string."""


class ResponseSchema(BaseModel):
    """What a door answers, read from the attributes of what a service returns."""

    model_config = ConfigDict(from_attributes=True, populate_by_name=True)

    @classmethod
    def of(cls, found: Any) -> Self:
        """Return the answer made of an object's attributes."""
        return cls.model_validate(found)

    def as_json(self) -> dict[str, Any]:
        """Return JSON values by field; what was never set is left out."""
        return self.model_dump(mode="json")


class FieldProblemResponse(ResponseSchema):
    """What is wrong with one field."""

    field: str
    code: str
    detail: str


class ProblemResponse(ResponseSchema):
    """RFC 9457 problem details; `code` is stable. `errors` is there where fields are refused, and `current`, the object
    as it is now, where the caller has an older version of it. The proxy says the same in `error`, in OpenAI's form."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldProblemResponse] = []
    current: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


Item = TypeVar("Item")


class Page(ResponseSchema, Generic[Item]):
    """A part of a list, with the addresses of the parts around it."""

    results: list[Item]
    next: Annotated[str | None, Field(json_schema_extra={"format": "uri"})]
    previous: Annotated[str | None, Field(json_schema_extra={"format": "uri"})]


class SearchResponse(ResponseSchema, Generic[Item]):
    """Hits best first; `method` is how they were found, `latency_ms` the milliseconds that it took."""

    results: list[Item] = Field(validation_alias="hits")
    method: str
    latency_ms: float


def attribute(*path: str, **options: Any) -> Any:
    """Return a field of a `ResponseSchema` that is read from another attribute, or from one of an attribute."""
    return Field(validation_alias=AliasPath(*path), **options)


class _Detail:
    """The mark of a field that tools leave out."""


# A field of an answer that REST has and tools leave out, since an agent cannot use it.
DETAIL = _Detail()


def _round_validator(places: int) -> BeforeValidator:
    return BeforeValidator(lambda value: value if value is None else round(value, places))


Score = Annotated[float, _round_validator(6)]
# The probability that a hit bears on the query, in any search the same; null where nothing tells it.
Confidence = Annotated[float | None, _round_validator(4)]
Weight = Annotated[float, _round_validator(4)]
# An empty text of the database is null in JSON.
FilledText = Annotated[str | None, BeforeValidator(lambda value: value or None)]
IdText = Annotated[str, BeforeValidator(str), Field(json_schema_extra={"format": "uuid"})]
FilledId = Annotated[
    str | None,
    BeforeValidator(lambda value: str(value) if isinstance(value, UUID) else value or None),
    Field(json_schema_extra={"format": "uuid"}),
]
MomentText = Annotated[
    datetime, PlainSerializer(moment, return_type=str), Field(json_schema_extra={"format": "date-time"})
]


class PlaceResponse(ResponseSchema):
    """Where one arm of a search put a hit."""

    rank: int
    score: Score


def _as_product_error(schema: type[RequestSchema], error: ValidationError) -> InvalidError:
    problems = tuple(_problems(schema, error.errors(include_url=False)[:MAX_PROBLEMS_LOOKED_AT]))
    unknown = tuple(problem for problem in problems if problem.code == UnknownFieldError.code)
    return UnknownFieldError(problems=unknown[:MAX_PROBLEMS]) if unknown else InvalidError(problems=problems)


def _problems(schema: type[RequestSchema], errors: list[ErrorDetails]) -> Iterator[FieldProblem]:
    for error in errors:
        code, sentence = _refusal(schema, error)
        path = ".".join(encodable(str(part))[:MAX_NAME_CHARACTERS] for part in error["loc"])
        yield FieldProblem(path or "body", code, excerpt(encodable(sentence), limit=MAX_SENTENCE_CHARACTERS))


def _refusal(schema: type[RequestSchema], error: ErrorDetails) -> tuple[str, str]:
    """Return the code and the sentence of one refusal; those of pydantic in the words of this API."""
    kind, limits, value = error["type"], error.get("ctx", {}), error["input"]
    if kind == "extra_forbidden":
        fields = _find_model(schema, error["loc"][:-1]).model_fields
        known = ", ".join(field.alias or name for name, field in fields.items()) or "none"
        return UnknownFieldError.code, f"This field is not known here. Known: {known}."
    if "sentence" in limits:
        return kind, str(limits["sentence"])
    if value is None and kind != "missing":
        return "null", "This field may not be null."
    refusals = {
        "missing": ("required", "This field is required."),
        "literal_error": ("invalid_choice", f"One of {_choices(limits)} is expected."),
        "enum": ("invalid_choice", f"One of {_choices(limits)} is expected."),
        "string_unicode": ("invalid_choice", "Contains characters that are not text."),
        "list_type": ("not_a_list", "A list is required."),
        "too_long": ("max_length", f"Ensure this field has no more than {limits.get('max_length')} elements."),
        "too_short": ("min_length", f"Ensure this field has at least {limits.get('min_length')} elements."),
        "model_type": ("invalid", "A JSON object is required."),
        "model_attributes_type": ("invalid", "A JSON object is required."),
        "dict_type": ("not_a_dict", "A JSON object is required."),
    }
    return refusals.get(kind, ("invalid", error["msg"]))


def _choices(limits: Mapping[str, Any]) -> str:
    return ", ".join(re.findall(r"'([^']*)'", str(limits.get("expected", ""))))


def _find_model(schema: type[RequestSchema], path: tuple[int | str, ...]) -> type[BaseModel]:
    """Return the model that a path of field names and places in lists leads to."""
    found: type[BaseModel] = schema
    for part in path:
        if isinstance(part, str) and part in found.model_fields:
            found = next(_iter_models(found.model_fields[part].annotation), found)
    return found


def _iter_models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _iter_models(inner)
