"""`wsm settings`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json
from workspace_memory.cli.output import table
from workspace_memory.errors import InvalidError
from workspace_memory.sync.client import Memory


@click.command()
@click.argument("changes", nargs=-1, metavar="[NAME=VALUE]...")
@as_json
def settings(changes: tuple[str, ...], as_json: bool) -> None:
    """Show the workspace's settings; change those that are named, such as memory.enabled=true."""
    wanted = _nested(changes)
    with connected() as memory:
        found = _change(memory, wanted) if wanted else memory.settings.get()
    if as_json:
        printed_json(found)
    else:
        table(["setting", "value"], [(name, json.dumps(value)) for name, value in _flat(found)], whole=["setting"])


def _change(memory: Memory, wanted: dict[str, Any]) -> dict[str, Any]:
    """Change settings. Raises UsageError for a name that is not one of a setting: the command was misused."""
    try:
        return memory.settings.change(wanted)
    except InvalidError as error:
        unknown = [problem.field for problem in error.problems if problem.code == "unknown_field"]
        if not unknown:
            raise
        raise click.UsageError(
            f"There is no setting “{unknown[0]}”. `wsm settings` lists them; nothing was changed."
        ) from error


def _nested(changes: tuple[str, ...]) -> dict[str, Any]:
    wanted: dict[str, Any] = {}
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals or not name:
            raise click.UsageError(f"“{change}” is not of the form NAME=VALUE.")
        *path, last = name.split(".")
        here = wanted
        for part in path:
            here = here.setdefault(part, {})
            if not isinstance(here, dict):
                raise click.UsageError(f"“{name}” contradicts what was named before it.")
        here[last] = _value(text)
    return wanted


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _flat(value: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, inner in value.items():
        if isinstance(inner, dict) and inner:
            yield from _flat(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", inner
