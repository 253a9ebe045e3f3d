"""What the page Settings → Activity shows, and the lines of its exports."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from core.clock import moment
from workspaces.access.callers import ActorKind
from workspaces.models import AuditEvent

ACTOR_KINDS = {
    ActorKind.USER: "person",
    ActorKind.API_KEY: "API key",
    ActorKind.APP: "connected app",
    ActorKind.STAFF: "staff",
    ActorKind.SYSTEM: "the server",
}
COLUMNS = ("at", "actor_kind", "actor_id", "actor", "action", "object_type", "object_id", "address", "details")
# Spreadsheets take a cell that begins with one of these for a formula.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class ActivityLine:
    """One event as the table shows it."""

    event: AuditEvent
    kind: str
    details: str


def activity_lines(events: Iterable[AuditEvent]) -> list[ActivityLine]:
    """Return the rows of the table."""
    return [ActivityLine(event, ACTOR_KINDS.get(ActorKind(event.actor_kind), ""), _words(event)) for event in events]


def json_lines(events: Iterable[AuditEvent]) -> Iterator[str]:
    """Yield each event as a line of JSON."""
    for event in events:
        yield json.dumps({**_fields(event), "details": event.details}, ensure_ascii=False) + "\n"


def csv_lines(events: Iterable[AuditEvent]) -> Iterator[str]:
    """Yield a heading and each event as a line of CSV; no cell of them is a formula."""
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    for event in events:
        details = json.dumps(event.details, ensure_ascii=False) if event.details else ""
        yield writer.writerow([_cell(value) for value in (*_fields(event).values(), details)])


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, line: str) -> str:
        return line


def _fields(event: AuditEvent) -> dict[str, Any]:
    return {
        "at": moment(event.created_at),
        "actor_kind": event.actor_kind,
        "actor_id": event.actor_id,
        "actor": event.actor_label,
        "action": event.action,
        "object_type": event.object_type,
        "object_id": event.object_id,
        "address": event.address,
    }


def _cell(value: str) -> str:
    return f"'{value}" if value.startswith(FORMULA_SIGNS) else value


def _words(event: AuditEvent) -> str:
    return " · ".join(f"{name}: {_value(value)}" for name, value in event.details.items() if value != [])


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
