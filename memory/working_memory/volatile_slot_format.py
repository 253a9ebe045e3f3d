"""How a slot of the working tier is stored: its JSON, and next to it what is known of it. Pure.

The value is bare JSON, so that the primitive and any other reader of the key find it; of a list each item begins a
line, so that an item is added to a text and the others are not read for it. What is known of the value counts only
while the value is the one that it was written with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from memory.working_memory.slot_limits import inner_value_count, json_text

TTL_SECONDS = 3_600
SEPARATOR = ",\n"


class NotJsonError(ValueError):
    """What is stored under the key is not a JSON value."""


@dataclass(frozen=True, slots=True)
class SlotInfo:
    """What is known of a stored slot; `count` items, or None for one value, and the versions of its items in runs."""

    count: int | None
    versions: tuple[tuple[int, int], ...] = ()  # (version, number of items), the oldest first
    schema_version: int = 1
    ttl_seconds: int = TTL_SECONDS
    max_items: int | None = None
    max_size_mb: float | None = None
    updated_at: str = ""


@dataclass(frozen=True, slots=True)
class VolatileSlot:
    """A slot as text, and what is known of it."""

    text: str
    info: SlotInfo

    @classmethod
    def parse(cls, text: str, info: str | None) -> VolatileSlot:
        """Return the slot that a key holds; one that was written as bare JSON has the usual limits.

        Raises NotJsonError.
        """
        known = json.loads(info) if info else {}
        if known.pop("digest", "") == _digest(text):
            known["versions"] = tuple((version, number) for version, number in known["versions"])
            return cls(text, SlotInfo(**known))
        return cls.of(_load_foreign(text))

    @classmethod
    def of(cls, value: Any, *, schema_version: int = 1) -> VolatileSlot:
        """Return the slot that holds a value."""
        if not isinstance(value, list):
            return cls(json_text(value), SlotInfo(None, schema_version=schema_version))
        runs = ((schema_version, len(value)),) if value else ()
        text = f"[{SEPARATOR.join(map(json_text, value))}]"
        return cls(text, SlotInfo(len(value), runs, schema_version))

    def render_info(self) -> str:
        """Return what is stored next to the text."""
        return json.dumps({"digest": _digest(self.text), **asdict(self.info)}, separators=(",", ":"))

    def append(self, line: str, *, schema_version: int) -> VolatileSlot:
        """Return the list with one more item, which is JSON on one line."""
        count, runs = self.info.count or 0, list(self.info.versions)
        text = f"{self.text[:-1]}{SEPARATOR}{line}]" if count else f"[{line}]"
        last, number = runs.pop() if runs and runs[-1][0] == schema_version else (schema_version, 0)
        info = replace(self.info, count=count + 1, versions=(*runs, (last, number + 1)), schema_version=schema_version)
        return VolatileSlot(text, info)

    def newest(self, number: int) -> VolatileSlot:
        """Return the list with at most this number of items."""
        if self.info.count is None or (surplus := self.info.count - number) <= 0:
            return self
        text = f"[{self.text[1:-1].split(SEPARATOR, surplus)[-1]}]"
        return VolatileSlot(text, replace(self.info, count=number, versions=_drop_oldest(self.info.versions, surplus)))

    @property
    def value(self) -> Any:
        return json.loads(self.text)

    @property
    def size(self) -> int:
        """Bytes of the value as JSON without spaces."""
        return len(self.text.encode()) - max((self.info.count or 0) - 1, 0)

    @property
    def value_count(self) -> int:
        """Number of JSON values; a list itself is not counted, nor are names of fields."""
        return inner_value_count(self.text) + (self.info.count is None)

    @property
    def versions(self) -> list[int] | None:
        """The version of each item; None for one value."""
        if self.info.count is None:
            return None
        return [version for version, number in self.info.versions for _ in range(number)]


def _drop_oldest(runs: Sequence[tuple[int, int]], surplus: int) -> tuple[tuple[int, int], ...]:
    """Return the runs as they are without the oldest items."""
    kept = []
    for version, number in runs:
        left = max(number - surplus, 0)
        surplus = max(surplus - number, 0)
        if left:
            kept.append((version, left))
    return tuple(kept)


def _load_foreign(text: str) -> Any:
    """Return a value that another program wrote. Raises NotJsonError for what no answer could carry."""
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise NotJsonError("The key does not hold a JSON value.") from error
    return value


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
