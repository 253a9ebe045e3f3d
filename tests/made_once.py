"""Folders that are costly to make, made once for all processes of a run of tests, or for all runs."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path


def make_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """Return a folder after it was made; of two processes the second waits for the first."""
    folder.mkdir(parents=True, exist_ok=True)
    # Not `.lock`: uv waits for one of that name in an environment, for five minutes.
    with (folder / ".making").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not (folder / ".made").exists():
            make(folder)
            (folder / ".made").touch()
    return folder
