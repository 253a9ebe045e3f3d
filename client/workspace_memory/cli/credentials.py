"""Where `wsm login` keeps the address and the key: for each profile one file that only its owner can read."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import click

from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.wire import ADDRESS, KEY, WORKSPACE

MODE = 0o600
VARIABLES = {"url": ADDRESS, "key": KEY, "workspace": WORKSPACE}
PROFILE = "WSM_PROFILE"
DEFAULT = "default"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_NAMED = "workspace_memory.profile"


class NotSignedInError(WorkspaceMemoryError):
    """The profile that was named has no login."""


def choose_profile(context: click.Context, option: click.Parameter, name: str | None) -> None:
    """Keep the profile that `--profile` names, for the whole command. Raises BadParameter for a name that cannot be."""
    if name is not None:
        _check_name(name)
        context.meta[_NAMED] = name


def named_profile() -> str | None:
    """Return the profile that `--profile` names."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(_NAMED)


def current_profile() -> str:
    """Return the profile that `--profile` or WSM_PROFILE names, or the default one."""
    name = named_profile() or os.environ.get(PROFILE) or DEFAULT
    _check_name(name)
    return name


def path_of_login(profile: str | None = None) -> Path:
    """Return the file of a profile's login, in the user's folder for settings of `wsm`."""
    folder, name = Path(click.get_app_dir("wsm")), profile or current_profile()
    return folder / "login.json" if name == DEFAULT else folder / "profiles" / f"{name}.json"


def known_profiles() -> Iterator[str]:
    """Yield the profiles that have a login, the default one first."""
    folder = Path(click.get_app_dir("wsm"))
    if (folder / "login.json").exists():
        yield DEFAULT
    yield from sorted(path.stem for path in (folder / "profiles").glob("*.json") if NAME.fullmatch(path.stem))


def stored_login() -> dict[str, str]:
    """Return the address, key and workspace to call with.

    They are those of the profile that `--profile` names; else what WSM_URL, WSM_KEY and WSM_WORKSPACE say, where a key
    alone goes to the address of the login; else those of the login. Raises NotSignedInError for a profile without one.
    """
    named = {name: os.environ[variable] for name, variable in VARIABLES.items() if os.environ.get(variable)}
    if named_profile() is not None:
        return _read() or _say_missing()
    if "url" in named:
        return named
    kept = _read()
    if "key" in named:
        # The workspace that is kept is that of the other key.
        return {"url": kept["url"], **named} if kept else named
    if not kept and os.environ.get(PROFILE):
        _say_missing()
    return {**kept, **named} if kept else {}


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
    """Return whether its owner alone may read and write the file."""
    return path.stat().st_mode & 0o077 == 0


def read_login(profile: str) -> dict[str, str]:
    """Return what is kept for a profile, or an empty dict. Raises WorkspaceMemoryError for a file that is broken."""
    path = path_of_login(profile)
    try:
        found = json.loads(path.read_text())
        return {name: str(found[name]) for name in VARIABLES}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkspaceMemoryError(f"{path} cannot be read; sign in again: {_login_command(profile)}") from error


def _read() -> dict[str, str]:
    return read_login(current_profile())


def _say_missing() -> NoReturn:
    profile = current_profile()
    raise NotSignedInError(f"The profile “{profile}” has no login. Sign in first: {_login_command(profile)}")


def _login_command(profile: str) -> str:
    return "wsm login" if profile == DEFAULT else f"wsm login --profile {profile}"


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise click.UsageError(
            f"“{name}” cannot be the name of a profile: up to 64 letters, digits, dots, - and _, "
            "with a letter or a digit first."
        )
