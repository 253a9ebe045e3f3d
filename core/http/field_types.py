"""Types of the fields of a request: types are not guessed, and text is text that PostgreSQL can store.

Each is an annotation for a field of a `RequestSchema`. Codes and sentences of errors are part of the API.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, NoReturn, TypeVar
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from pydantic import AfterValidator, BeforeValidator, GetCoreSchemaHandler, GetJsonSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, core_schema
from pydantic_core import ValidationError as Refusals
from rest_framework.serializers import DateTimeField
from rest_framework.serializers import ValidationError as FieldError

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
from core.text.validators import INVISIBLE_CHARACTERS, MORE_THAN_A_LINE

JsonSchema = dict[str, Any]
Value = TypeVar("Value")

_CHARACTER = r"[^\u0000-\u0008\u000b\u000c\u000e-\u001f]"
TEXT = rf"^{_CHARACTER}*$"
VISIBLE = rf"^{_CHARACTER}*[^\s\u0000-\u001f]{_CHARACTER}*$"
# The same without invisible characters. Joiners that a script or an emoji needs are taken, which no pattern can say.
_PLAIN = _CHARACTER.replace("]", f"{INVISIBLE}]")
PLAIN_TEXT = rf"^{_PLAIN}*$"
PLAIN_VISIBLE = rf"^{_PLAIN}*[^\s\u0000-\u001f{INVISIBLE}]{_PLAIN}*$"
LINE = (
    rf"^[^\s\u0000-\u001f\u007f-\u009f{INVISIBLE}]"
    rf"([^\u0000-\u001f\u007f-\u009f\u2028\u2029{INVISIBLE}]*[^\s\u0000-\u001f\u007f-\u009f{INVISIBLE}])?$"
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def refuse(code: str, sentence: str) -> NoReturn:
    """Refuse the value of a field with a stable code and a sentence for people. Raises PydanticCustomError."""
    # A sentence is a template for pydantic; what was sent may hold braces.
    raise PydanticCustomError(code, "{sentence}", {"sentence": sentence})


def refuse_field(field: str, code: str, sentence: str) -> NoReturn:
    """Refuse one field because of another, in a validator of the whole. Raises pydantic's ValidationError."""
    refusal = PydanticCustomError(code, "{sentence}", {"sentence": sentence})
    raise Refusals.from_exception_data("", [InitErrorDetails(type=refusal, loc=(field,), input=None)])


@dataclass(frozen=True, kw_only=True)
class TextRules:
    """A JSON string, never a number, trimmed. Refused are control characters other than tab and line breaks,
    invisible characters, and a text that is blank although the field may not be.

    `is_spoken` is for a person's own words, such as a message or a question: invisible characters are removed, since
    text that was pasted is full of them, and the agent that passes it on cannot ask for another one. `is_identifier`
    is for a caller's own name for something, which holds no credential. `pattern` says in JSON Schema what a
    validator behind this one wants.
    """

    max_length: int | None = None
    allow_blank: bool = False
    is_line: bool = False
    is_spoken: bool = False
    is_identifier: bool = False
    is_trimmed: bool = True
    pattern: str = ""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchema:
        found: JsonSchema = {"type": "string"}
        if not self.allow_blank:
            found["minLength"] = 1
        if self.max_length is not None:
            found["maxLength"] = self.max_length
        return {**found, "pattern": self._json_pattern()}

    def read(self, value: Any) -> str:
        """Return the text as it is stored. Raises PydanticCustomError for what is refused."""
        if not isinstance(value, str):
            _refuse_type(value, "A text is required.")
        if has_forbidden_characters(value):
            refuse(
                "forbidden_characters",
                "Contains characters that are not text (NUL, control characters or lone surrogates).",
            )
        if is_invisible(value) and not self.allow_blank:
            refuse("blank", "This field may not be blank.")
        text = self._visible(value)
        text = text.strip() if self.is_trimmed else text
        if not text and not self.allow_blank:
            refuse("blank", "This field may not be blank.")
        if self.max_length is not None and len(text) > self.max_length:
            refuse("max_length", f"Ensure this field has no more than {self.max_length} characters.")
        if self.is_line and not is_one_line(text):
            refuse("more_than_a_line", MORE_THAN_A_LINE)
        if self.is_identifier and (kind := looks_like_credential(text)):
            refuse("secret_refused", f"Seems to hold a credential ({kind}).")
        return text

    def _visible(self, text: str) -> str:
        if self.is_spoken:
            return strip_invisible_characters(text)
        if has_invisible_characters(text):
            refuse("invisible_characters", INVISIBLE_CHARACTERS)
        return text

    def _json_pattern(self) -> str:
        pattern = self.pattern or (LINE if self.is_line else "")
        if pattern:
            return f"{pattern}|^$" if self.allow_blank else pattern
        if self.is_spoken:
            return TEXT if self.allow_blank else VISIBLE
        return PLAIN_TEXT if self.allow_blank else PLAIN_VISIBLE


