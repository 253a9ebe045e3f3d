"""Slots as values: where one is, what it holds, and its schema. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ValidationError

from workspace_memory.errors import InvalidValueError, WorkspaceMemoryError
from workspace_memory.memory_spec import MemorySpec, Schema, SpecError, Tier
from workspace_memory.models import Answer

# What the server takes, and so every backend.
MAX_CHARACTERS_OF_A_NAME = 200
MAX_LEVELS = 100
MAX_DIMENSIONS = 10
_NO_TEXT = "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]"
_FORBIDDEN = re.compile(_NO_TEXT)
# Names are one line: no control character, no line or paragraph separator.
_NOT_IN_A_NAME = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# A terminal's commands (ECMA-48), and characters that are not text.
_UNREADABLE = re.compile(f"\x1b\\[[0-?]*[ -/]*[@-~]|{_NO_TEXT}")


class SchemaMismatchError(WorkspaceMemoryError, ValueError):
    """What is stored no longer fits the schema. `value` is what is there, `stored_version` what it was written as."""

    def __init__(self, message: str, *, value: Any, stored_version: int) -> None:
        super().__init__(message)
        self.value = value
        self.stored_version = stored_version


@dataclass(frozen=True, slots=True)
class SlotAddress:
    """One slot: its tier, its name, and the values of its scope, the tenant first.

    Raises SpecError for a name or a value that no backend takes.
    """

    tier: Tier
    name: str
    scope: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        for what, text in (("name", self.name), *self.scope):
            if not isinstance(text, str):
                raise SpecError(f"{what} is {text!r}: a text is expected.")
            if not 1 <= len(text) <= MAX_CHARACTERS_OF_A_NAME or _NOT_IN_A_NAME.search(text):
                said = (
                    f"1 to {MAX_CHARACTERS_OF_A_NAME} characters on one line are expected, without control characters."
                )
                raise SpecError(f"{what}: {said}")
        if self.name.endswith(("/append", "/search")):
            raise SpecError("name: it cannot end in /append or /search, which are addresses of their own.")
        if len(self.scope) > MAX_DIMENSIONS + 1:  # the tenant is one more
            raise SpecError(f"scope: at most {MAX_DIMENSIONS} dimensions in addition to the tenant.")


class StoredSlot(Answer):
    """What a slot holds; `schema_version` is that of the newest writing, `versions` has that of each item of a list."""

    value: Any
    schema_version: int
    size_bytes: int
    expires_at: datetime | None = None
    versions: tuple[int, ...] | None = None

    def version_at(self, place: int) -> int:
        """The version that an item of a list was written as."""
        return self.versions[place] if self.versions else self.schema_version


class SlotHit(Answer):
    """An item of a slot that a search found; `score` in 0 to 1."""

    item: Any
    score: float
    schema_version: int = 1


@dataclass(frozen=True, slots=True)
class UnfitItem:
    """An item that no longer fits the schema: its place in the list, and the version that it was written as."""

    place: int
    value: Any
    stored_version: int
    detail: str


class SlotItems(list[Any]):
    """The items of a list as models. `unfit` are those that no longer fit, so that one of them hides no other."""

    def __init__(self, items: Iterable[Any], *, unfit: tuple[UnfitItem, ...]) -> None:
        super().__init__(items)
        self.unfit = unfit


def checked(spec: MemorySpec, value: Any) -> Any:
    """A value in JSON for a slot of this spec. Raises InvalidValueError for one that does not fit."""
    if spec.tier == "working":
        return _fitting(spec, value)
    if spec.type == "list":
        if not isinstance(value, list | tuple):
            raise InvalidValueError(f"A list is expected, not {type(value).__name__}.")
        return [checked_item(spec, item) for item in value]
    if spec.schema is None and not isinstance(value, dict):
        raise InvalidValueError(f"A dict is expected, not {type(value).__name__}.")
    return _fitting(spec, value)


def checked_item(spec: MemorySpec, item: Any) -> Any:
    """An item in JSON for a list of this spec. Raises InvalidValueError."""
    return _fitting(spec, item)


def revived(spec: MemorySpec, stored: StoredSlot | None) -> Any:
    """What a slot holds, as models where there is a schema; None for an absent one, [] for an absent list.

    Of a list, what fits; the rest is in `unfit`. Raises SchemaMismatchError, a ValueError, where nothing fits.
    """
    is_list = spec.type == "list" and spec.tier != "working"
    if stored is None:
        return [] if is_list else None
    if spec.schema is None:
        return stored.value
    if is_list and isinstance(stored.value, list):
        return _revived_items(spec.schema, spec.schema_version, stored)
    try:
        if is_list:
            raise TypeError("a list is expected")
        return spec.schema.model_validate(stored.value)
    except (ValidationError, TypeError) as error:
        raise _mismatch(spec.schema, spec.schema_version, stored.schema_version, stored.value, error) from error


def _revived_items(schema: Schema, version: int, stored: StoredSlot) -> SlotItems:
    """The items that fit, and those that do not. Raises SchemaMismatchError where not one fits."""
    fit: list[Any] = []
    unfit: list[UnfitItem] = []
    errors: list[ValidationError] = []
    for place, item in enumerate(stored.value):
        try:
            fit.append(schema.model_validate(item))
        except ValidationError as error:
            unfit.append(UnfitItem(place, item, stored.version_at(place), str(error)))
            errors.append(error)
    if unfit and not fit:
        raise _mismatch(schema, version, unfit[0].stored_version, stored.value, errors[0]) from errors[0]
    return SlotItems(fit, unfit=tuple(unfit))


def _mismatch(schema: Schema, version: int, stored_version: int, value: Any, error: Exception) -> SchemaMismatchError:
    return SchemaMismatchError(
        f"The slot holds version {stored_version}, which {schema.__name__} (version {version}) does not fit: {error}",
        value=value,
        stored_version=stored_version,
    )


def _fitting(spec: MemorySpec, value: Any) -> Any:
    found = as_json(value if spec.schema is None else spec.schema.model_validate(value))
    if any(map(_FORBIDDEN.search, _texts(found))):
        raise InvalidValueError("A slot holds texts without control characters.")
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)


def as_json(value: Any) -> Any:
    """A copy of a value in JSON; models become objects. Raises InvalidValueError for what is not JSON, or nested too
    deeply."""
    try:
        if isinstance(value, BaseModel):
            value = value.model_dump(mode="json")
        found = json.loads(json.dumps(value, allow_nan=False))
        is_deep = _levels(found) > MAX_LEVELS
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"A slot holds JSON: {error}.") from error
    except RecursionError:
        is_deep = True
    if is_deep:
        raise InvalidValueError(f"A slot holds values that are nested at most {MAX_LEVELS} levels deep.")
    return found


def _levels(value: Any) -> int:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inside is None else 1 + max(map(_levels, inside), default=0)


def readable(value: Any) -> Any:
    """A JSON value whose texts are without colours of a terminal and characters that no slot takes.

    For what a tool returned, which cannot be mended any more.
    """
    if isinstance(value, str):
        return _UNREADABLE.sub("", value)
    if isinstance(value, dict):
        return {readable(name): readable(inner) for name, inner in value.items()}
    return [readable(inner) for inner in value] if isinstance(value, list) else value
