"""The blocks of a page in one shell, as readers follow them: in order, in the project's folder, next to `make run`."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.client.doc_blocks import END
from tests.docs.command_server import PROGRAM
from tests.docs.fences import Fence, fences_of
from tests.rules.source import ROOT

ADDRESS = "http://127.0.0.1:8000"
STATUS = re.compile(r"^@(\d{3})$", re.MULTILINE)
SECONDS = 120
# What `make run` starts is up already: that make knows the target is all that is tried. Each call reports its status.
PRELUDE = f"""
set -euo pipefail
make() {{ command make --dry-run --no-print-directory --directory {shlex.quote(str(ROOT))} "$@" > /dev/null; }}
curl() {{ command curl --max-time 60 --write-out '%{{stderr}}@%{{http_code}}\\n' "$@"; }}
"""
# In the folder of somebody who follows a page: everything of the project, and a var/ of its own.
OWN = {"var", ".git", ".venv"}


@dataclass(frozen=True, slots=True)
class PageRun:
    """What the blocks of a page printed, each for itself, and the statuses of the calls that they made."""

    code: int
    printed: list[str]
    statuses: list[int]
    errors: str


def run_blocks(
    page: str, blocks: Sequence[Fence], *, setup: str, folder: Path, environment: Mapping[str, str]
) -> PageRun:
    """Run the blocks of a page in one shell, behind the functions of the first page that everybody reads."""
    functions = fences_of("docs/start.md")[1].code
    parts = [PRELUDE, functions, f"{{ :\n{setup}\n}} > setup.log 2>&1"]
    parts += [
        f"{block.code.replace(ADDRESS, environment['WSM_URL'])}\necho; echo {shlex.quote(END)}" for block in blocks
    ]
    done = subprocess.run(
        ["bash", "-c", "\n".join(parts)],
        cwd=folder,
        env={**os.environ, **environment, "HOME": str(folder), "PATH": f"{folder}/.venv/bin:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    statuses = [int(status) for status in STATUS.findall(done.stderr)]
    *printed, unfinished = done.stdout.split(f"{END}\n")
    return PageRun(done.returncode, printed, statuses, f"{unfinished}\n{STATUS.sub('', done.stderr)}".strip())


def lay_out_project(folder: Path) -> Path:
    """Make a folder in which the project seems to stand, with a `var/` of its own, and return that."""
    for path in ROOT.iterdir():
        if path.name not in OWN:
            (folder / path.name).symlink_to(path)
    for name in (".venv", "agent"):  # what `make run` installs, and where README puts the SDK
        (folder / name / "bin").mkdir(parents=True)
        for program in (ROOT / ".venv" / "bin").iterdir():
            (folder / name / "bin" / program.name).symlink_to(program)
        (folder / name / "lib").symlink_to(ROOT / ".venv" / "lib")
        python = folder / name / "bin" / "python"
        python.unlink()
        python.write_text(PROGRAM.format(python=ROOT / ".venv" / "bin" / "python"))
        python.chmod(0o755)
    (folder / "var" / "run").mkdir(parents=True)
    return folder / "var"
