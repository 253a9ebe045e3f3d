"""A whole workspace as JSON Lines: a manifest with counts and checksums, then every record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q

from core.clock import moment, utc_now
from core.db.locks import try_lock
from core.errors import ConflictError
from core.space_ids import SHARED
from core.text import fingerprint
from memory.models import ForgottenFingerprint
from ontology.models import Node
from telemetry.models import Sequence
from transfer.exports.records import FORMAT, KIND, VERSION, Tally, render_line
from transfer.exports.tables import KINDS, LEFT_OUT, ExportedTable
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import SpacedModel
from workspaces.models import Space, Workspace
from workspaces.settings.selectors import settings_json

EXPORT_LOCK = "export"
ROWS_AT_ONCE = 2_000
BYTES_AT_ONCE = 262_144
BYTES_IN_MEMORY = 4_194_304


class ExportRunningError(ConflictError):
    """Another export of this workspace is being written, for which one transaction reads all of it."""

    code = "export_running"
    title = "Another export of this workspace is being written. Wait until it is there, then try again."


@dataclass(frozen=True, slots=True)
class Export:
    """The manifest's line and the records behind it, which wait in memory or in a file without a name."""

    manifest: bytes
    records: IO[bytes]
    size: int

    def __iter__(self) -> Iterator[bytes]:
        """Yield the whole export, piece by piece; the file is gone afterwards."""
        with self.records as records:
            yield self.manifest
            while piece := records.read(BYTES_AT_ONCE):
                yield piece

    def close(self) -> None:
        """Let the file go, also when it was not read."""
        self.records.close()


def export_workspace(*, caller: Caller) -> Export:
    """Write every record of the workspace, as they are at one moment, into memory and then into a temporary file.

    Memory stays bounded, and the transaction does not wait for the reader. Raises MissingScopeError without `admin`
    and `read`, ExportRunningError while another one of the workspace is written.
    """
    for right in (Right.ADMIN, Right.READ):
        caller.require(right)
    everywhere = caller.in_every_space()
    tally = Tally()
    with ExitStack() as until_it_is_written:
        records = until_it_is_written.enter_context(SpooledTemporaryFile(max_size=BYTES_IN_MEMORY))
        with _one_moment(), workspace_scope(everywhere):
            if not try_lock(EXPORT_LOCK, caller.workspace_id):
                raise ExportRunningError
            for kind, line in _lines(everywhere):
                tally.add(kind, line)
                records.write(line.encode() + b"\n")
            record_event(
                caller=caller, action="workspace.exported", object_type="workspace", object_id=caller.workspace_id
            )
        until_it_is_written.pop_all()
    manifest = {
        KIND: "manifest",
        "format": FORMAT,
        "version": VERSION,
        "exported_at": moment(utc_now()),
        "contents": tally.contents,
        "sha256": tally.sha256,
        "left_out": LEFT_OUT,
    }
    first = render_line(manifest).encode() + b"\n"
    size = len(first) + records.tell()
    records.seek(0)
    return Export(first, records, size)


@contextmanager
def _one_moment() -> Iterator[None]:
    """Yield a transaction that sees nothing of what others commit meanwhile; a test's own transaction stays as it
    is."""
    is_first = not connection.in_atomic_block
    with transaction.atomic():
        if is_first:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _lines(caller: Caller) -> Iterator[tuple[str, str]]:
    workspace = Workspace.objects.get(id=caller.workspace_id)
    yield "settings", render_line({KIND: "settings", **settings_json(workspace)})
    for kind in KINDS:
        for page in _pages(caller, kind):
            for record in EXTRAS[kind.name](caller, page) if kind.name in EXTRAS else page:
                yield kind.name, render_line({KIND: kind.name, **record})


def _pages(caller: Caller, kind: ExportedTable) -> Iterator[list[dict[str, Any]]]:
    """Records in the order of their keys, a page at a time.

    Without those of a space that there is not: calls that read may name any, and leave receipts and actions in it.
    """
    mine = kind.model.objects.of(caller).order_by(kind.key)
    if issubclass(kind.model, SpacedModel):
        mine = mine.filter(Q(space_id=SHARED) | Exists(Space.objects.of(caller).filter(id=OuterRef("space_id"))))
    rows = mine.values(*(field.attname for field in kind.fields))
    page = list(rows[:ROWS_AT_ONCE])
    while page:
        yield page
        page = list(rows.filter(**{f"{kind.key}__gt": page[-1][kind.key]})[:ROWS_AT_ONCE])


def _memories(caller: Caller, page: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each with when its text was forgotten, instead of a fingerprint that only this workspace can compare."""
    ids = [record["node_id"] for record in page]
    marks = {
        identity: fingerprint(workspace_id=caller.workspace_id, text=text)
        for identity, text in Node.objects.filter(id__in=ids, is_deleted=True).values_list("id", "body")
    }
    forgotten = ForgottenFingerprint.objects.of(caller).filter(fingerprint__in=set(marks.values()))
    at = dict(forgotten.values_list("fingerprint", "created_at"))
    return [{**record, "forgotten_at": at.get(marks.get(record["node_id"], ""))} for record in page]


def _sequences(caller: Caller, page: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each with the words of its intent, whose id follows from them and from the workspace."""
    ids = [record["id"] for record in page]
    intents = dict(Sequence.objects.filter(id__in=ids).values_list("id", "intent__summary"))
    return [{**record, "intent": intents[record["id"]]} for record in page]


EXTRAS = {"memory": _memories, "sequence": _sequences}
