"""Packages of npm that tests run: pinned where they are used, kept in pytest's cache, never part of the product."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest


def npm_modules(home: Path, packages: dict[str, str], *, made: str) -> Path:
    """Return the folder `node_modules` with these packages in these versions, installed once.

    `made` is a file in it that is there afterwards. Whoever has no npm is told so instead of being spared.
    """
    if shutil.which("npm") is None:
        pytest.fail("This test needs npm: install the package `npm` and run the test again.", pytrace=False)
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of two tests at once the second waits for the first
        if not (home / "node_modules" / made).exists():
            wanted = [f"{name}@{version}" for name, version in packages.items()]
            npm = ["npm", "install", "--prefix", str(home), "--no-audit", "--no-fund", "--ignore-scripts", *wanted]
            done = subprocess.run(npm, capture_output=True, text=True, timeout=600, check=False)
            assert done.returncode == 0, done.stderr
    return home / "node_modules"
