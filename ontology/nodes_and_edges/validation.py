"""What may be stored at all: no credentials, no documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.errors import FieldProblem, InvalidError, TooLargeError
from core.text import is_invisible
from core.text.validators import refuse_invisible_characters, refuse_secret
from ontology.nodes_and_edges.normalisation import render_properties

MAX_TYPE_CHARACTERS = 64
MAX_PROPERTIES_CHARACTERS = 16_000


class ContentTooLargeError(TooLargeError):
    """The text is not a memory but a document; or the properties of a node or an edge are."""

    code = "content_too_large"


def refuse_invisible(text: str, *, field: str) -> None:
    """Raise InvalidError when there is nothing to see in a text that was given as `field`."""
    if is_invisible(text):
        raise InvalidError(problems=(FieldProblem(field, "blank", "This text has no visible characters."),))


def refuse_unfit_properties(properties: Mapping[str, Any]) -> None:
    """Raise ContentTooLargeError, InvalidError or SecretRefusedError for properties that may not be stored."""
    size = len(json.dumps(properties))
    if size > MAX_PROPERTIES_CHARACTERS:
        problem = FieldProblem("properties", "too_large", f"Has {size:,} characters of JSON.")
        raise ContentTooLargeError(
            f"Properties have at most {MAX_PROPERTIES_CHARACTERS:,} characters of JSON; these have {size:,}.",
            problems=(problem,),
        )
    text = render_properties(properties)
    refuse_invisible_characters(text, field="properties")
    refuse_secret(text, field="properties")
