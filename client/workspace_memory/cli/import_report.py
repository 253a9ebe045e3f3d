"""What an import of another product's items says when it is over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from workspace_memory.cli.output import counted, table

SHOWN = 20
MAX_SPACES_SHOWN = 10
PLURALS = {"memory": "memories"}


def show_items(told: dict[str, Any], path: Path) -> None:
    """Print what came in, from when and for whom, what was skipped, and how memories come of conversations."""
    did = "Would import" if told["dry_run"] else "Imported"
    there = f"{told['existing']:,} {'was' if told['existing'] == 1 else 'were'} there"
    click.echo(f"{did} {counted(told['created'], 'item')} from {path} ({told['format']}), {there}.")
    if told["kinds"]:
        click.echo(f"{_kinds(told)}{_dates(told)}.")
    if told["spaces"]:
        click.echo(f"{'For' if told['dry_run'] else 'Kept for'} {_spaces(told['spaces'])}.")
    if told["skipped"]:
        rows = [(code, f"{count:,}", _example(told["details"], code)) for code, count in told["skipped"].items()]
        table(["skipped", "count", "for example"], rows[:SHOWN], whole=["skipped", "count"])
    if told["conversations"]["count"]:
        click.echo(_outlook(told))


def _kinds(told: dict[str, Any]) -> str:
    parts = []
    for kind, count in told["kinds"].items():
        part = f"{count:,} {kind if count == 1 else PLURALS.get(kind, f'{kind}s')}"
        parts.append(part + (f" of {_conversations(told)}" if kind == "message" else ""))
    return ", ".join(parts)


def _conversations(told: dict[str, Any]) -> str:
    return counted(told["conversations"]["count"], "conversation")


def _dates(told: dict[str, Any]) -> str:
    dates = told["dates"]
    first, last, without = (dates["first"] or "")[:10], (dates["last"] or "")[:10], dates["without"]
    if not first:
        return ", without dates" if without else ""
    span = f", dated {first}" if first == last else f", dated {first} to {last}"
    return span + (f", {without:,} without a date" if without else "")


def _spaces(spaces: dict[str, int]) -> str:
    shown = [f"{space} ({count:,})" for space, count in list(spaces.items())[:MAX_SPACES_SHOWN]]
    left = len(spaces) - len(shown)
    return ", ".join(shown) + (f" and {counted(left, 'other space')}" if left else "")


def _outlook(told: dict[str, Any]) -> str:
    """How memories come of what was said."""
    conversations = told["conversations"]
    if "ended" not in conversations:
        verb = "would be" if told["dry_run"] else "is" if conversations["count"] == 1 else "are"
        return (
            f"{_conversations(told)} {verb} open. Memories come of what was said when a conversation ends, "
            "while memory is on: --end ends them."
        )
    number = conversations["extracting"]
    looked = f"{number:,} of them {'is' if number == 1 else 'are'}"
    ended = f"Ended {_conversations(told)}; {looked} looked through for memories in the background."
    return " ".join([ended, *(f"{count:,} not: {why}" for why, count in conversations["reasons"].items())])


def _example(details: list[dict[str, Any]], code: str) -> str:
    first = next(one for one in details if one["code"] == code)
    return f"{first['where']}: {first['why']}"
