"""What limits a slot, the same on every backend: what the server takes by default. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from workspace_memory.errors import ConflictError, FieldProblem, InvalidError, TooLargeError
from workspace_memory.memory_spec import (
    DEFAULT_TTL,
    MAX_ITEMS,
    MAX_MEGABYTES,
    MAX_TTL,
    MAX_VERSION,
    MIN_MEGABYTES,
    MemorySpec,
    SpecError,
    Tier,
)

BYTES_OF_A_MB = 1_000_000
DEFAULT_MEGABYTES = 16
MAX_WORKING_MEGABYTES = 2
MAX_VALUES = 200_000
MAX_FOUND = 200
MAX_QUERY_CHARACTERS = 4_000
# The longest body of one request, unless the server is configured otherwise (`MAX_BULK_BYTES`).
MAX_WRITTEN_BYTES = 16_777_216
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Limits:
    """What is said about a slot with every writing. Raises SpecError for what no backend takes."""

    ttl_seconds: int | None = None
    max_items: int | None = None
    max_size_mb: float | None = None
    schema_version: int = 1

    def __post_init__(self) -> None:
        for name, least, most in (
            ("ttl_seconds", 1, MAX_TTL),
            ("max_items", 1, MAX_ITEMS),
            ("max_size_mb", MIN_MEGABYTES, MAX_MEGABYTES),
            ("schema_version", 1, MAX_VERSION),
        ):
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise SpecError(f"{name} is {value}: from {least:g} to {most:,}.")

    def after(self, before: Limits, tier: Tier) -> Limits:
        """These limits, and where they say nothing what was said before, else what the tier does by itself."""
        return Limits(
            self.ttl_seconds or before.ttl_seconds or DEFAULT_TTL[tier],
            self.max_items or before.max_items,
            self.max_size_mb or before.max_size_mb,
            self.schema_version,
        )

    @classmethod
    def of(cls, spec: MemorySpec) -> Limits:
        return cls(spec.ttl_seconds, spec.max_items, spec.max_size_mb, spec.schema_version)


def within(limits: Limits, value: Any, *, tier: Tier, size: int) -> tuple[Any, int]:
    """The value as it may be kept, of a list the newest items, and its bytes, which are `size` for all of it.

    Raises TooLargeError for more than any backend takes.
    """
    if isinstance(value, list):
        if limits.max_items is not None and len(value) > limits.max_items:
            value = value[-limits.max_items :]
            size = size_of(value)
        if len(value) > MAX_ITEMS:
            raise too_large(f"A slot holds at most {MAX_ITEMS:,} items; give max_items to keep the newest.")
    most = limits.max_size_mb or DEFAULT_MEGABYTES
    if tier == "working":
        most = min(limits.max_size_mb or MAX_WORKING_MEGABYTES, MAX_WORKING_MEGABYTES)
    if size > most * BYTES_OF_A_MB:
        raise too_large(f"The slot may hold {most:g} MB, and this has {size / BYTES_OF_A_MB:.3g}.")
    if size > MAX_VALUES and (count := _value_count(value)) > MAX_VALUES + isinstance(value, list):
        raise too_large(f"A slot holds at most {MAX_VALUES:,} JSON values, and this has {count:,}.")
    return value, size


def check_written(value: Any) -> None:
    """Raise TooLargeError for more bytes than one request brings."""
    if (size := size_of(value)) > MAX_WRITTEN_BYTES:
        raise too_large(f"One writing may bring {MAX_WRITTEN_BYTES:,} bytes, and this has {size:,}.")


def check_search(tier: Tier, query: str, limit: int) -> None:
    """Raise InvalidError for a search that no backend makes."""
    if tier == "working":
        raise _invalid("slot_not_searchable", "Slots of the working tier cannot be searched.")
    problems = []
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_FOUND:
        problems.append(FieldProblem("limit", "invalid", f"From 1 to {MAX_FOUND}."))
    if not isinstance(query, str) or not query.strip() or _FORBIDDEN.search(query):
        problems.append(FieldProblem("query", "blank", "A text is required, without control characters."))
    elif len(query.strip()) > MAX_QUERY_CHARACTERS:
        problems.append(FieldProblem("query", "max_length", f"At most {MAX_QUERY_CHARACTERS:,} characters."))
    if problems:
        raise _invalid("invalid", " ".join(f"{one.field}: {one.detail}" for one in problems), tuple(problems))


def too_large(detail: str) -> TooLargeError:
    """The refusal of a value that is larger than its slot may become."""
    return TooLargeError(status=413, code="slot_too_large", title="That is more than the slot may hold.", detail=detail)


def _invalid(code: str, detail: str, problems: tuple[FieldProblem, ...] = ()) -> InvalidError:
    return InvalidError(status=422, code=code, title="The request is not valid.", detail=detail, problems=problems)


def _value_count(value: Any) -> int:
    """Number of JSON values: the value itself, and those in it."""
    count, waiting = 0, [value]
    while waiting:
        count += 1
        each = waiting.pop()
        if isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
    return count


def not_a_list() -> ConflictError:
    """The refusal to add an item to a slot that holds one value."""
    said = "The slot holds one value; only a list takes items."
    return ConflictError(status=409, code="slot_without_items", title=said, detail=said)


def size_of(value: Any) -> int:
    """Bytes of a value as JSON in UTF-8, without spaces."""
    return len(json_text(value).encode("utf-8", "surrogatepass"))


def json_text(value: Any) -> str:
    """A value as JSON on one line, without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
