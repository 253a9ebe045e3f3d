"""Whether an answer may be used, and reading the form out of it. Pure."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from core.text import is_invisible, storable
from llm.providers.errors import ModelCutOffError, ModelEmptyError, ModelRefusedError, ModelUnavailableError
from llm.providers.types import BROKE_OFF, Answer

S = TypeVar("S", bound=BaseModel)

MAX_PROBLEMS = 10

# How models open when they decline in prose, without a word of it in the finish reason.
_DECLINES = re.compile(
    r"^\W*(?:I(?:['’]m| am) (?:very |really |so )?(?:sorry|unable|not able)|(?:I )?apologi[sz]e|sorry,? (?:but )?I"
    r"|I (?:can ?not|can['’]t|won['’]t|will not|must decline|am not (?:able|comfortable)) "
    r"|As an AI(?:,| language| assistant| model))",
    re.IGNORECASE,
)
_LONGEST_REFUSAL = 400


class UnreadableAnswerError(Exception):
    """The answer is not the form that was asked for. The message says why, for the model to repair it."""


def require_usable(answer: Answer) -> None:
    """Raise the ModelError of an answer that was declined, cut off, empty, or ended by a fault of the provider."""
    if answer.finish_reason == "content_filter":
        raise ModelRefusedError()
    if answer.finish_reason == "length":
        raise ModelCutOffError("The model's answer was cut off at its longest length. Ask for less, or choose another.")
    if answer.finish_reason == BROKE_OFF:
        raise ModelCutOffError()
    if answer.finish_reason == "error":
        raise ModelUnavailableError()
    if is_invisible(answer.text):
        raise ModelEmptyError()


def looks_like_refusal(text: str) -> bool:
    """Return whether prose is a polite refusal: short, and opening like one. For work that is stored without a
    review."""
    return len(text) <= _LONGEST_REFUSAL and _DECLINES.match(text) is not None


def is_declined(text: str, form: BaseModel | None) -> bool:
    """Return whether an answer is a polite refusal, or one of the texts of the form that was asked for is."""
    if form is None:
        return looks_like_refusal(text)
    return any(looks_like_refusal(value) for _, value in form if isinstance(value, str))


def read_form(text: str, schema: type[S]) -> S:
    """Return the answer as a value of the schema, whatever fences or sentences stand around it.

    Raises UnreadableAnswerError.
    """
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise UnreadableAnswerError("There is no JSON object in it.")
    try:
        return schema.model_validate(_storable(from_json(storable(text[start : end + 1]))))
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)[:MAX_PROBLEMS]
        problems = [f"{'.'.join(map(str, problem['loc'])) or 'the object'}: {problem['type']}" for problem in found]
    except ValueError:
        problems = ["the object: json_invalid"]
    raise UnreadableAnswerError("; ".join(problems))


def _storable(value: Any) -> Any:
    """Return the same value; its texts may have been written with escapes that stand for no text."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_storable(each) for each in value]
    return {name: _storable(each) for name, each in value.items()} if isinstance(value, dict) else value
