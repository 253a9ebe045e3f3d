"""`wsm settings` and `wsm completion`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click
from click.shell_completion import get_completion_class

from workspace_memory.cli.group import as_json, connected, printed_json
from workspace_memory.cli.showing import table

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("changes", nargs=-1, metavar="[NAME=VALUE]...")
@as_json
def settings(changes: tuple[str, ...], as_json: bool) -> None:
    """Show the workspace's settings; change those that are named, such as memory.enabled=true."""
    wanted = _nested(changes)
    with connected() as memory:
        found = memory.settings.change(wanted) if wanted else memory.settings.get()
    if as_json:
        printed_json(found)
    else:
        table(["setting", "value"], [(name, json.dumps(value)) for name, value in _flat(found)], whole=["setting"])


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what makes SHELL complete `wsm`: for bash, eval "$(wsm completion bash)"."""
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101  # one of SHELLS
    click.echo(kind(click.Group("wsm"), {}, "wsm", "_WSM_COMPLETE").source())


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
