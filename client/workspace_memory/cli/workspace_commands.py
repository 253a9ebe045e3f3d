"""`wsm workspace`: making workspaces as the operator; deleting the workspace itself, and the receipt of that."""

from __future__ import annotations

import time

import click

from workspace_memory.cli.command_base import NotSignedIn, as_json, connected, printed_json, yes
from workspace_memory.cli.credentials import stored_login
from workspace_memory.cli.output import counted
from workspace_memory.cli.progress import PAUSE, progress_bar
from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.space_models import WorkspaceErasure
from workspace_memory.sync.client import Memory
from workspace_memory.sync.provisioning import Operator


@click.group()
def workspace() -> None:
    """The workspace as a whole; with a key of scope `admin`."""


@workspace.command()
@click.argument("name")
@click.option("--owner", metavar="EMAIL", help="Invite this address as the owner.")
@as_json
def create(name: str, owner: str | None, as_json: bool) -> None:
    """Make a workspace, and print its admin key, which is not shown again.

    For who runs the server: with an operator's key in WSM_OPERATOR_KEY, and the address of the login or WSM_URL.
    """
    try:
        operator = Operator(stored_login().get("url"))
    except WorkspaceMemoryError as error:
        raise NotSignedIn(str(error)) from error
    with operator:
        made = operator.create_workspace(name, owner=owner)
    if as_json:
        printed_json(made.model_dump(mode="json"))
        return
    click.echo(f"Workspace  {made.id}\nSlug       {made.slug}\nAdmin key  {made.api_key.secret}")


@workspace.command()
@click.option("--confirm", metavar="NAME", help="The name of the workspace, or its slug. Without it, you are asked.")
@yes
@click.option("--dry-run", is_flag=True, help="Only count what would go.")
@click.option("--no-wait", is_flag=True, help="Do not wait until all of it is deleted.")
@as_json
def delete(confirm: str | None, yes: bool, dry_run: bool, no_wait: bool, as_json: bool) -> None:
    """Delete the whole workspace for good: everything that `wsm export` would write, and all around it.

    It is closed at once. The receipt says what was deleted, how that was checked, and what is out of reach.
    """
    with connected() as client:
        if dry_run:
            _print(client.delete_workspace(dry_run=True), as_json=as_json)
            return
        if confirm is None and yes:
            raise click.UsageError("Give --confirm NAME: --yes alone does not delete a workspace.")
        erasure = client.delete_workspace(confirm or _ask(client))
        click.echo(f"The workspace is closed. Its erasure: {erasure.id}", err=True)
        with progress_bar("Deleting", "things") as tell:
            while erasure.status == "erasing" and not no_wait:
                tell(erasure.deleted, erasure.total)
                time.sleep(PAUSE)
                erasure = client.erasure(str(erasure.id))
    _print(erasure, as_json=as_json)


@workspace.command()
@click.argument("id")
@as_json
def receipt(id: str, as_json: bool) -> None:
    """Show how far the erasure ID is, and its receipt; with the key that asked for it."""
    with connected() as client:
        _print(client.erasure(id), as_json=as_json)


def _ask(client: Memory) -> str:
    """Show what would go, and have the name typed, which the server then compares."""
    here, found = client.workspace(), client.delete_workspace(dry_run=True)
    _print(found, as_json=False, err=True)
    click.echo("All of it is deleted for good. Nothing brings it back.", err=True)
    typed: str = click.prompt(f"Type {here.name} to go on", default="", show_default=False, err=True)
    if typed.strip() not in {here.name, here.slug}:
        raise click.ClickException("Nothing was deleted.")
    return typed.strip()


def _print(erasure: WorkspaceErasure, *, as_json: bool, err: bool = False) -> None:
    if as_json:
        printed_json(erasure.model_dump(mode="json"))
        return
    for name, number in erasure.layers.items():
        click.echo(f"  {number:>9,} {name}", err=err)
    click.echo(_summary(erasure), err=err)
    for check in erasure.checks:
        click.echo(f"Checked {check.what}: {check.found:,} found. {check.how}", err=err)
    for title, notes in (("Stays", erasure.stays), ("Out of reach", erasure.out_of_reach)):
        for note in notes if erasure.status == "erased" else ():
            click.echo(f"{title}: {note}", err=err)


def _summary(erasure: WorkspaceErasure) -> str:
    if erasure.status == "counted":
        return f"Would delete {counted(erasure.total, 'thing')}.{_uncounted(erasure)}"
    if erasure.status == "erased":
        return f"Deleted {counted(erasure.deleted, 'thing')}; nothing was found afterwards."
    waits = f" It waits for {erasure.waits_for}, which does not answer." if erasure.waits_for else ""
    return f"Deleted {erasure.deleted:,} of {erasure.total:,} so far.{waits}"


def _uncounted(erasure: WorkspaceErasure) -> str:
    return f" Not counted, since it does not answer: {', '.join(erasure.unreachable)}." if erasure.unreachable else ""
