"""Records of an export: one JSON object in one line, in one form, so that equal workspaces make equal files."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from core.clock import moment

FORMAT = "workspace-memory-export"
VERSION = 1
KIND = "@kind"  # no column is called that, and it comes first
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def render_line(value: Mapping[str, Any]) -> str:
    """Return a record as its line: names in order, no space, times in UTC with a Z."""
    return json.dumps(value, default=_plain, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, UUID | Decimal | date):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in a record.")


@dataclass(frozen=True)
class IdMapping:
    """New ids for a whole export whose own are taken on this server: derived from the old ones, so that an import is
    idempotent.

    Only the last 32 bits of an id change. The time that it begins with stays, so that rows keep their order.
    """

    workspace_id: UUID
    known: frozenset[str]

    def new(self, old: str) -> str:
        digest = hashlib.sha256(self.workspace_id.bytes + UUID(old).bytes).hexdigest()
        return f"{old[:-8].lower()}{digest[:8]}"

    def translate(self, line: str) -> str:
        """Return the line with every mention of an exported id made new."""
        return _ID.sub(self._translate_id, line)

    def _translate_id(self, found: re.Match[str]) -> str:
        return self.new(found[0]) if found[0].lower() in self.known else found[0]


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
