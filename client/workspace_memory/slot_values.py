"""Slots as values: where one is, what it holds, what limits it, and its schema. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ValidationError

from workspace_memory.errors import ConflictError, TooLargeError, WorkspaceMemoryError
from workspace_memory.memory_spec import MemorySpec, SpecError, Tier
from workspace_memory.models import Answer

BYTES_OF_A_MB = 1_000_000
# What the server takes, and so every backend.
MAX_CHARACTERS_OF_A_NAME = 200
MAX_LEVELS = 100
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
            if not 1 <= len(text) <= MAX_CHARACTERS_OF_A_NAME or _NOT_IN_A_NAME.search(text):
                said = (
                    f"1 to {MAX_CHARACTERS_OF_A_NAME} characters on one line are expected, without control characters."
                )
                raise SpecError(f"{what}: {said}")
        if self.name.endswith(("/append", "/search")):
            raise SpecError("name: it cannot end in /append or /search, which are addresses of their own.")


@dataclass(frozen=True, slots=True)
class Limits:
    """What is said about a slot with every writing."""

    ttl_seconds: int | None = None
    max_items: int | None = None
    max_size_mb: float | None = None
    schema_version: int = 1

    @classmethod
    def of(cls, spec: MemorySpec) -> Limits:
        return cls(spec.ttl_seconds, spec.max_items, spec.max_size_mb, spec.schema_version)


class StoredSlot(Answer):
    """What a slot holds."""

    value: Any
    schema_version: int
    size_bytes: int
    expires_at: datetime | None = None


class SlotHit(Answer):
    """An item of a slot that a search found; `score` in 0 to 1."""

    item: Any
    score: float


def checked(spec: MemorySpec, value: Any) -> Any:
    """A value in JSON for a slot of this spec. Raises ValueError for one that does not fit."""
    if spec.tier == "working":
        return _fitting(spec, value)
    if spec.type == "list":
        if not isinstance(value, list | tuple):
            raise ValueError(f"A list is expected, not {type(value).__name__}.")
        return [checked_item(spec, item) for item in value]
    if spec.schema is None and not isinstance(value, dict):
        raise ValueError(f"A dict is expected, not {type(value).__name__}.")
    return _fitting(spec, value)


def checked_item(spec: MemorySpec, item: Any) -> Any:
    """An item in JSON for a list of this spec. Raises ValueError."""
    return _fitting(spec, item)


def revived(spec: MemorySpec, stored: StoredSlot | None) -> Any:
    """What a slot holds, as models where there is a schema; None for an absent one, [] for an absent list.

    Raises SchemaMismatchError, a ValueError.
    """
    is_list = spec.type == "list" and spec.tier != "working"
    if stored is None:
        return [] if is_list else None
    if spec.schema is None:
        return stored.value
    try:
        if is_list:
            return [spec.schema.model_validate(item) for item in stored.value]
        return spec.schema.model_validate(stored.value)
    except (ValidationError, TypeError) as error:
        raise SchemaMismatchError(
            f"The slot holds version {stored.schema_version}, which {spec.schema.__name__} "
            f"(version {spec.schema_version}) does not fit: {error}",
            value=stored.value,
            stored_version=stored.schema_version,
        ) from error


def size_of(value: Any) -> int:
    """Bytes of a value as JSON in UTF-8, without spaces."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))


def within(limits: Limits, value: Any) -> Any:
    """The value as it may be kept: of a list the newest items. Raises TooLargeError over `max_size_mb`."""
    if isinstance(value, list) and limits.max_items is not None:
        value = value[-limits.max_items :]
    if limits.max_size_mb is not None and size_of(value) > limits.max_size_mb * BYTES_OF_A_MB:
        said = f"The slot may hold {limits.max_size_mb:g} MB, and this has {size_of(value) / BYTES_OF_A_MB:.3g}."
        raise TooLargeError(
            status=413, code="slot_too_large", title="That is more than the slot may hold.", detail=said
        )
    return value


def not_a_list() -> ConflictError:
    """The refusal to add an item to a slot that holds one value."""
    said = "The slot holds one value; only a list takes items."
    return ConflictError(status=409, code="slot_without_items", title=said, detail=said)


def _fitting(spec: MemorySpec, value: Any) -> Any:
    found = as_json(value if spec.schema is None else spec.schema.model_validate(value))
    if any(map(_FORBIDDEN.search, _texts(found))):
        raise ValueError("A slot holds texts without control characters.")
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)


def as_json(value: Any) -> Any:
    """A copy of a value in JSON; models become objects. Raises ValueError for what is not JSON, or nested too
    deeply."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    try:
        found = json.loads(json.dumps(value, allow_nan=False))
        is_deep = _levels(found) > MAX_LEVELS
    except TypeError as error:
        raise ValueError(f"A slot holds JSON: {error}.") from error
    except RecursionError:
        is_deep = True
    if is_deep:
        raise ValueError(f"A slot holds values that are nested at most {MAX_LEVELS} levels deep.")
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
