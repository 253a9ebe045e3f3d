"""What comes of a chat turn while it is answered, piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workspace_memory.chat_models import Turn


@dataclass(frozen=True, slots=True)
class ChatEvent:
    """One event: `trace` (what was recalled), `token` (a piece of the answer), `citation`, and `done` at the end."""

    name: str
    data: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The piece of the answer that a `token` brings; empty for every other event."""
        return str(self.data.get("text", "")) if self.name == "token" else ""

    @property
    def turn(self) -> Turn | None:
        """The stored turn that `done` brings; None for every other event."""
        return Turn.model_validate(self.data) if self.name == "done" else None
