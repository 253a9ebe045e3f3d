"""Where `wsm login` keeps the address and the key: one file that only its owner can read."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import click

from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.wire import ADDRESS, KEY, WORKSPACE

MODE = 0o600
VARIABLES = {"url": ADDRESS, "key": KEY, "workspace": WORKSPACE}


def path_of_login() -> Path:
    """`login.json` in the user's folder for settings of `wsm`."""
    return Path(click.get_app_dir("wsm")) / "login.json"


def stored_login() -> dict[str, str]:
    """Who signed in, unless the environment names another server or key: then what it says, and nothing else."""
    named = {name: os.environ[variable] for name, variable in VARIABLES.items() if os.environ.get(variable)}
    if "url" in named or "key" in named:
        return named
    path = path_of_login()
    try:
        found = json.loads(path.read_text())
        return {**{name: str(found[name]) for name in VARIABLES}, **named}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkspaceMemoryError(f"{path} cannot be read; sign in again: wsm login") from error


def keep_login(*, url: str, key: str, workspace: str) -> Path:
    """Write the file again with mode 600; no reader sees a half of it, or all of it before it is theirs alone."""
    path = path_of_login()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, fresh = tempfile.mkstemp(dir=path.parent)  # made with mode 600
    with os.fdopen(handle, "w") as file:
        json.dump({"url": url, "key": key, "workspace": workspace}, file)
    os.chmod(fresh, MODE)
    os.replace(fresh, path)
    return path


def is_private(path: Path) -> bool:
    """Whether its owner alone may read and write the file."""
    return path.stat().st_mode & 0o077 == 0
