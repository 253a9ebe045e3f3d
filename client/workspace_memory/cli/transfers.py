"""`wsm export` and `wsm import`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from workspace_memory.cli.command_base import SPACES, as_json, connected, named_space, printed_json, spaces
from workspace_memory.cli.import_report import show_items
from workspace_memory.cli.item_import import ItemImport
from workspace_memory.cli.progress import progress_bar
from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.importing import formats
from workspace_memory.models import Import
from workspace_memory.sync.client import Memory


class RefusedImport(WorkspaceMemoryError):
    """The server brought nothing in."""


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@as_json
def export(file: Path, force: bool, as_json: bool) -> None:
    """Write the whole workspace into FILE, as JSON Lines with checksums; needs the scope `admin`."""
    if file.exists() and not force:
        raise click.UsageError(f"{file} is there already; --force writes over it.")
    with connected() as client, progress_bar("Exporting", "records") as tell:
        manifest = client.transfers.export(file, progress=tell)
    if as_json:
        printed_json(manifest)
    else:
        # As an import counts them: the settings are the workspace's own, and no record that comes in.
        records = sum(entry["count"] for entry in manifest["contents"] if entry["kind"] != "settings")
        click.echo(f"Exported {records:,} records to {file}, {file.stat().st_size:,} bytes, checksums verified.")


@click.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "format", type=click.Choice(formats.FORMATS), help="Without it, what the file looks like.")
@click.option("--dry-run", is_flag=True, help="Say what would come in, from when and for whom; keep nothing.")
@click.option(
    "--end", is_flag=True, help="End the conversations that come in, so that memories are looked for in them."
)
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="Write the whole report as JSON here.")
@spaces
@as_json
def import_(*, path: Path, format: str | None, dry_run: bool, end: bool, report: Path | None, as_json: bool) -> None:
    """Bring in PATH, a file, a folder or a ZIP archive: a workspace's export into an empty workspace, or another
    product's export into any.

    Known are exports of ChatGPT and Claude, session files of Claude Code, mem0, Graphiti and Zep, Letta, Hindsight,
    mcp-memory-service, the graph of the MCP memory server, Markdown and CSV. Importing the same again, or after it
    broke off, adds only what is not there yet. The exit code is 1 where nothing came in and nothing was there.
    """
    format = format or formats.format_of(path)
    if format == formats.WORKSPACE and SPACES in click.get_current_context().meta:
        raise click.UsageError("A workspace's export says itself whose memory it holds: name no user, agent or space.")
    with connected() as client:
        if format == formats.WORKSPACE:
            if dry_run or end:
                raise click.UsageError("A workspace's export comes in whole or not at all: no --dry-run, no --end.")
            told = _workspace(client, path)
        else:
            with progress_bar("Reading" if dry_run else "Importing", "items") as tell:
                run = ItemImport(client, format=format, dry_run=dry_run, named=named_space(), progress=tell)
                run.send(formats.items_of(path, format))
                told = run.report(ended=run.end_conversations() if end and not dry_run else None)
    if report:
        report.write_text(json.dumps(told, indent=2, ensure_ascii=False), encoding="utf-8")
    if as_json:
        printed_json(told)
    elif format == formats.WORKSPACE:
        _show(told, path)
    else:
        show_items(told, path)
    if format != formats.WORKSPACE and not told["created"] + told["existing"]:
        click.echo("Nothing came in.", err=True)
        click.get_current_context().exit(1)


def _show(told: dict[str, Any], path: Path) -> None:
    records = sum(told["counts"].values())
    ids = "ids kept" if told["ids"] == "kept" else f"{told['mapped']:,} ids mapped: --report writes the map"
    click.echo(f"Imported {records:,} records from {path}, {ids}.")


def _workspace(client: Memory, path: Path) -> dict[str, Any]:
    with progress_bar("Sending", "bytes") as tell:
        job = client.transfers.import_workspace(path, progress=tell)
    if job.status == "queued":
        with progress_bar("Importing", "records") as tell:
            job = client.transfers.wait(job.id, progress=lambda done: tell(done, 0))
    if job.status == "refused":
        raise RefusedImport((job.error or {}).get("detail", "The import was refused."))
    return {"format": formats.WORKSPACE, "import": job.id, **(job.report or {}), "map": _map(client, job)}


def _map(client: Memory, job: Import) -> dict[str, str]:
    is_mapped = (job.report or {}).get("ids") == "mapped"
    return dict(client.transfers.map(job.id)) if is_mapped else {}
