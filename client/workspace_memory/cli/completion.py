"""`wsm completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what makes SHELL complete `wsm`: for bash, eval "$(wsm completion bash)"."""
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101  # one of SHELLS
    click.echo(kind(click.Group("wsm"), {}, "wsm", "_WSM_COMPLETE").source())
