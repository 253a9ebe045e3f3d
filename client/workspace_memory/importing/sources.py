"""The files of an export: one alone, those of a folder, or those of a ZIP archive, which is read and never unpacked."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.importing.items import Skipped, readable

try:
    from lzma import LZMAError
except ImportError:  # a Python without LZMA; zipfile then raises RuntimeError

    class LZMAError(Exception):  # type: ignore[no-redef]
        """Is never raised."""


# A conversation of many years has some hundred megabytes; what is larger is not read into memory.
MAX_BYTES_OF_A_FILE = 1_000_000_000
# Of all files of an archive together, as they are read.
MAX_BYTES_OF_AN_ARCHIVE = 4_000_000_000
# Text packs to a twentieth at best; an archive whose files grow more than this is made to fill a machine.
MAX_GROWTH = 200
MIN_BYTES_OF_A_BOMB = 50_000_000
MAX_FILES = 200_000
_ENCRYPTED = 0x1
# What unpacking raises for damaged data: of the archive, of deflate, of LZMA, and (OSError) of bzip2. RuntimeError and
# its child NotImplementedError say that an archive is of a newer kind, or that this Python cannot unpack it.
_UNPACKING_ERRORS = (zipfile.BadZipFile, zlib.error, LZMAError, OSError, EOFError, RuntimeError)
AT_ONCE = 1_000_000


class BrokenArchiveError(WorkspaceMemoryError):
    """The archive has no list of its files that can be read: it was not downloaded to its end, or changed."""


class UnreadableFileError(Exception):
    """One file cannot be read; the code and the sentence are those of its line in the report."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of an export: its path below it, and how its bytes are read. `read` raises UnreadableFileError."""

    name: str
    read: Callable[[int], bytes]

    @property
    def suffix(self) -> str:
        """The end of its name, in small letters, with the dot."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        """Its name without folders and without the end."""
        return PurePosixPath(self.name).stem

    def skipped(self, error: UnreadableFileError) -> Skipped:
        """The line of the report for a file that cannot be read."""
        return Skipped(self.name, error.code, str(error))


def is_archive(path: Path) -> bool:
    """Whether a file is a ZIP archive, by what it holds."""
    return path.is_file() and zipfile.is_zipfile(path)


def files_of(path: Path) -> list[SourceFile]:
    """The files of an export, by name. Those that systems put there for themselves are passed over.

    Raises BrokenArchiveError.
    """
    if is_archive(path):
        return _archived(path)
    if path.is_file():
        return [SourceFile(path.name, _file_reader(path))]
    found = [file for file in sorted(path.rglob("*")) if file.is_file()]
    named = [(file.relative_to(path).as_posix(), file) for file in found]
    return [SourceFile(name, _file_reader(file)) for name, file in named if not _is_of_system(name)]


def _is_of_system(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and (parts[0] == "__MACOSX" or parts[-1] in {".DS_Store", "Thumbs.db", "desktop.ini"})


def _file_reader(file: Path) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        with file.open("rb") as opened:
            content = _read(opened.read, min(most, MAX_BYTES_OF_A_FILE + 1))
        if len(content) > MAX_BYTES_OF_A_FILE:
            raise UnreadableFileError("too_long", f"It has more than {MAX_BYTES_OF_A_FILE:,} bytes.")
        return content

    return read


def _archived(path: Path) -> list[SourceFile]:
    """The files of an archive by their names there, which are shown and never used as paths."""
    budget = [MAX_BYTES_OF_AN_ARCHIVE]
    try:
        # Open as long as its files may be read: for each one its list of all would be read again.
        archive = zipfile.ZipFile(path)
        entries = [one for one in archive.infolist() if not one.is_dir()]
    except NotImplementedError as error:
        raise BrokenArchiveError(f"{path} is of a newer kind than can be read ({error}). Pack it again.") from error
    except (zipfile.BadZipFile, ValueError) as error:
        raise BrokenArchiveError(f"{path} is a broken archive ({error}). Download it again.") from error
    if len(entries) > MAX_FILES:
        raise BrokenArchiveError(f"{path} has {len(entries):,} files; at most {MAX_FILES:,} are read.")
    named = [(readable(one.filename), one) for one in entries if not _is_of_system(one.filename)]
    named.sort(key=lambda pair: pair[0])
    return [SourceFile(name, _entry_reader(archive, entry, budget)) for name, entry in named]


def _entry_reader(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: list[int]) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        if entry.flag_bits & _ENCRYPTED:
            raise UnreadableFileError("encrypted", "It is encrypted. Unpack the archive with its password first.")
        # What the archive says of the size may be a lie: what counts is what comes out.
        bound = min(MAX_BYTES_OF_A_FILE, max(MIN_BYTES_OF_A_BOMB, entry.compress_size * MAX_GROWTH), budget[0])
        try:
            with archive.open(entry) as opened:
                content = _read(opened.read, min(most, bound + 1))
        except _UNPACKING_ERRORS as error:
            raise UnreadableFileError("broken_zip", f"It cannot be unpacked ({error}).") from error
        budget[0] = max(0, budget[0] - len(content))  # what is refused has been unpacked as well
        if len(content) > bound:
            raise UnreadableFileError("too_long", f"It unpacks to more than {bound:,} bytes.")
        return content

    return read


def _read(read: Callable[[int], bytes], most: int) -> bytes:
    pieces: list[bytes] = []
    while most > 0 and (piece := read(min(most, AT_ONCE))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)
