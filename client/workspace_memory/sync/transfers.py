"""Whole workspaces out and in, and items of other products' exports."""

from __future__ import annotations

import errno
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from workspace_memory.errors import UnexpectedAnswerError, WorkspaceMemoryError
from workspace_memory.models import Import, ItemResult
from workspace_memory.sync.transport import Transport, read, read_each
from workspace_memory.wire import quoted

# Up to this size an export goes in one request; beyond it, in parts of it, which the server's worker brings in.
BYTES_AT_ONCE = 8_000_000
PAUSE = 0.5

Progress = Callable[[int, int], None]


class BrokenExportError(WorkspaceMemoryError):
    """What arrived is not what the server's manifest says."""


class Transfers:
    """Exporting and importing; a whole workspace needs the scope `admin`, items need `write`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def export(self, path: Path, *, progress: Progress | None = None) -> dict[str, Any]:
        """Write the whole workspace into a file and answer its manifest; `progress` gets records so far and of all.

        The file appears once it is whole, in place of one that was there. Raises BrokenExportError when checksums do
        not fit, FileExistsError for what is not a file but a device or a folder.
        """
        if path.exists() and not path.is_file():
            raise FileExistsError(errno.EEXIST, "Only a file is written over.", str(path))
        partial = path.with_name(f"{path.name}.part")
        try:
            with partial.open("wb") as file:
                manifest, checked = self._written(file, progress)
            if checked != manifest.get("sha256"):
                raise BrokenExportError("What arrived is not what the manifest says. Export again.")
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        return manifest

    def import_workspace(self, path: Path, *, progress: Progress | None = None, at_once: int = BYTES_AT_ONCE) -> Import:
        """Bring an export into this workspace, which must be empty; answer the import with its report.

        `progress` gets bytes sent so far and of all. Raises ConflictError for a workspace that is not empty and
        InvalidError for a broken file; of a large file both are told in the answer's `error` instead.
        """
        size = path.stat().st_size
        if size <= at_once:
            return read(Import, self._transport.send_lines("POST", "import", path.read_bytes()))
        job = read(Import, self._transport.send("POST", "imports"))
        sent = 0
        for number, lines in enumerate(_parts(path, at_once)):
            self._transport.send_lines("PUT", f"imports/{quoted(job.id)}/parts/{number}", lines)
            sent += len(lines)
            if progress:
                progress(sent, size)
        return read(Import, self._transport.send("POST", f"imports/{quoted(job.id)}/start"))

    def get(self, id: str) -> Import:
        """An import: how far it is, or what became of it."""
        return self._transport.ask(Import, "GET", f"imports/{quoted(id)}")

    def wait(self, id: str, *, progress: Callable[[int], None] | None = None) -> Import:
        """The import once it is over; `progress` gets the records that were brought in so far."""
        while (job := self.get(id)).status in {"open", "queued"}:
            if progress and job.progress:
                progress(job.progress["done"])
            time.sleep(PAUSE)
        return job

    def map(self, id: str) -> Iterator[tuple[str, str]]:
        """The old and the new id of each record that had to get another one."""
        rest = b""
        for piece in self._transport.stream(f"imports/{quoted(id)}/map"):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                changed = json.loads(line)
                yield changed["from"], changed["to"]

    def import_items(self, items: Sequence[dict[str, Any]], *, dry_run: bool = False) -> list[ItemResult]:
        """Take in up to 2,000 messages, memories, nodes and edges of another product; what is there already stays."""
        lines = b"".join(json.dumps(item).encode() + b"\n" for item in items)
        query = {"dry_run": "true"} if dry_run else None
        value = self._transport.send_lines("POST", "import/items", lines, query)
        return read_each(ItemResult, value)

    def _written(self, file: Any, progress: Progress | None) -> tuple[dict[str, Any], str]:
        """The manifest, and the checksum of what was written behind it."""
        manifest: dict[str, Any] = {}
        head, records, digest = b"", 0, hashlib.sha256()
        for piece in self._transport.stream("export"):
            file.write(piece)
            body = piece
            if not manifest:
                head += piece
                first, newline, body = head.partition(b"\n")
                if not newline:
                    continue
                manifest = _manifest(first)
            digest.update(body)
            records += body.count(b"\n")
            if progress:
                progress(records, sum(entry["count"] for entry in manifest["contents"]))
        return manifest, digest.hexdigest()


def _manifest(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or "contents" not in found:
        raise UnexpectedAnswerError("The server's answer is not an export; is it another server?")
    return found


def _parts(path: Path, most: int) -> Iterator[bytes]:
    """A file in pieces of whole lines of about `most` bytes."""
    with path.open("rb") as file:
        while lines := file.readlines(most):
            yield b"".join(lines)
