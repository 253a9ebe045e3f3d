"""`wsm hooks`: whether the hooks of the agent plugin recall and capture, in the file that they read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from workspace_memory.cli.command_base import as_json, printed_json
from workspace_memory.cli.credentials import DEFAULT, current_profile
from workspace_memory.errors import WorkspaceMemoryError

SWITCH = "WSM_HOOKS"
MAX_RECALL_MILLISECONDS = 2_500


@click.group(invoke_without_command=True)
@as_json
@click.pass_context
def hooks(context: click.Context, as_json: bool) -> None:
    """Say whether the hooks of the agent plugin are on; `on` and `off` change that."""
    if context.invoked_subcommand is not None:
        return
    kept = _read()
    if as_json:
        printed_json({"file": str(_path()), **kept})
        return
    state = "on" if kept.get("hooks") == "on" else "off"
    others = "".join(f", {name} {value}" for name, value in kept.items() if name != "hooks")
    click.echo(f"Hooks are {state}{others}: {_path()}")
    if os.environ.get(SWITCH):
        click.echo(f"{SWITCH}={os.environ[SWITCH]} goes before that.")


@hooks.command()
@click.option("--space", help="Whose memory, such as project:apollo; `project` is that of each project's folder.")
@click.option(
    "--recall-ms",
    type=click.IntRange(1, MAX_RECALL_MILLISECONDS),
    help="How long a prompt waits for memories.  [default: 220]",
)
def on(space: str | None, recall_ms: int | None) -> None:
    """Recall on each prompt and keep each turn, with the login of `wsm`, or of --profile."""
    profile = current_profile()
    chosen = {"hooks": "on", "space": space, "recall_ms": recall_ms, "profile": None if profile == DEFAULT else profile}
    _write({**_read(), **{name: value for name, value in chosen.items() if value is not None}})
    click.echo("Hooks are on for agents that are started from now on and have the plugin.")


@hooks.command()
def off() -> None:
    """Neither recall nor keep anything by itself; what waits in the spool stays there."""
    _write({**_read(), "hooks": "off"})
    click.echo("Hooks are off.")


def _path() -> Path:
    return Path(click.get_app_dir("wsm")) / "hooks.json"


def _read() -> dict[str, Any]:
    try:
        found = json.loads(_path().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise WorkspaceMemoryError(f"{_path()} is not JSON: mend it, or delete it.") from error
    if not isinstance(found, dict):
        raise WorkspaceMemoryError(f"{_path()} is not an object: mend it, or delete it.")
    return found


def _write(chosen: dict[str, Any]) -> None:
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_text(json.dumps(chosen, indent=2) + "\n", encoding="utf-8")
