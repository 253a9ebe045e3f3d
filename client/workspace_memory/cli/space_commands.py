"""`wsm spaces`: whose memory there is, and erasing it."""

from __future__ import annotations

import time

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json, yes
from workspace_memory.cli.output import counted, table
from workspace_memory.cli.progress import PAUSE, progress_bar
from workspace_memory.space_models import Erasure, Space


@click.group("spaces")
def space_list() -> None:
    """Users, agents and spaces of your own; with a key of scope `admin`."""


@space_list.command()
@click.option("--kind", help="Only of this kind, such as user.")
@click.option("--begins", "q", help="Only names, or keys of users and agents, that begin like this.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True)
@as_json
def ls(kind: str | None, q: str | None, limit: int, as_json: bool) -> None:
    """List the spaces that something was written into."""
    with connected() as client:
        found = list(client.spaces.list(kind=kind, q=q, limit=limit))
    if as_json:
        printed_json([space.model_dump(mode="json") for space in found])
    else:
        table(("space", "erased"), [(space.space, _erased(space)) for space in found], whole=("space",))


@space_list.command()
@click.argument("key")
@yes
@click.option("--dry-run", is_flag=True, help="Only count what would go.")
@as_json
def rm(key: str, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Delete all of the space KEY, such as user:42, for good: memories, conversations, actions and everything else."""
    with connected() as client:
        erasure = client.spaces.erase(key, dry_run=True)
        if not dry_run:
            if not yes:
                _ask(erasure)
            erasure = client.spaces.erase(key)
            with progress_bar("Erasing", "rows") as tell:
                while erasure.status == "erasing":
                    tell(0, sum(erasure.rows.values()))
                    time.sleep(PAUSE)
                    erasure = client.spaces.get(key).erasure or erasure
    if as_json:
        printed_json(erasure.model_dump(mode="json"))
        return
    for name, number in erasure.rows.items():
        click.echo(f"  {number:>9,} {name}")
    did = "Would erase" if dry_run else "Erased"
    click.echo(f"{did} {erasure.space}: {counted(sum(erasure.rows.values()), 'row')}.{_copies(erasure)}")


def _erased(space: Space) -> str:
    return f"{space.erased_at:%Y-%m-%d %H:%M}" if space.erased_at else ""


def _ask(erasure: Erasure) -> None:
    rows = counted(sum(erasure.rows.values()), "row")
    click.echo(f"{erasure.space} has {rows}. They are deleted for good.{_copies(erasure)}", err=True)
    typed = click.prompt(f"Type {erasure.space} to go on", default="", show_default=False, err=True)
    if typed.strip() != erasure.space:
        raise click.ClickException("Nothing was deleted.")


def _copies(erasure: Erasure) -> str:
    """Say what of it stays in other spaces."""
    if not erasure.copies:
        return ""
    return f" Copies that other spaces accepted and keep: {erasure.copies:,}."
