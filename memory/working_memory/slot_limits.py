"""Slots of agents as values: where one is, what limits it, how large it is. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from core.errors import ConflictError, TooLargeError
from core.space_ids import SHARED
from core.text.json_limits import JSON_STRING

BYTES_OF_A_MB = 1_000_000
# What a slot may hold where nothing else is said, and the most that can be said.
DEFAULT_MEGABYTES, MAX_MEGABYTES = 16, 64
# A slot of the working tier, which is read and written as a whole, holds less whatever is said.
MAX_WORKING_MEGABYTES = 2
MAX_ITEMS = 10_000
# What a reading costs goes by these more than by bytes: 64 MB of empty objects would take a process for ten seconds.
# As many as the longest body of a request brings.
MAX_VALUES = 200_000
MAX_TTL_SECONDS = 10 * 365 * 86_400
# The tier that lives in Redis; the others are rows.
WORKING = "working"
# The tenant is the workspace of the caller, whatever the caller writes here.
TENANT = "tenant_id"


class SlotTooLargeError(TooLargeError):
    """The value is larger than the slot may become, or has too many items or JSON values."""

    code = "slot_too_large"
    title = "That is more than the slot may hold. Nothing was changed."


class SlotWithoutItemsError(ConflictError):
    """The slot holds one value, and only a list takes items."""

    code = "slot_without_items"
    title = "The slot holds one value; only a list takes items."


@dataclass(frozen=True, slots=True)
class SlotAddress:
    """One slot: its tier, its name and the values of its scope by dimension."""

    tier: str
    name: str
    scope: Mapping[str, str]

    @property
    def scope_key(self) -> str:
        """The same for the same values, in whatever order they are given."""
        return hashlib.sha256(_canonical(self.scope).encode()).hexdigest()

    def place(self, workspace_id: UUID, space_id: UUID) -> UUID:
        """Return what stands for the scope, in a space, where the working set has the id of a conversation."""
        scope = _canonical(self.scope)
        return uuid5(workspace_id, scope if space_id == SHARED else f"{space_id} {scope}")


@dataclass(frozen=True, slots=True)
class SlotLimits:
    """What a writing says about its slot; None where it says nothing."""

    ttl_seconds: int | None = None
    max_items: int | None = None
    max_size_mb: float | None = None
    schema_version: int | None = None


@dataclass(frozen=True, slots=True)
class SlotState:
    """What a slot holds, and what limits it; `count` items, or None for one value. After an append, no value.

    `schema_version` is that of the newest writing, `versions` has that of each item. What another program wrote under
    the key of a working slot has no `updated_at`.
    """

    address: SlotAddress
    value: Any
    count: int | None
    schema_version: int
    versions: list[int] | None
    ttl_seconds: int | None
    max_items: int | None
    max_size_mb: float | None
    size_bytes: int
    expires_at: datetime | None
    updated_at: datetime | None


def fitting(items: Sequence[Any], *, max_items: int | None, max_size_mb: float | None) -> list[Any]:
    """Return the newest items that a list may keep. Raises SlotTooLargeError for more than its bytes."""
    kept = list(items if max_items is None else items[-max_items:])
    if len(kept) > MAX_ITEMS:
        raise SlotTooLargeError(f"A slot holds at most {MAX_ITEMS:,} items; give max_items to keep the newest.")
    check_size(json_size(kept), max_size_mb=max_size_mb)
    return kept


def check_size(size: int, *, max_size_mb: float | None) -> None:
    """Raise SlotTooLargeError for more bytes than a slot may hold."""
    most = DEFAULT_MEGABYTES if max_size_mb is None else max_size_mb
    if size > most * BYTES_OF_A_MB:
        raise SlotTooLargeError(f"The slot may hold {most:g} MB, and this would be {size / BYTES_OF_A_MB:.3g}.")


def check_values(count: int) -> None:
    """Raise SlotTooLargeError for more JSON values than a slot may hold."""
    if count > MAX_VALUES:
        raise SlotTooLargeError(f"A slot holds at most {MAX_VALUES:,} JSON values, and this would be {count:,}.")


def value_count(value: Any) -> int:
    """Number of JSON values: the value itself, and those in it; names of fields are none."""
    count, waiting = 0, [value]
    while waiting:
        count += 1
        each = waiting.pop()
        if isinstance(each, Mapping):
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
    return count


def inner_value_count(text: str) -> int:
    """Number of the values in the lists and objects of a text as `json_text` writes it, also of several on a line each;
    of a text with few, more than there are."""
    if (most := _brackets_and_commas(text)) <= MAX_VALUES // 2:
        return most
    text = JSON_STRING.sub("0", text)
    return _brackets_and_commas(text) - text.count("[]") - text.count("{}")


def _brackets_and_commas(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


def json_text(value: Any) -> str:
    """Return a value as JSON on one line, without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_size(value: Any) -> int:
    """Bytes of a value as JSON in UTF-8, without spaces."""
    return len(json_text(value).encode())


def expiry(*, now: datetime, ttl_seconds: int | None) -> datetime | None:
    return None if ttl_seconds is None else now + timedelta(seconds=ttl_seconds)


def searchable_text(value: Any) -> str:
    """Return the texts and numbers of a value without the names of its fields, for both arms of a search."""
    return " ".join(_leaves(value))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _canonical(scope: Mapping[str, str]) -> str:
    return json.dumps(sorted(scope.items()), ensure_ascii=False)
