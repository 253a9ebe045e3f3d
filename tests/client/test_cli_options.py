"""Options of `wsm` that follow from the fields of the server."""

from __future__ import annotations

from typing import Annotated, TypedDict

import click
from click.testing import CliRunner

from workspace_memory.cli.memories import text_options


def test_each_text_of_a_memory_has_an_option() -> None:
    class Fields(TypedDict, total=False):
        kind: str
        told_by: Annotated[str, "Who said so."]

    @click.command()
    @text_options(Fields)
    def remember(**texts: str) -> None:
        click.echo(texts["told_by"])

    assert "--told-by TEXT  Who said so." in CliRunner().invoke(remember, ["--help"]).output
    assert CliRunner().invoke(remember, ["--told-by", "Dana"]).output == "Dana\n"
