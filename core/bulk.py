"""What became of each of many things that came in one request."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from core.errors import ProductError


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of one line: the id of what stands for it now, or why it was refused."""

    id: UUID | None = None
    is_new: bool = False
    error: ProductError | None = None
