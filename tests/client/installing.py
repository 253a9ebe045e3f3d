"""The client as somebody else installs it: by pip, into an environment that has nothing else."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path

from tests.rules.source import ROOT


def empty_environment(home: Path) -> Path:
    """The bin/ of a new environment in that folder."""
    venv.create(home, with_pip=True, symlinks=True)
    return home / "bin"


def install(programs: Path, package: str) -> None:
    """`pip install` of what the repository holds, into the environment of that bin/."""
    pip: list[str | Path] = [programs / "python", "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
    done = subprocess.run([*pip, "install", package], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
