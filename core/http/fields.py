"""Strict input: unknown fields are refused, types are not guessed, text is text that PostgreSQL can store."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.http import QueryDict
from rest_framework import serializers

from core.errors import FieldProblem, InvalidError, NotFoundError
from core.text import (
    has_forbidden_characters,
    has_invisible_characters,
    is_invisible,
    is_one_line,
    looks_like_credential,
    strip_invisible_characters,
)
from core.text.invisible_characters import INVISIBLE
from core.text.json_limits import MAX_LEVELS, is_storable
from core.text.refusals import INVISIBLE_CHARACTERS, MORE_THAN_A_LINE


class StrictSerializer(serializers.Serializer[Any]):
    """A body whose every field is known. `json_rules` says in JSON Schema what `validate` does beyond the fields."""

    json_rules: ClassVar[dict[str, Any]] = {}

    default_error_messages = {
        "unknown_field": "This field is not known here. Known: {known}."
    }  # REST framework's own shape

    def get_fields(self) -> dict[str, Any]:
        """The fields, each choice with a refusal that names what there is to choose."""
        fields = super().get_fields()
        for field in fields.values():
            choice = getattr(field, "child", field)
            if isinstance(choice, serializers.ChoiceField):
                choice.error_messages["invalid_choice"] = f"One of {', '.join(map(str, choice.choices))} is expected."
        return fields

    def to_internal_value(self, data: Any) -> Any:
        unknown = sorted(str(name) for name in data if name not in self.fields) if isinstance(data, Mapping) else []
        if unknown:
            message = str(self.error_messages["unknown_field"]).format(known=", ".join(self.fields) or "none")
            raise serializers.ValidationError(
                {name[:80]: [serializers.ErrorDetail(message, code="unknown_field")] for name in unknown[:20]}
            )
        return super().to_internal_value(data)


class TextField(serializers.CharField):
    """A JSON string, never a number. Refused are control characters other than tab and line breaks, invisible
    characters, and a text that is blank although the field may not be.

    `json_pattern` of a subclass says in JSON Schema what else it wants.
    """

    json_pattern: ClassVar[str] = ""

    default_error_messages = {
        "forbidden_characters": "Contains characters that are not text (NUL, control characters or lone surrogates).",
        "invisible_characters": INVISIBLE_CHARACTERS,
    }

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if has_forbidden_characters(data):
            self.fail("forbidden_characters")
        if is_invisible(data) and not self.allow_blank:
            self.fail("blank")
        return super().to_internal_value(self.visible(data))

    def visible(self, text: str) -> str:
        """Return the text, which has no invisible characters."""
        if has_invisible_characters(text):
            self.fail("invisible_characters")
        return text


class SpokenField(TextField):
    """A text in somebody's own words, such as a message or a question: invisible characters are removed.

    Text that was pasted is full of them, and the agent that passes it on cannot ask for another one.
    """

    def visible(self, text: str) -> str:
        return strip_invisible_characters(text)


class LineField(TextField):
    """A text on one line."""

    default_error_messages = {"more_than_a_line": MORE_THAN_A_LINE}
    json_pattern = (
        rf"^[^\s\u0000-\u001f\u007f-\u009f{INVISIBLE}]"
        rf"([^\u0000-\u001f\u007f-\u009f\u2028\u2029{INVISIBLE}]*[^\s\u0000-\u001f\u007f-\u009f{INVISIBLE}])?$"
    )

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not is_one_line(text):
            self.fail("more_than_a_line")
        return text


class IdentifierField(LineField):
    """A caller's own name for something, such as a session or a user: one line that holds no credential."""

    default_error_messages = {"secret_refused": "Seems to hold a credential ({kind})."}

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if kind := looks_like_credential(text):
            self.fail("secret_refused", kind=kind)
        return text


class NumberField(serializers.FloatField):
    """A finite JSON number; strings and booleans are refused."""

    default_error_messages = {"invalid": "A finite number is required."}

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        try:
            number = float(data)
        except OverflowError:
            self.fail("invalid")
        if not math.isfinite(number):
            self.fail("invalid")
        return number


class WholeNumberField(serializers.IntegerField):
    """A JSON integer, which may be written as 5.0; strings, booleans and fractions are refused."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, float) and data.is_integer():
            return int(data)
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class IdField(serializers.UUIDField):
    """A UUID as text with its hyphens; what a library would make one of, such as a number, is refused."""

    _FORM = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str) or not self._FORM.fullmatch(data):
            self.fail("invalid", value=str(data)[:40])
        return super().to_internal_value(data)


class FlagField(serializers.BooleanField):
    """`true` or `false`, and nothing that merely looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=str(type(data).__name__))
        return data


class ChosenField(serializers.BooleanField):
    """`true` or `false` in a query string, or None when nothing is said; there, `null` is a word like any other."""

    NULL_VALUES = {""}

    def __init__(self) -> None:
        super().__init__(required=False, allow_null=True, default=None)


class StorableField(serializers.JSONField):
    """Any JSON value that PostgreSQL can store."""

    default_error_messages = {
        "not_storable": "Holds characters that are not text, or a number that is not finite, or is nested more than "
        f"{MAX_LEVELS} levels deep."
    }

    def to_internal_value(self, data: Any) -> Any:
        if not is_storable(data):
            self.fail("not_storable")
        return data


class ObjectField(StorableField):
    """A JSON object that PostgreSQL can store."""

    default_error_messages = {"not_an_object": "A JSON object is required."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return dict(super().to_internal_value(data))


def path_id(value: object) -> UUID:
    """The id in a path. What is no UUID is answered like an absent object: raises NotFoundError."""
    try:
        return UUID(str(value))
    except ValueError as error:
        raise NotFoundError() from error


class CommaSeparatedField(serializers.ListField):
    """Several values in one query parameter, separated by commas, or the parameter repeated."""

    def get_value(self, dictionary: Any) -> Any:
        if self.field_name not in dictionary:
            return serializers.empty
        given = dictionary.getlist(self.field_name) if hasattr(dictionary, "getlist") else [dictionary[self.field_name]]
        return [part.strip() for value in given for part in str(value).split(",") if part.strip()]


def refuse_repeated(query: QueryDict, *, lists: Collection[str] = ()) -> None:
    """Refuse a query string that gives a parameter twice, when it is none of `lists`. Raises InvalidError."""
    said = "Give this parameter once."
    repeated = [name for name, values in query.lists() if len(values) > 1 and name not in lists]
    if repeated:
        raise InvalidError(problems=tuple(FieldProblem(name[:80], "repeated", said) for name in repeated[:20]))
