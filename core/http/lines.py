"""Bodies of JSON Lines whose lines are read each for itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer

from core.errors import InvalidError, ProductError
from core.http.parsing import JSONLine
from core.http.problems import as_product_error


def readings(reader: type[Serializer[Any]], lines: Sequence[JSONLine]) -> list[dict[str, Any] | ProductError]:
    """Each line as the reader understands it, or why it does not."""
    read: Callable[[Any], Any] = (
        reader().run_validation
    )  # one for all lines: making a serializer takes longer than using it
    found: list[dict[str, Any] | ProductError] = []
    for line in lines:
        try:
            found.append(line.error or read(line.value))
        except ValidationError as error:
            found.append(as_product_error(error) or InvalidError())
    return found
