"""Keeping what is sent of an import until it is brought in, and the map of its ids afterwards."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import BigIntegerField, Func, Sum

from core.clock import utc_now
from core.db.locks import wait_for_lock
from core.errors import ConflictError, TooLargeError
from core.stores import queue
from transfer.exports.records import render_line
from transfer.imports.decoder import UnfitRecordError
from transfer.imports.selectors import access_import
from transfer.models import Import, ImportPart, ImportStatus
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

OPENING_LOCK = "opening an import"
RUN_TASK = "transfer.imports.tasks.run_import"
KEPT_OPEN = timedelta(days=1)
# One that was left alone for so long makes way for another.
KEPT_FROM_OTHERS = timedelta(hours=1)


class ImportOverError(ConflictError):
    """The import was started, or is over; begin another one."""

    code = "import_started"
    title = "That import takes no more parts: it was started, or it is over. Begin another one."


class TooManyImportsError(ConflictError):
    """Imports that were begun and are not over keep what was sent of them."""

    code = "too_many_imports"


class PartsMissingError(ConflictError):
    """Parts are counted from 0 without a gap."""

    code = "parts_missing"


@dataclass(frozen=True, slots=True)
class UploadedLine:
    """One line of an import, counted from 1 over all parts."""

    number: int
    text: str
    value: dict[str, Any]


def open_import(*, caller: Caller) -> Import:
    """Begin an import that parts can be sent to.

    Raises MissingScopeError without `admin`, `write` and `facts`, SpaceNotAllowedError for a key that is bound to
    spaces, TooManyImportsError.
    """
    _require_all(caller)
    with workspace_scope(caller):
        _refuse_many(caller)
        made: Import = Import.objects.create(workspace_id=caller.workspace_id, author=caller.label)
    return made


def import_lines(*, caller: Caller, values: Sequence[Any]) -> Import:
    """Begin an import with all of its lines; where they are refused, nothing is begun.

    Raises as `open_import` and `put_part` do.
    """
    with workspace_scope(caller):
        job = open_import(caller=caller)
        return put_part(caller=caller, import_id=job.id, number=0, values=values)


def put_part(*, caller: Caller, import_id: UUID, number: int, values: Sequence[Any]) -> Import:
    """Keep some whole lines; a part that was sent before is replaced.

    Raises MissingScopeError, SpaceNotAllowedError, NotFoundError, ImportOverError, UnfitRecordError, TooLargeError.
    """
    _require_all(caller)
    if number >= settings.MAX_IMPORT_PARTS:
        raise TooLargeError(f"An import has at most {settings.MAX_IMPORT_PARTS:,} parts (MAX_IMPORT_PARTS).")
    data = _compress(_render_uploaded(place, value) for place, value in enumerate(values, start=1))
    with workspace_scope(caller):
        job = access_import(caller, import_id, lock=True)
        if job.status != ImportStatus.OPEN:
            raise ImportOverError()
        others = job.parts.filter(is_map=False).exclude(number=number)
        kept = others.aggregate(size=Sum(Func("data", function="octet_length", output_field=BigIntegerField())))
        if (kept["size"] or 0) + len(data) > settings.MAX_IMPORT_BYTES:
            raise TooLargeError(
                f"An import has at most {settings.MAX_IMPORT_BYTES:,} compressed bytes (MAX_IMPORT_BYTES)."
            )
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
    """Have the worker bring in what was sent. Idempotent.

    Raises MissingScopeError, SpaceNotAllowedError, NotFoundError, PartsMissingError.
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
    """Require every right and space: an import writes memories and facts as they were, with their authors."""
    caller.require_unbound()
    for right in (Right.ADMIN, Right.WRITE, Right.FACTS):
        caller.require(right)


def iterate_lines(caller: Caller, job: Import) -> Iterator[UploadedLine]:
    """Yield every line that was sent, one part in memory at a time, for an open scope."""
    for number, text in enumerate(_texts(caller, job), start=1):
        yield UploadedLine(number, text, json.loads(text))


def id_map_lines(*, caller: Caller, import_id: UUID) -> Iterator[str]:
    """`{"from", "to"}` of each id that was changed, as lines, which imports of earlier versions did.

    Raises MissingScopeError, SpaceNotAllowedError, NotFoundError.
    """
    caller.require(Right.ADMIN)
    job = access_import(caller, import_id)
    with workspace_scope(caller):
        parts = list(job.parts.filter(is_map=True).order_by("number").values_list("data", flat=True))
    return (line for data in parts for line in _decompress(data))


def forget_parts(caller: Caller, job: Import) -> None:
    """Let go what was sent, in the open scope."""
    ImportPart.objects.of(caller).filter(of=job, is_map=False).delete()


def delete_abandoned(*, caller: Caller) -> int:
    """Delete imports that were begun a day ago and never started; return their number."""
    with workspace_scope(caller):
        idle = Import.objects.of(caller).filter(status=ImportStatus.OPEN, created_at__lt=utc_now() - KEPT_OPEN)
        ids = list(idle.values_list("id", flat=True))
        Import.objects.filter(id__in=ids).delete()
    return len(ids)


def _refuse_many(caller: Caller) -> None:
    # One at a time in a workspace: those that begin at the same moment would not see each other.
    wait_for_lock(OPENING_LOCK, caller.workspace_id)
    mine = Import.objects.of(caller).filter(status__in=(ImportStatus.OPEN, ImportStatus.QUEUED))
    if mine.count() < settings.MAX_OPEN_IMPORTS:
        return
    mine.filter(status=ImportStatus.OPEN, created_at__lt=utc_now() - KEPT_FROM_OTHERS).delete()
    if mine.count() >= settings.MAX_OPEN_IMPORTS:
        raise TooManyImportsError(
            f"{settings.MAX_OPEN_IMPORTS} imports are open or at work, the most at a time. Start one that is open, or "
            "wait: after an hour it makes way for another."
        )


def _texts(caller: Caller, job: Import) -> Iterator[str]:
    parts = ImportPart.objects.of(caller).filter(of=job, is_map=False).order_by("number")
    number = -1
    while part := parts.filter(number__gt=number).first():
        number = part.number
        yield from _decompress(part.data)


def _refuse_gaps(job: Import) -> None:
    numbers = list(job.parts.filter(is_map=False).order_by("number").values_list("number", flat=True))
    if not numbers or numbers != list(range(len(numbers))):
        raise PartsMissingError("Send the parts first, counted from 0 without a gap.")


def _render_uploaded(place: int, value: Any) -> str:
    if not isinstance(value, dict):
        raise UnfitRecordError(f"Line {place} is not an object.")
    try:
        text = render_line(value)
        text.encode()
    except (ValueError, RecursionError) as error:  # a lone surrogate, or a number that is none
        raise UnfitRecordError(f"Line {place} cannot be stored.") from error
    return text


def _compress(lines: Iterable[str]) -> bytes:
    return zlib.compress("\n".join(lines).encode(), 1)


def _decompress(data: bytes | memoryview) -> list[str]:
    text = zlib.decompress(data).decode()
    return text.split("\n") if text else []
