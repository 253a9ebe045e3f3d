"""Bringing an export into an empty workspace: all of it in one transaction, or nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import groupby, islice
from typing import Any, cast
from uuid import UUID

import psycopg.errors
from django.db import DataError, IntegrityError, OperationalError, connection
from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce
from django.utils.dateparse import parse_datetime

from core.clock import utc_now
from core.db.locks import try_lock
from core.errors import ConflictError, InvalidError, ProductError
from core.space_ids import SHARED
from core.stores import queue, redis
from transfer.exports.records import FORMAT, KIND, VERSION, Tally
from transfer.exports.tables import BY_NAME, KINDS, ExportedTable
from transfer.imports.decoder import UnfitRecordError, decode_row, require_id
from transfer.imports.services.derived_data import (
    CHECKS,
    COMPLETIONS,
    EXTRAS,
    complete_cursors,
    complete_observations,
    complete_slot_items,
    remove_builtin_metrics,
    restore_settings,
    wake_workers,
)
from transfer.imports.services.import_jobs import RUN_TASK, UploadedLine, forget_parts, iterate_lines
from transfer.models import Import, ImportStatus
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import SpacedModel, TenantModel
from workspaces.models import Space, SpaceKind

IMPORT_LOCK = "import"
ROWS_AT_ONCE = 1_000
PROGRESS_SECONDS = 86_400
# A started import without progress for this long has lost its worker; what stops workers for a day stops them all.
RESUMED_AFTER, ENDED_AFTER = timedelta(minutes=10), timedelta(days=1)
# Rows that a new workspace has all the same.
GIVEN: dict[str, Any] = {"metric": {"is_builtin": True}, "space": {"kind": SpaceKind.SHARED}}
NOTHING = UploadedLine(0, "", {})


class WorkspaceNotEmptyError(ConflictError):
    """A whole workspace is imported into an empty one only."""

    code = "workspace_not_empty"


class BrokenExportError(InvalidError):
    """The file is not an export, or not all of it, or not as it was written."""

    code = "broken_export"


class ImportInterruptedError(ConflictError):
    """The worker was stopped each time that it brought the import in."""

    code = "import_interrupted"
    title = "The worker was stopped repeatedly during this import, for a day. Nothing was changed; send it again."


def run_import(*, caller: Caller, import_id: UUID) -> ProductError | None:
    """Bring in what was sent, keep the report, and let the parts go; or return why nothing was changed.

    May be called again: an import that is at work or over is left alone.
    """
    try:
        _attempt(caller, import_id)
    except ProductError as error:
        _refuse(caller, import_id, error)
        return error
    return None


def resume_interrupted(*, caller: Caller) -> int:
    """Queue again what was started and is at work nowhere, and end what has been so for a day; return their number.

    The queue does not: it delivers a long task again while it runs, and counts what finds the lock taken as done. What
    still waits for a worker is delivered twice, which does no harm.
    """
    now = utc_now()
    with workspace_scope(caller):
        waiting = Import.objects.of(caller).filter(status=ImportStatus.QUEUED)
        since = waiting.annotate(since=Coalesce("started_at", "created_at")).filter(since__lt=now - RESUMED_AFTER)
        idle = [job for job in since if try_lock(IMPORT_LOCK, caller.workspace_id, job.id)]
        for job in idle:
            if job.since < now - ENDED_AFTER:
                _refuse(caller, job.id, ImportInterruptedError())
            else:
                queue.enqueue_long(RUN_TASK, str(caller.workspace_id), str(job.id))
    return len(idle)


def import_progress(*, caller: Caller, import_id: UUID) -> int | None:
    """Return how many records the import at work has taken so far; None when that is not known."""
    try:
        done = redis.peek(redis.import_key(caller.workspace_id, import_id))
    except redis.RedisUnavailableError:
        return None
    return int(done) if done else None


def _attempt(caller: Caller, import_id: UUID) -> None:
    with workspace_scope(caller):
        job = _claim_import(caller, import_id)
        if job is None:
            return
        manifest = _verify_manifest(caller, job)
        everywhere = maintenance_caller(caller.workspace_id, "import")
        try:
            with workspace_scope(everywhere):
                _refuse_unless_empty(everywhere)
                counts = _insert_records(everywhere, job)
                _refuse_strangers(everywhere)
        except (IntegrityError, DataError, ValueError) as error:
            raise _explain_error(error) from error
        except OperationalError as error:
            if not isinstance(error.__cause__, psycopg.errors.ProgramLimitExceeded):
                raise
            raise BrokenExportError("A record has more text than can be indexed.") from error
        job.report = {"counts": counts, "exported_at": manifest.get("exported_at"), "ids": "kept", "mapped": 0}
        job.status, job.finished_at = ImportStatus.DONE, utc_now()
        job.save(update_fields=["report", "status", "finished_at"])
        forget_parts(caller, job)
        details = {"records": sum(counts.values()), "ids": job.report["ids"]}
        record_event(
            caller=caller, action="workspace.imported", object_type="import", object_id=job.id, details=details
        )
        with workspace_scope(everywhere):
            wake_workers(everywhere)


def _claim_import(caller: Caller, import_id: UUID) -> Import | None:
    """Return the import, locked; None while another process is at it, and once it is over."""
    waiting = Import.objects.of(caller).filter(id=import_id, status__in=[ImportStatus.OPEN, ImportStatus.QUEUED])
    if not try_lock(IMPORT_LOCK, caller.workspace_id, import_id):
        return None
    found: Import | None = waiting.select_for_update().first()
    return found


def _refuse(caller: Caller, import_id: UUID, error: ProductError) -> None:
    with workspace_scope(caller):
        job = _claim_import(caller, import_id)
        if job is not None:
            job.status, job.finished_at = ImportStatus.REFUSED, utc_now()
            job.error = {"code": error.code, "detail": error.detail}
            job.save(update_fields=["error", "status", "finished_at"])
            forget_parts(caller, job)


def _verify_manifest(caller: Caller, job: Import) -> dict[str, Any]:
    """Return the manifest, once counts and checksums agree with it."""
    lines = iterate_lines(caller, job)
    manifest = next(lines, NOTHING).value
    if not (manifest.get(KIND) == "manifest" and manifest.get("format") == FORMAT):
        raise BrokenExportError("The first line is not a manifest of an export.")
    if manifest.get("version") != VERSION:
        raise BrokenExportError(f"This server reads version {VERSION} of the format.")
    tally = Tally()
    for line in lines:
        kind = _kind_name(line)
        tally.add(kind, line.text)
        if kind in BY_NAME:
            require_id(BY_NAME[kind], line.value, line=line.number)
    if "exported_at" in manifest and not _is_moment(manifest["exported_at"]):
        raise BrokenExportError("exported_at is not an RFC 3339 time.")
    if manifest.get("sha256") != tally.sha256 or manifest.get("contents") != tally.contents:
        raise BrokenExportError("Records are missing or changed: counts or checksums are not those of the manifest.")
    return dict(manifest)


def _is_moment(given: object) -> bool:
    try:
        return isinstance(given, str) and parse_datetime(given) is not None
    except ValueError:
        return False


def _kind_name(line: UploadedLine) -> str:
    kind = line.value.get(KIND)
    if not isinstance(kind, str) or (kind != "settings" and kind not in BY_NAME):
        raise UnfitRecordError(f"Line {line.number}: there is no such kind of record.")
    return kind


def _refuse_unless_empty(caller: Caller) -> None:
    mine = {"workspace_id": caller.workspace_id}
    full = [
        kind.name
        for kind in KINDS
        if kind.model._default_manager.filter(**mine).exclude(**GIVEN.get(kind.name, {"pk": None})).exists()
    ]
    if full:
        raise WorkspaceNotEmptyError(f"The workspace is not empty: it has {', '.join(full)}.")
    remove_builtin_metrics(caller)


def _insert_records(caller: Caller, job: Import) -> dict[str, int]:
    """Insert every record, and return the number of each kind."""
    tell = _teller(caller, job)
    lines = islice(iterate_lines(caller, job), 1, None)
    order, counts = iter(KINDS), dict.fromkeys(BY_NAME, 0)
    for name, group in groupby(lines, key=_kind_name):
        if name == "settings":
            restore_settings(caller, next(group).value)
            continue
        kind = BY_NAME[name]
        if kind not in order:  # which moves on: each kind comes once, after those that it refers to
            raise BrokenExportError(f"The {name} records are not in their place.")
        while batch := list(islice(group, ROWS_AT_ONCE)):
            _insert(caller, kind, batch)
            counts[name] += len(batch)
            tell(sum(counts.values()))
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    return {name: count for name, count in counts.items() if count}


def _insert(caller: Caller, kind: ExportedTable, batch: Sequence[UploadedLine]) -> None:
    extra = EXTRAS.get(kind.name)
    extras = [line.value.pop(extra, None) for line in batch] if extra else []
    rows = [decode_row(kind, line.value, caller=caller, line=line.number) for line in batch]
    if extra:
        COMPLETIONS[kind.name](caller, rows, extras)
    if check := CHECKS.get(kind.name):
        check(rows)
    if kind.name == "slot_item":
        complete_slot_items(caller, rows)
    if kind.name == "observation":
        complete_observations(rows)
    if kind.name == "observation_cursor":
        complete_cursors(caller, rows)
    kind.model._default_manager.bulk_create(rows)


def _refuse_strangers(caller: Caller) -> None:
    """Foreign keys are checked past row security: what a record names must be a row of this very workspace."""
    for kind in KINDS:
        for reference in kind.references:
            named_table = cast(type[TenantModel], reference.related_model)
            target = named_table.objects.of(caller).filter(pk=OuterRef(reference.attname))
            named = kind.model.objects.of(caller).filter(**{f"{reference.attname}__isnull": False})
            if named.filter(~Exists(target)).exists():
                raise BrokenExportError(f"A {kind.name} refers to a {reference.name} that the file does not have.")
        if issubclass(kind.model, SpacedModel):
            space = Space.objects.of(caller).filter(id=OuterRef("space_id"))
            if kind.model.objects.of(caller).exclude(space_id=SHARED).filter(~Exists(space)).exists():
                raise BrokenExportError(f"A {kind.name} is in a space that the file does not have.")


def _explain_error(error: Exception) -> BrokenExportError:
    return BrokenExportError(f"The records contradict each other ({_constraint(error) or type(error).__name__}).")


def _constraint(error: Exception) -> str:
    cause = error.__cause__
    return (cause.diag.constraint_name or "") if isinstance(cause, psycopg.errors.Error) else ""


def _teller(caller: Caller, job: Import) -> Callable[[int], None]:
    """Tells how far it is, at most once a second; Redis forgets it after a day, and may not be there."""
    key, last = redis.import_key(caller.workspace_id, job.id), [0.0]

    def tell(done: int) -> None:
        if time.monotonic() - last[0] < 1:
            return
        last[0] = time.monotonic()
        try:
            redis.put(key, str(done), seconds=PROGRESS_SECONDS)
        except redis.RedisUnavailableError:
            return

    return tell
