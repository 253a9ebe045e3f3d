"""The last report of `make bench-evidence` on this installation: how much of what questions need is in contexts."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from core.clock import utc_now

NAME = "bench-evidence.json"


class EvidenceRow(BaseModel):
    """Some questions of a part of a data set with a budget: percentages, mean tokens, and milliseconds through HTTP.

    `kind` is empty for all questions together; `p50` and `p95` are None where no time was taken.
    """

    model_config = ConfigDict(extra="forbid")

    data: str
    part: str
    what: str
    budget: int
    kind: str = ""
    questions: int
    all_percent: float
    fraction_percent: float
    tokens: float
    p50: float | None = None
    p95: float | None = None


class EvidenceReport(BaseModel):
    """Every row of a run, and on which machine it was."""

    model_config = ConfigDict(extra="forbid")

    machine: str
    measured_at: str
    rows: list[EvidenceRow]

    @property
    def tables(self) -> list[tuple[str, list[EvidenceRow]]]:
        """The rows of each data set and part under a heading, in the order in which they were measured."""
        grouped = groupby(self.rows, key=lambda row: f"{row.data}, {row.part}")
        return [(heading, list(rows)) for heading, rows in grouped]


def read_report(home: Path) -> EvidenceReport | None:
    """Return the report that was left in a folder; None where there is none, or none that this version can read."""
    try:
        return EvidenceReport.model_validate_json((home / NAME).read_bytes())
    except (OSError, ValidationError):
        return None


def write_report(home: Path, *, machine: str, rows: list[EvidenceRow]) -> Path:
    """Leave a report in a folder, in place of an earlier one."""
    file = home / NAME
    report = EvidenceReport(machine=machine, measured_at=f"{utc_now():%Y-%m-%d %H:%M} UTC", rows=rows)
    file.write_text(report.model_dump_json(indent=1))
    return file
