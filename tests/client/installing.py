"""The client as somebody else installs it: by pip, into an environment that has nothing else."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

from tests.rules.source import ROOT

OLDEST, NEWEST = 10, 13  # of Python 3, as `client/pyproject.toml` says: those that it was tried with


def empty_environment(home: Path, python: str = "") -> Path:
    """The bin/ of a new environment in that folder, of this Python or another one."""
    if python:
        subprocess.run([python, "-m", "venv", home], capture_output=True, check=True)
    else:
        venv.create(home, with_pip=True, symlinks=True)
    return home / "bin"


def interpreters() -> list[str]:
    """The Pythons of this machine that the package is for, next to the one that runs the tests."""
    others = {f"python3.{minor}" for minor in range(OLDEST, NEWEST + 1)} - {f"python3.{sys.version_info.minor}"}
    return [name for name in sorted(others) if _runs(name)]


def _runs(python: str) -> bool:
    try:
        done = subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


def build_wheel(programs: Path, dist: Path) -> Path:
    """The wheel of the client, built by the pip of that bin/ into a folder."""
    pip: list[str | Path] = [programs / "python", "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
    command = [*pip, "wheel", "--no-deps", "--wheel-dir", dist, "./client"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = dist.glob("workspace_memory-*.whl")
    return wheel


def install(programs: Path, package: str) -> None:
    """`pip install` of what the repository holds, into the environment of that bin/."""
    pip: list[str | Path] = [programs / "python", "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
    done = subprocess.run([*pip, "install", package], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
