"""Results of tools in JSON: every value has a stated form, or a stub that says why it is not kept. Pure.

The forms are the table in `docs/how-to/sdk.md`.
"""

from __future__ import annotations

import base64
import json
import math
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from workspace_memory.errors import TooLargeError
from workspace_memory.slot_limits import MAX_VALUES, json_text, too_large
from workspace_memory.slot_values import MAX_LEVELS, readable

NOT_KEPT = "not_kept"
# Levels that are left for the largest of the forms: bytes are an object of their own.
_LEVELS = MAX_LEVELS - 1


def kept(value: Any) -> Any:
    """The value as the scratchpad keeps it: JSON, without colours of a terminal and characters that no slot takes.

    Raises TooLargeError for more JSON values than a slot holds.
    """
    return _Walk().form_of(value, ())


def stub(reason: str) -> dict[str, str]:
    """What stands for a value that is not kept."""
    return {NOT_KEPT: reason}


class _Walk:
    """One pass through a value, which counts what it has seen."""

    def __init__(self) -> None:
        self._count = 0

    def form_of(self, value: Any, above: tuple[int, ...]) -> Any:
        """The form of a value inside of others, which are known by their ids."""
        self._count += 1
        if self._count > MAX_VALUES:
            raise too_large(f"A slot holds at most {MAX_VALUES:,} JSON values, and this has more.")
        try:
            is_plain, form = _plain(value)
            if is_plain:
                return form
            if id(value) in above:
                return stub("It holds itself: a cycle.")
            if len(above) >= _LEVELS:
                return stub(f"It is nested more than {_LEVELS} levels deep.")
            return self._container(value, (*above, id(value)))
        except TooLargeError:
            raise
        except Exception as error:  # noqa: BLE001  # code of the result's class, and the tool has run already
            return stub(f"An object of type {_type_name(value)}, which cannot be read ({_type_name(error)}).")

    def _container(self, value: Any, above: tuple[int, ...]) -> Any:
        if (pairs := _pairs(value)) is not None:
            return self._object(pairs, above)
        if isinstance(value, list | tuple | deque | range):
            return [self.form_of(inner, above) for inner in value]
        if isinstance(value, set | frozenset):
            return sorted((self.form_of(inner, above) for inner in value), key=json_text)
        if callable(as_list := getattr(value, "tolist", None)) and not isinstance(value, type):
            return self.form_of(as_list(), above)
        return stub(f"An object of type {_type_name(value)}, which has no form in JSON.")

    def _object(self, pairs: Iterable[tuple[Any, Any]], above: tuple[int, ...]) -> Any:
        """An object; where two names become the same text, the list of names and values instead."""
        formed = [(self._name(name), self.form_of(inner, above)) for name, inner in pairs]
        found = dict(formed)
        return found if len(found) == len(formed) else [list(pair) for pair in formed]

    def _name(self, name: Any) -> str:
        form = self.form_of(name, ())
        return form if isinstance(form, str) else json_text(form)


def _pairs(value: Any) -> Iterable[tuple[Any, Any]] | None:
    """Names and values of what becomes an object; None for anything else."""
    if isinstance(value, Mapping):
        return value.items()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return zip(value._fields, value, strict=True)
    names: list[str] | None = None
    if isinstance(value, BaseModel):
        names = [*type(value).model_fields, *(value.__pydantic_extra__ or {})]
    elif is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
    return None if names is None else [(name, getattr(value, name)) for name in names]


def _plain(value: Any) -> tuple[bool, Any]:
    """Whether a value holds no others, and its form."""
    if value is None or isinstance(value, bool):
        return True, value
    for kinds, form in _PLAIN:
        if isinstance(value, kinds):
            return True, form(value)
    return False, None


def _text(value: str) -> str:
    return str(readable(str.__str__(value)))


def _whole(value: int) -> Any:
    # Python writes and reads whole numbers of at most so many digits.
    limit = sys.get_int_max_str_digits() or math.inf
    number = int(value)
    return number if number.bit_length() < limit * 3 else stub("A whole number with too many digits.")


def _float(value: float) -> float | str:
    number = float(value)
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _bytes(value: bytes | bytearray | memoryview) -> dict[str, str]:
    return {"base64": base64.b64encode(bytes(value)).decode("ascii")}


# The order counts: an IntEnum is a number as well, and a datetime is a date.
_PLAIN: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (Enum, lambda value: kept(value.value)),
    (str, _text),
    (int, _whole),
    (float, _float),
    (datetime | date | time, lambda value: value.isoformat()),
    (timedelta, lambda value: value.total_seconds()),
    (Decimal | UUID | PurePath, lambda value: _text(str(value))),
    (bytes | bytearray | memoryview, _bytes),
)


def _type_name(value: Any) -> str:
    return type(value).__name__


def shown(value: Any) -> str:
    """A value in JSON for people, as it would be kept; `…` for what is too large."""
    try:
        return json.dumps(kept(value), ensure_ascii=False)
    except TooLargeError:
        return "…"
