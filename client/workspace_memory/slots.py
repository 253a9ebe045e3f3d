"""Slots as values: where one is, what it holds, what limits it, and its schema. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ValidationError

from workspace_memory.errors import ConflictError, TooLargeError, WorkspaceMemoryError
from workspace_memory.models import Answer
from workspace_memory.specs import MemorySpec, Tier

BYTES_OF_A_MB = 1_000_000
# A terminal's commands (ECMA-48), and characters that are no text.
_UNREADABLE = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


class SchemaMismatchError(WorkspaceMemoryError, ValueError):
    """What is stored no longer fits the schema. `value` is what is there, `stored_version` what it was written as."""

    def __init__(self, message: str, *, value: Any, stored_version: int) -> None:
        super().__init__(message)
        self.value = value
        self.stored_version = stored_version


@dataclass(frozen=True, slots=True)
class SlotAddress:
    """One slot: its tier, its name, and the values of its scope, the tenant first."""

    tier: Tier
    name: str
    scope: tuple[tuple[str, str], ...]


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
        return as_json(_dumped(spec, value))
    if spec.type == "list":
        if not isinstance(value, list | tuple):
            raise ValueError(f"A list is expected, not {type(value).__name__}.")
        return [checked_item(spec, item) for item in value]
    if spec.schema is None and not isinstance(value, dict):
        raise ValueError(f"A dict is expected, not {type(value).__name__}.")
    return as_json(_dumped(spec, value))


def checked_item(spec: MemorySpec, item: Any) -> Any:
    """An item in JSON for a list of this spec. Raises ValueError."""
    return as_json(_dumped(spec, item))


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


def _dumped(spec: MemorySpec, value: Any) -> Any:
    if spec.schema is None:
        return value
    return spec.schema.model_validate(value).model_dump(mode="json")


def as_json(value: Any) -> Any:
    """A copy of a value in JSON; models become objects. Raises ValueError for what is no JSON."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except TypeError as error:
        raise ValueError(f"A slot holds JSON: {error}.") from error


def readable(value: Any) -> Any:
    """A JSON value whose texts are without colours of a terminal and characters that no slot takes.

    For what a tool returned, which nobody can be asked to mend.
    """
    if isinstance(value, str):
        return _UNREADABLE.sub("", value)
    if isinstance(value, dict):
        return {readable(name): readable(inner) for name, inner in value.items()}
    return [readable(inner) for inner in value] if isinstance(value, list) else value
