"""Tail of a log file: what is added to it is copied to standard output."""

import sys
from pathlib import Path


class Tail:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._position = path.stat().st_size if path.exists() else 0

    def show(self) -> None:
        """Copy what was added since the last call to standard output."""
        if not self._path.exists():
            return
        if self._path.stat().st_size < self._position:  # a new file took its place
            self._position = 0
        with self._path.open("rb") as file:
            file.seek(self._position)
            added = file.read()
        self._position += len(added)
        sys.stdout.buffer.write(added)
        sys.stdout.buffer.flush()
