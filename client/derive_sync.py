"""Writes `workspace_memory/sync` from `workspace_memory/aio`, so that the two clients cannot differ. Needs ruff."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "workspace_memory"
CHANGES = (
    (r"\basync (def|with|for)\b", r"\1"),
    (r"`async with`", "`with`"),
    (r"\bawait ", ""),
    (r"from asyncio import Lock", "from threading import Lock"),
    (r"\basyncio\b", "time"),
    (r"        if inspect\.isawaitable\(result\):\n            result = result\n", ""),
    (r"import inspect\n", ""),
    (r"from collections\.abc import Awaitable, Callable, Coroutine, ", "from collections.abc import Callable, "),
    (r"\b(?:Awaitable\[|Coroutine\[Any, Any, )(\w+)\]", r"\1"),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\baread\b", "read"),
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"\baiter_lines\b", "iter_lines"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"workspace_memory\.aio\b", "workspace_memory.sync"),
    (r"asynchronous client\. .*", 'client that blocks. Derived from `workspace_memory.aio` by `derive_sync.py`."""'),
)


def derived(source: str) -> str:
    """The synchronous text of an asynchronous module, formatted."""
    for pattern, replacement in CHANGES:
        source = re.sub(pattern, replacement, source)
    for command in (["check", "--fix", "--quiet", "--select=I"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename=client/workspace_memory/sync/x.py", "-"]
        done = subprocess.run(ruff, input=source, capture_output=True, text=True, check=True, cwd=PACKAGE.parents[1])
        source = done.stdout
    return source


def modules() -> dict[Path, str]:
    """Each derived file with what belongs into it."""
    return {PACKAGE / "sync" / path.name: derived(path.read_text()) for path in sorted((PACKAGE / "aio").glob("*.py"))}


if __name__ == "__main__":
    (PACKAGE / "sync").mkdir(exist_ok=True)
    for path, text in modules().items():
        path.write_text(text)
