"""Arguments of tools: the parameters of a function, with the fields of a request's body in the place of the body."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Annotated, Any, get_args, get_origin

from django.utils.functional import cached_property
from pydantic import create_model
from pydantic.fields import FieldInfo

from core.errors import FieldProblem, InvalidError, UnknownFieldError
from core.http.field_types import JsonSchema, TextRules
from core.http.schemas import EditSchema, RequestSchema
from core.http.url_parameters import MAX_NAME_CHARACTERS, MAX_PROBLEMS

# What `ToolArguments.read` calls the spaces that a call names.
SPACES = "spaces"


@dataclass(frozen=True)
class Selection:
    """The fields of a body that a tool takes as arguments: those that are named, or all but those."""

    names: tuple[str, ...]
    is_exclusion: bool

    def of(self, schema: type[RequestSchema]) -> list[str]:
        """Return the names of the selected fields. Raises TypeError for a name that the schema does not have."""
        if unknown := set(self.names) - schema.model_fields.keys():
            raise TypeError(f"{schema.__name__} does not have {', '.join(sorted(unknown))}.")
        if self.is_exclusion:
            return [name for name in schema.model_fields if name not in self.names]
        return [*self.names]


def omit(*names: str) -> Selection:
    """Annotate a body: all of its fields but these are arguments."""
    return Selection(names, is_exclusion=True)


def pick(*names: str) -> Selection:
    """Annotate a body: these of its fields are arguments, listed in this order."""
    return Selection(names, is_exclusion=False)


class ToolArguments:
    """What a client gives to a tool: everything that its function takes, but for the caller.

    A parameter that is annotated with a `RequestSchema` is given as the fields of that body, which are read as REST
    reads them, with the same refusals. Models say some things loosely: a number, a flag or a list in quotes is read as
    what it is, and null or an empty text, where neither is a value, as if it had not been given.

    `spaces` are the arguments that say whose memory the call is about. A tool's own argument of such a name is its own,
    as in REST; its own `user` names the space of the user as well.
    """

    def __init__(self, function: Callable[..., Any], *, spaces: type[RequestSchema] | None = None) -> None:
        parameters = inspect.signature(function, eval_str=True).parameters.values()
        own: dict[str, Any] = {}
        # The parameter that takes what each schema reads; "" is that of the parameters of the function itself.
        self._parts: dict[str, tuple[type[RequestSchema], list[str]]] = {}
        for parameter in parameters:
            if schema := _find_body(parameter.annotation):
                self._parts[parameter.name] = (schema, _list_fields(parameter.annotation, schema))
            elif parameter.name != "caller":
                default = ... if parameter.default is parameter.empty else parameter.default
                own[parameter.name] = (parameter.annotation, default)
        if own:
            schema = create_model(f"{function.__name__}Parameters", __base__=RequestSchema, **own)
            self._parts = {"": (schema, [*own]), **self._parts}
        fields = {name: schema.model_fields[name] for schema, names in self._parts.values() for name in names}
        if spaces:
            named = [name for name in spaces.model_fields if name == "user" or name not in fields]
            self._parts[SPACES] = (spaces, named)
            fields = {**fields, **{name: spaces.model_fields[name] for name in named if name not in fields}}
        # Those that are needed first: clients show them in this order.
        self.fields: dict[str, FieldInfo] = dict(sorted(fields.items(), key=lambda item: not item[1].is_required()))

    @cached_property
    def json_schema(self) -> JsonSchema:
        """The arguments as `tools/list` describes them; what is not given says nothing, so it has no default."""
        fields: dict[str, Any] = {name: (field.annotation, field) for name, field in self.fields.items()}
        found = create_model("Arguments", __base__=RequestSchema, **fields).model_json_schema()
        for name, field in self.fields.items():
            if not _takes_default(field) or name in self._names_of_edits():
                found["properties"][name].pop("default", None)
        if needed := [name for name in self.fields if self._is_required(name)]:
            found["required"] = needed
        return found

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the function takes, and as `spaces` whose memory the call is about, where the tool takes that.

        Raises UnknownFieldError, or InvalidError for every argument at fault.
        """
        if unknown := given.keys() - self.fields.keys():
            sentence = f"This tool knows no such argument. Known: {', '.join(self.fields) or 'none'}."
            named = [name[:MAX_NAME_CHARACTERS] for name in islice(unknown, MAX_PROBLEMS)]
            raise UnknownFieldError(problems=tuple(FieldProblem(name, "unknown_field", sentence) for name in named))
        stated = dict(self._iterate_stated(given))
        found: dict[str, Any] = {}
        problems: list[FieldProblem] = []
        for parameter, (schema, names) in self._parts.items():
            try:
                part = schema.read({name: stated[name] for name in names if name in stated})
            except InvalidError as error:
                problems += (_of_arguments(problem, names) for problem in error.problems)
            else:
                found |= {parameter: part} if parameter else dict(part)
        if problems:
            raise InvalidError(problems=tuple(problems))
        return found

    def read_spaces(self, given: Mapping[str, Any]) -> Any:
        """Return the spaces that a call names, whatever its other arguments are; None where it takes none.

        Raises InvalidError.
        """
        if SPACES not in self._parts:
            return None
        schema, names = self._parts[SPACES]
        known = {name: value for name, value in given.items() if name in self.fields}
        stated = dict(self._iterate_stated(known))
        return schema.read({name: stated[name] for name in names if name in stated})

    def _iterate_stated(self, given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for name, value in given.items():
            read = _read_quoted(value, self.json_schema["properties"][name])
            if self._is_required(name) or not _says_nothing(read, self.fields[name]):
                yield name, read

    def _names_of_edits(self) -> list[str]:
        """Return the fields of edits: one that is not given stays as it is, whatever it would be in something new."""
        return [name for schema, names in self._parts.values() if issubclass(schema, EditSchema) for name in names]

    def _is_required(self, name: str) -> bool:
        # An edit names at least one field.
        return self.fields[name].is_required() or self._names_of_edits() == [name]


def _find_body(annotation: Any) -> type[RequestSchema] | None:
    kind = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    return kind if isinstance(kind, type) and issubclass(kind, RequestSchema) else None


def _list_fields(annotation: Any, schema: type[RequestSchema]) -> list[str]:
    marks = [mark for mark in get_args(annotation)[1:] if isinstance(mark, Selection)]
    return (marks[0] if marks else omit()).of(schema)


def _of_arguments(problem: FieldProblem, names: list[str]) -> FieldProblem:
    """Return what is wrong with a body as a whole, put as a problem of the arguments."""
    return replace(problem, field=", ".join(names)) if problem.field == "body" else problem


def _takes_null(field: FieldInfo) -> bool:
    return type(None) in get_args(field.annotation)


def _takes_default(field: FieldInfo) -> bool:
    return field.default is not None or _takes_null(field)


def _says_nothing(value: Any, field: FieldInfo) -> bool:
    if value is None:
        return not _takes_null(field)
    return value == "" and any(isinstance(rule, TextRules) and not rule.allow_blank for rule in field.metadata)


def _read_quoted(value: Any, schema: JsonSchema) -> Any:
    """Return the number, flag or list that a text holds, for an argument that takes no text."""
    if not isinstance(value, str) or "string" in {one.get("type") for one in schema.get("anyOf", [schema])}:
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return value if isinstance(found, str) else found
