"""When messages of a conversation are observed, and when its observations are merged. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from workspaces.settings.workspace_settings import MemorySettings

# Work is done in the background in fifths of what may wait.
PARTS = 5


@dataclass(frozen=True, slots=True)
class ObservationThresholds:
    """Tokens of messages and of observations, and the newest messages that are never observed."""

    observe_tokens: int
    reflect_tokens: int
    recent_messages: int

    @classmethod
    def of(cls, settings: MemorySettings) -> Self:
        return cls(settings.observe_tokens, settings.reflect_tokens, settings.recent_messages)

    @property
    def part(self) -> int:
        """Tokens that are observed at once."""
        return self.observe_tokens // PARTS

    @property
    def reflection_target(self) -> int:
        """Tokens of observations that a reflection leaves, unless more of them are critical."""
        return self.reflect_tokens // 2

    def is_full(self, raw_tokens: int) -> bool:
        """Return whether messages of this many tokens are to make room for their observations."""
        return raw_tokens > self.observe_tokens

    def needs_reflection(self, *, observation_tokens: int, reflected_tokens: int) -> bool:
        """Return whether observations are to be merged; again only once more of them have come."""
        return observation_tokens > max(self.reflect_tokens, reflected_tokens + self.reflect_tokens // PARTS)
