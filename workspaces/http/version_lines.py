"""One step of a history, of a memory or of a thing, as `parts/version_row.html` shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.text.word_diff import DiffPart


@dataclass(frozen=True, slots=True)
class VersionLine:
    """`parts` compare what was known before and after; `version` is the step to which it can be taken back."""

    title: str
    text: str
    icon: str
    at: datetime
    who: str
    parts: Sequence[DiffPart] = ()
    is_current: bool = False
    version: UUID | None = None
