"""Records of an export: one JSON object in one line, in one form, so that equal workspaces make equal files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from core.clock import moment

FORMAT = "workspace-memory-export"
VERSION = 1
KIND = "@kind"  # no column is called that, and it comes first


def render_line(value: Mapping[str, Any]) -> str:
    """Return a record as its line: names in order, no space, times in UTC with a Z."""
    return json.dumps(value, default=_plain, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, UUID | Decimal | date):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in a record.")


class Tally:
    """Counts and checksums of records as they pass: of each kind, and of all of them."""

    def __init__(self) -> None:
        self._all = hashlib.sha256()
        self._kinds: dict[str, Any] = {}
        self.counts: dict[str, int] = {}

    def add(self, kind: str, line: str) -> None:
        raw = line.encode() + b"\n"
        self._all.update(raw)
        self._kinds.setdefault(kind, hashlib.sha256()).update(raw)
        self.counts[kind] = self.counts.get(kind, 0) + 1

    @property
    def contents(self) -> list[dict[str, Any]]:
        return [
            {"kind": kind, "count": self.counts[kind], "sha256": digest.hexdigest()}
            for kind, digest in self._kinds.items()
        ]

    @property
    def sha256(self) -> str:
        return str(self._all.hexdigest())
