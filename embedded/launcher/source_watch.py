"""Seeing that the product's own source has changed, for `make run RELOAD=1`."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

# Templates, statements and static files are read once by a process, as code is.
SUFFIXES = frozenset({".py", ".html", ".sql", ".cypher", ".css", ".js"})
# What does not serve; and the launcher, which cannot start itself again.
ELSEWHERE = frozenset({"tests", "bench", "embedded", "node_modules"})
LOOK_SECONDS = 1.0


class SourceWatch:
    """What changed below a folder since the last look; it looks once a second, however often it is asked."""

    def __init__(self, root: Path) -> None:
        self._folders = [
            path
            for path in sorted(root.iterdir())
            if path.name not in ELSEWHERE and ((path / "__init__.py").exists() or path.name in {"templates", "static"})
        ]
        self._known = dict(self._times())
        self._looked = time.monotonic()

    def changed_files(self) -> list[Path]:
        """Files that were written, added or deleted."""
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return []
        seen = dict(self._times())
        changed = sorted(Path(path) for path, _ in seen.items() ^ self._known.items())
        self._known, self._looked = seen, time.monotonic()
        return list(dict.fromkeys(changed))

    def _times(self) -> Iterator[tuple[str, int]]:
        for folder in self._folders:
            for where, folders, files in os.walk(folder):
                folders[:] = [name for name in folders if name != "__pycache__"]
                for name in files:
                    path = os.path.join(where, name)
                    if os.path.splitext(name)[1] in SUFFIXES and (written := _modification_time(path)):
                        yield path, written


def _modification_time(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except FileNotFoundError:  # an editor replaces files by renaming
        return 0
