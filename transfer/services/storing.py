"""Keeping what is sent of an import until it is brought in, and the map of its ids afterwards."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any
from uuid import UUID

from core import queue
from core.clock import utc_now
from core.errors import ConflictError, TooLargeError
from transfer.models import Import, ImportPart, ImportStatus
from transfer.reading import UnfitRecordError
from transfer.records import line_of
from transfer.selectors import access_import
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope

RUN_TASK = "transfer.tasks.run_import"
IDS_IN_A_PART = 50_000
MOST_PARTS = 10_000
KEPT_OPEN = timedelta(days=1)


class ImportOverError(ConflictError):
    """The import was started, or is over; begin another one."""

    code = "import_started"
    title = "That import takes no more parts: it was started, or it is over. Begin another one."


class PartsMissingError(ConflictError):
    """Parts are counted from 0 without a gap."""

    code = "parts_missing"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an import, counted from 1 over all parts."""

    number: int
    text: str
    value: dict[str, Any]


def open_import(*, caller: Caller) -> Import:
    """Begin an import that parts can be sent to. Raises MissingScopeError without `admin`, `write` and `facts`."""
    _require_all(caller)
    with workspace_scope(caller):
        made: Import = Import.objects.create(workspace_id=caller.workspace_id, author=caller.label)
    return made


def put_part(*, caller: Caller, import_id: UUID, number: int, values: Sequence[Any]) -> Import:
    """Keep some whole lines; a part that was sent before is replaced.

    Raises MissingScopeError, NotFoundError, ImportOverError, UnfitRecordError, TooLargeError.
    """
    _require_all(caller)
    if number >= MOST_PARTS:
        raise TooLargeError(f"An import has at most {MOST_PARTS:,} parts.")
    data = _packed(_text_of(place, value) for place, value in enumerate(values, start=1))
    with workspace_scope(caller):
        job = access_import(caller, import_id, lock=True)
        if job.status != ImportStatus.OPEN:
            raise ImportOverError()
        part = ImportPart(
            workspace_id=caller.workspace_id, of=job, is_map=False, number=number, lines=len(values), data=data
        )
        ImportPart.objects.bulk_create(
            [part],
            update_conflicts=True,
            unique_fields=["workspace", "of", "is_map", "number"],
            update_fields=["lines", "data"],
        )
    return job


def start_import(*, caller: Caller, import_id: UUID) -> Import:
    """Have the worker bring in what was sent; again changes nothing.

    Raises MissingScopeError, NotFoundError, PartsMissingError.
    """
    _require_all(caller)
    with workspace_scope(caller):
        job = access_import(caller, import_id, lock=True)
        if job.status == ImportStatus.OPEN:
            _refuse_gaps(job)
            job.status, job.started_at = ImportStatus.QUEUED, utc_now()
            job.save(update_fields=["status", "started_at"])
            queue.enqueue_long(RUN_TASK, str(caller.workspace_id), str(import_id))
    return job


def _require_all(caller: Caller) -> None:
    """An import writes memories and facts as they were, whoever made them."""
    for right in (Right.ADMIN, Right.WRITE, Right.FACTS):
        caller.require(right)


def lines_of(caller: Caller, job: Import, change: Callable[[str], str] | None = None) -> Iterator[Line]:
    """Every line that was sent, one part in memory at a time, for an open scope."""
    for number, text in enumerate(_texts(caller, job), start=1):
        changed = change(text) if change else text
        yield Line(number, changed, json.loads(changed))


def map_of(*, caller: Caller, import_id: UUID) -> Iterator[str]:
    """`{"from", "to"}` of each id that was changed, as lines. Raises MissingScopeError, NotFoundError."""
    caller.require(Right.ADMIN)
    job = access_import(caller, import_id)
    with workspace_scope(caller):
        parts = list(job.parts.filter(is_map=True).order_by("number").values_list("data", flat=True))
    return (line for data in parts for line in _unpacked(data))


def store_map(caller: Caller, job: Import, changed: Iterable[tuple[str, str]]) -> None:
    """Keep the map from old ids to new ones, in the open scope."""
    lines, number = (line_of({"from": old, "to": new}) for old, new in changed), 0
    while some := list(islice(lines, IDS_IN_A_PART)):
        ImportPart.objects.create(
            workspace_id=caller.workspace_id, of=job, is_map=True, number=number, lines=len(some), data=_packed(some)
        )
        number += 1


def forget_parts(caller: Caller, job: Import) -> None:
    """Let go what was sent, in the open scope."""
    ImportPart.objects.filter(workspace_id=caller.workspace_id, of=job, is_map=False).delete()


def delete_abandoned(*, caller: Caller) -> int:
    """Delete imports that were begun a day ago and never started; answer how many."""
    with workspace_scope(caller):
        idle = Import.objects.filter(
            workspace_id=caller.workspace_id, status=ImportStatus.OPEN, created_at__lt=utc_now() - KEPT_OPEN
        )
        ids = list(idle.values_list("id", flat=True))
        Import.objects.filter(id__in=ids).delete()
    return len(ids)


def _texts(caller: Caller, job: Import) -> Iterator[str]:
    parts = ImportPart.objects.filter(workspace_id=caller.workspace_id, of=job, is_map=False).order_by("number")
    number = -1
    while part := parts.filter(number__gt=number).first():
        number = part.number
        yield from _unpacked(part.data)


def _refuse_gaps(job: Import) -> None:
    numbers = list(job.parts.filter(is_map=False).order_by("number").values_list("number", flat=True))
    if not numbers or numbers != list(range(len(numbers))):
        raise PartsMissingError("Send the parts first, counted from 0 without a gap.")


def _text_of(place: int, value: Any) -> str:
    if not isinstance(value, dict):
        raise UnfitRecordError(f"Line {place} is no object.")
    try:
        text = line_of(value)
        text.encode()
    except (ValueError, RecursionError) as error:  # a lone surrogate, or a number that is none
        raise UnfitRecordError(f"Line {place} cannot be stored.") from error
    return text


def _packed(lines: Iterable[str]) -> bytes:
    return zlib.compress("\n".join(lines).encode(), 1)


def _unpacked(data: bytes | memoryview) -> list[str]:
    text = zlib.decompress(data).decode()
    return text.split("\n") if text else []
