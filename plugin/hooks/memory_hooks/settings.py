"""Whether hooks are on, where the server is, with which key, and whose memory it is."""

from __future__ import annotations

import json
import os
import sys

DEFAULT_URL = "http://127.0.0.1:8000"
ON, OFF = frozenset({"on", "1", "true", "yes"}), frozenset({"off", "0", "false", "no"})
# From the start of the process; of the 300 that a client may be held, the rest is for a busy machine.
RECALL_MILLISECONDS = 220
MAX_RECALL_MILLISECONDS = 2_500
TOKENS = 800
PROJECT = "project"


class HookSettings:
    """What the environment, the file `hooks.json` and the login of `wsm` say."""

    def __init__(self, *, is_on: bool, url: str, key: str, workspace: str, space: str, recall: float, folder: str):
        self.is_on = is_on
        self.url = url
        self.key = key
        self.workspace = workspace
        self.space = space
        self.recall_seconds = recall
        self.folder = folder


def read_settings(environment: os._Environ[str] | dict[str, str]) -> HookSettings:
    """Return the settings; what cannot be read counts as not there."""
    chosen = _read_json(os.path.join(config_folder(environment), "hooks.json"))
    url, key, workspace = _address(environment, chosen)
    switch = str(environment.get("WSM_HOOKS") or chosen.get("hooks") or "").lower()
    milliseconds = chosen.get("recall_ms")
    if not isinstance(milliseconds, int) or not 0 < milliseconds <= MAX_RECALL_MILLISECONDS:
        milliseconds = RECALL_MILLISECONDS
    space = str(environment.get("WSM_HOOKS_SPACE") or chosen.get("space") or "")
    return HookSettings(
        is_on=switch in ON,
        url=url.rstrip("/"),
        key=key,
        workspace=workspace,
        space=_project_space(environment) if space == PROJECT else space,
        recall=milliseconds / 1000,
        folder=environment.get("WSM_HOOKS_DIR") or _state_folder(environment),
    )


def config_folder(environment: os._Environ[str] | dict[str, str]) -> str:
    """Return the folder in which `wsm` keeps its settings."""
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "wsm")
    if os.name == "nt":
        return os.path.join(environment.get("APPDATA") or home, "wsm")
    return os.path.join(environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "wsm")


def _state_folder(environment: os._Environ[str] | dict[str, str]) -> str:
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "wsm", "hooks")
    if os.name == "nt":
        return os.path.join(environment.get("LOCALAPPDATA") or home, "wsm", "hooks")
    return os.path.join(environment.get("XDG_STATE_HOME") or os.path.join(home, ".local", "state"), "wsm", "hooks")


def _address(environment: os._Environ[str] | dict[str, str], chosen: dict[str, object]) -> tuple[str, str, str]:
    """Return address, key and workspace. A key that is kept goes to no other address than that of its login."""
    url, key = environment.get("WSM_URL", ""), environment.get("WSM_KEY", "").strip()
    workspace = environment.get("WSM_WORKSPACE", "")
    if url:
        return url, key, workspace
    profile = environment.get("WSM_PROFILE") or str(chosen.get("profile") or "")
    name = "login.json" if profile in {"", "default"} else os.path.join("profiles", f"{os.path.basename(profile)}.json")
    login = _read_json(os.path.join(config_folder(environment), name))
    address = str(login.get("url") or DEFAULT_URL)
    if key:
        return address, key, workspace
    return address, str(login.get("key") or ""), workspace or str(login.get("workspace") or "")


def _project_space(environment: os._Environ[str] | dict[str, str]) -> str:
    """Return the space of the project that the client works in, by the name of its folder."""
    folder = os.path.basename(os.path.normpath(environment.get("CLAUDE_PROJECT_DIR") or os.getcwd()))
    return f"project:{folder[:150]}"


def _read_json(path: str) -> dict[str, object]:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