@dataclass(frozen=True)
class NumberRange:
    """A finite JSON number from `minimum` to `maximum`; strings and booleans are refused."""

    minimum: float | None = None
    maximum: float | None = None

    kind = "number"
    refusal = "A finite number is required, without quotes."

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchema:
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": self.kind, **{name: bound for name, bound in bounds.items() if bound is not None}}

    def read(self, value: Any) -> float:
        """Return the number. Raises PydanticCustomError for what is refused."""
        number = self._number(value)
        if self.maximum is not None and number > self.maximum:
            refuse("max_value", f"Ensure this value is less than or equal to {self.maximum}.")
        if self.minimum is not None and number < self.minimum:
            refuse("min_value", f"Ensure this value is greater than or equal to {self.minimum}.")
        return number

    def _number(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            _refuse_type(value, self.refusal)
        try:
            number = float(value)
        except OverflowError:
            refuse("invalid", self.refusal)
        if not math.isfinite(number):
            refuse("invalid", self.refusal)
        return number


@dataclass(frozen=True)
class WholeRange(NumberRange):
    """A JSON integer, which may be written as 5.0; strings, booleans and fractions are refused."""

    kind = "integer"
    refusal = "A whole number is required, without quotes."

    def _number(self, value: Any) -> float:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            _refuse_type(value, self.refusal)
        return int(value)


@dataclass(frozen=True)
class QueryNumber(WholeRange):
    """A whole number in a query string."""

    refusal = "A whole number is required."

    def _number(self, value: Any) -> float:
        if not isinstance(value, str) or not re.fullmatch(r"^\s*-?[0-9]{1,18}(\.0*)?\s*", value):
            refuse("invalid", self.refusal)
        return int(value.strip().partition(".")[0])


def _refuse_type(value: Any, sentence: str) -> NoReturn:
    if value is None:
        refuse("null", "This field may not be null.")
    refuse("invalid", sentence)


def _read_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        _refuse_type(value, "true or false is required, without quotes.")
    return value


def _read_query_flag(value: Any) -> bool | None:
    said = value.lower() if isinstance(value, str) else value
    if said == "":
        return None
    if said in {"true", "t", "yes", "y", "on", "1"}:
        return True
    if said in {"false", "f", "no", "n", "off", "0"}:
        return False
    refuse("invalid", "true or false is required.")


def _read_id(value: Any) -> UUID:
    """Return the UUID of a text with its hyphens; what a library would make one of, such as a number, is refused."""
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        _refuse_type(value, "Must be a valid UUID.")
    return UUID(value)


_DATE_TIME = DateTimeField()


def _read_moment(value: Any) -> datetime:
    if value is None:
        refuse("null", "This field may not be null.")
    try:
        return _DATE_TIME.run_validation(value)  # type: ignore[no-any-return]  # untyped there
    except FieldError as error:
        sentences: Any = error.detail  # a list of one
        refuse(str(sentences[0].code), str(sentences[0]))


def _read_email(value: Any) -> str:
    text = TextRules(max_length=254).read(value)
    try:
        validate_email(text)
    except ValidationError:
        refuse("invalid", "Enter a valid email address.")
    return text


def _read_json(value: Any) -> Any:
    if not is_storable(value):
        refuse(
            "not_storable",
            "Holds characters that are not text, or a number that is not finite, or is nested more than "
            f"{MAX_LEVELS} levels deep.",
        )
    return value


def _read_object(value: Any) -> dict[str, Any]:
    if value is None:
        refuse("null", "This field may not be null.")
    if not isinstance(value, dict):
        refuse("not_an_object", "A JSON object is required.")
    return dict(_read_json(value))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _split_commas(value: Any) -> list[str]:
    return [part.strip() for one in _as_list(value) for part in str(one).split(",") if part.strip()]


Text = Annotated[str, TextRules()]
Line = Annotated[str, TextRules(is_line=True)]
SpokenText = Annotated[str, TextRules(is_spoken=True)]
Number = Annotated[float, NumberRange()]
Share = Annotated[float, NumberRange(0, 1)]
Flag = Annotated[bool, BeforeValidator(_read_flag)]
# In a query string; None when nothing is said.
QueryFlag = Annotated[bool | None, BeforeValidator(_read_query_flag), WithJsonSchema({"type": "boolean"})]
Id = Annotated[UUID, BeforeValidator(_read_id), WithJsonSchema({"type": "string", "format": "uuid"})]
Moment = Annotated[datetime, BeforeValidator(_read_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
Email = Annotated[
    str, BeforeValidator(_read_email), WithJsonSchema({"type": "string", "format": "email", "maxLength": 254})
]
JsonValue = Annotated[Any, AfterValidator(_read_json)]
JsonObject = Annotated[dict[str, Any], BeforeValidator(_read_object), WithJsonSchema({"type": "object"})]
# Several values in one query parameter, separated by commas, or the parameter repeated: before a list.
COMMA_SEPARATED = BeforeValidator(_split_commas)
# A query parameter that is repeated for several values, each of them whole: before a list.
REPEATED = BeforeValidator(_as_list)
