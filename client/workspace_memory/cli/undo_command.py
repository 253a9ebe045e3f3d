"""`wsm undo`: taking back what a run, an import or an agent has written, with a preview."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta, timezone
from typing import Any

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json, yes
from workspace_memory.cli.output import counted
from workspace_memory.cli.progress import PAUSE, progress_bar
from workspace_memory.moments import parse_moment
from workspace_memory.sync.client import Memory
from workspace_memory.undo_models import Undo, UndoRow

SHOWN = 20
_PERIOD = re.compile(r"(\d{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def read_since(context: click.Context, option: click.Parameter, value: str | None) -> datetime | None:
    """Return the moment of a time, or of how long ago: `30m`, `2h`, `1d`, `1w`. One without a zone is in UTC."""
    if value is None:
        return None
    if found := _PERIOD.fullmatch(value):
        return datetime.now(timezone.utc) - timedelta(**{_UNITS[found[2]]: int(found[1])})
    try:
        at = parse_moment(value)
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is not a time, and not a period such as 2h or 1d.") from error
    return at if at.tzinfo else at.replace(tzinfo=timezone.utc)


@click.command()
@click.option("--run", default="", metavar="ID", help="What this run has written.")
@click.option("--import", "import_id", default="", metavar="ID", help="What this import has brought.")
@click.option("--agent", default="", metavar="NAME", help="What this API key or connected app has written --since.")
@click.option("--since", callback=read_since, metavar="TIME", help="A time, or how long ago: 30m, 2h, 1d, 1w.")
@click.option("--revert", default="", metavar="ID", help="Undo the undo with this ID.")
@click.option("--space", help="In this space, such as project:apollo.")
@click.option("--every-space", is_flag=True, help="With --agent: in every space of the workspace.")
@click.option("--dry-run", is_flag=True, help="Only say what would go, and what would stay.")
@yes
@as_json
def undo(
    *,
    run: str,
    import_id: str,
    agent: str,
    since: datetime | None,
    revert: str,
    space: str | None,
    every_space: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Take back what a run, an import, or an agent since a time has written.

    What others have touched since stays. What is removed is forgotten and can be restored: `wsm undo --revert ID`.
    """
    if sum(map(bool, (run, import_id, agent, revert))) != 1:
        raise click.UsageError("Name one of --run, --import, --agent and --revert.")
    if bool(agent) != (since is not None):
        raise click.UsageError("--agent and --since go together.")
    with connected() as client:
        here = client if space is None else client.in_space(space)
        if revert:
            _print(_wait(here, here.undos.revert(revert)), as_json=as_json)
            return
        wanted: dict[str, Any] = {"run": run, "import_id": import_id, "agent": agent, "since": since}
        preview = here.undo(**wanted, every_space=every_space, dry_run=True)
        if not dry_run:
            if not yes:
                _print(preview, as_json=False, err=True)
                click.confirm("Undo this?", abort=True, err=True)
            preview = _wait(here, here.undo(**wanted, every_space=every_space, until=preview.until))
    _print(preview, as_json=as_json)


def _wait(client: Memory, found: Undo) -> Undo:
    with progress_bar("Undoing" if found.status == "applying" else "Reverting", "rows") as tell:
        while found.status in {"applying", "reverting"}:
            tell(sum(one.removed + one.reverted for one in found.counts.values()), 0)
            time.sleep(PAUSE)
            found = client.undos.get(str(found.id))
    return found


def _print(found: Undo, *, as_json: bool, err: bool = False) -> None:
    if as_json:
        printed_json(found.model_dump(mode="json"))
        return
    for kind, count in found.counts.items():
        numbers = {"removed": count.removed, "put back": count.reverted}
        numbers |= {"stayed": count.kept, "returned": count.returned}
        said = ", ".join(f"{number:,} {words}" for words, number in numbers.items() if number)
        if said:
            click.echo(f"{kind}: {said}", err=err)
    for row in [row for row in found.rows if row.reason][:SHOWN]:
        click.echo(f"Stays: {_describe(row)}", err=err)
    click.echo(_summary(found), err=err)


def _describe(row: UndoRow) -> str:
    by = f" by {row.by}" if row.by else ""
    return f"{row.kind} {row.id} ({(row.reason or '').replace('_', ' ')}{by})"


def _summary(found: Undo) -> str:
    undone = sum(count.removed + count.reverted for count in found.counts.values())
    if found.status == "previewed":
        return f"Would undo {counted(undone, 'thing')}."
    if found.status == "reverted":
        return f"Reverted {found.id}."
    return f"Undone: {counted(undone, 'thing')}. Back again: wsm undo --revert {found.id}"
