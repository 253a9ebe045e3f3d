"""What may be stored at all: no credentials, no documents; and the words by which properties are found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from core.errors import FieldProblem, InvalidError, TooLargeError
from core.text import is_invisible, looks_like_secret, normalised

MOST_NAME_CHARACTERS = 300
MOST_TYPE_CHARACTERS = 64
MOST_PROPERTIES_CHARACTERS = 16_000


class ContentTooLargeError(TooLargeError):
    """The text is no memory but a document; or the properties of a node or an edge are."""

    code = "content_too_large"


class SecretRefusedError(InvalidError):
    """The text holds what looks like a credential; memories are read by many agents, so none may live there."""

    code = "secret_refused"


def refuse_secret(text: str, *, field: str) -> None:
    """Raise SecretRefusedError when a text that was given as `field` seems to hold a credential."""
    if kind := looks_like_secret(text):
        raise SecretRefusedError(
            f"The text seems to hold a credential ({kind}). Remove it and try again; nothing was stored.",
            problems=(FieldProblem(field, "secret_refused", f"Seems to hold a credential ({kind})."),),
        )


def refuse_invisible(text: str, *, field: str) -> None:
    """Raise InvalidError when there is nothing to see in a text that was given as `field`."""
    if is_invisible(text):
        raise InvalidError(problems=(FieldProblem(field, "blank", "Nobody could see this text."),))


def refuse_unfit_properties(properties: Mapping[str, Any]) -> None:
    """Raise ContentTooLargeError or SecretRefusedError for properties that may not be stored."""
    size = len(json.dumps(properties))
    if size > MOST_PROPERTIES_CHARACTERS:
        problem = FieldProblem("properties", "too_large", f"Has {size:,} characters of JSON.")
        raise ContentTooLargeError(
            f"Properties have at most {MOST_PROPERTIES_CHARACTERS:,} characters of JSON; these have {size:,}.",
            problems=(problem,),
        )
    refuse_secret(text_of(properties), field="properties")


def text_of(properties: Mapping[str, Any]) -> str:
    """Properties as lines that a person would write ("role: engineer"), so that words and vectors find them."""
    return "\n".join(_lines(properties))


def name_key(name: str) -> str:
    """The form in which names are compared."""
    return normalised(name)[:MOST_NAME_CHARACTERS]


def _lines(properties: Mapping[str, Any]) -> Iterator[str]:
    for name, value in properties.items():
        if isinstance(value, Mapping):
            yield from _lines(value)
        elif isinstance(value, list):
            yield f"{name}: {', '.join(str(item) for item in value if not isinstance(item, Mapping))}"
            for item in value:
                if isinstance(item, Mapping):
                    yield from _lines(item)
        elif value is not None:
            yield f"{name}: {value}"
