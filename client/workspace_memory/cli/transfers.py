"""`wsm export` and `wsm import`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from workspace_memory.cli.command_base import SPACES, as_json, connected, printed_json, spaces
from workspace_memory.cli.output import counted, table
from workspace_memory.cli.progress import progress_bar
from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.importing import formats
from workspace_memory.importing.items import Item, Skipped, readable
from workspace_memory.models import Import
from workspace_memory.sync.client import Memory

ITEMS_AT_ONCE = 500
BYTES_AT_ONCE = 8_000_000
SHOWN = 20


class RefusedImport(WorkspaceMemoryError):
    """The server brought nothing in."""


class StoppedImport(WorkspaceMemoryError):
    """Ctrl-C. What had been sent by then is there."""


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
@click.option("--dry-run", is_flag=True, help="Say what would come in; keep nothing.")
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="Write the whole report as JSON here.")
@spaces
@as_json
def import_(*, path: Path, format: str | None, dry_run: bool, report: Path | None, as_json: bool) -> None:
    """Bring in PATH: a workspace's export into an empty workspace, or another product's export into any.

    Known are exports of ChatGPT, Claude and mem0, session files of Claude Code, and folders of Markdown. Importing the
    same again, or after it broke off, adds only what is not there yet.
    """
    format = format or formats.format_of(path)
    if format == formats.WORKSPACE and SPACES in click.get_current_context().meta:
        raise click.UsageError("A workspace's export says itself whose memory it holds: name no user, agent or space.")
    with connected() as client:
        if format == formats.WORKSPACE:
            if dry_run:
                raise click.UsageError("A workspace's export comes in whole or not at all: there is no dry run.")
            told = _workspace(client, path)
        else:
            told = _items(client, path, format, dry_run)
    if report:
        report.write_text(json.dumps(told, indent=2, ensure_ascii=False), encoding="utf-8")
    if as_json:
        printed_json(told)
    else:
        _show(told, path)


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


def _items(client: Memory, path: Path, format: str, dry_run: bool) -> dict[str, Any]:
    """Send what the file holds, batch by batch, and count what became of it."""
    skipped: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    with progress_bar("Reading" if dry_run else "Importing", "items") as tell:
        try:
            for batch in _batches(formats.items_of(path, format), skipped):
                results = client.transfers.import_items([line for _, line in batch], dry_run=dry_run)
                for (where, _), result in zip(batch, results, strict=True):
                    counts[result.status] += 1
                    if result.status == "refused":
                        skipped.append({"where": readable(where), "code": result.code, "why": result.detail})
                tell(sum(counts.values()), 0)
        except KeyboardInterrupt as stop:
            came_in = counted(0 if dry_run else counts["created"], "item")
            raise StoppedImport(f"Stopped after {came_in} came in. Run the same again, and it goes on.") from stop
    reasons = dict(Counter(one["code"] for one in skipped).most_common())
    told = {status: counts[status] for status in ("created", "existing", "refused")}
    return {"format": format, "dry_run": dry_run, **told, "skipped": reasons, "details": skipped}


def _batches(items: Iterable[Item], skipped: list[dict[str, Any]]) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The lines that can be sent and where they stand, a request's worth at a time; what was skipped goes into the
    list."""
    batch: list[tuple[str, dict[str, Any]]] = []
    size = 0
    for item in items:
        if isinstance(item, Skipped):
            skipped.append({**asdict(item), "where": readable(item.where)})
            continue
        line = item.line()
        needed = len(json.dumps(line))  # as it is sent: a letter beyond ASCII takes six bytes or twelve
        if batch and (len(batch) == ITEMS_AT_ONCE or size + needed > BYTES_AT_ONCE):
            yield batch
            batch, size = [], 0
        batch.append((item.where, line))
        size += needed
    if batch:
        yield batch


def _show(told: dict[str, Any], path: Path) -> None:
    if told["format"] == formats.WORKSPACE:
        records = sum(told["counts"].values())
        ids = "ids kept" if told["ids"] == "kept" else f"{told['mapped']:,} ids mapped: --report writes the map"
        click.echo(f"Imported {records:,} records from {path}, {ids}.")
        return
    did = "Would import" if told["dry_run"] else "Imported"
    there = f"{told['existing']:,} {'was' if told['existing'] == 1 else 'were'} there"
    click.echo(f"{did} {counted(told['created'], 'item')} from {path} ({told['format']}), {there}.")
    if told["skipped"]:
        rows = [(code, f"{count:,}", _example(told["details"], code)) for code, count in told["skipped"].items()]
        table(["skipped", "count", "for example"], rows[:SHOWN], whole=["skipped", "count"])


def _example(details: list[dict[str, Any]], code: str) -> str:
    first = next(one for one in details if one["code"] == code)
    return f"{first['where']}: {first['why']}"
