"""Observations before they are stored: what a model or rules have drawn, and what of it is kept. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from conversations.observations.block import TOKENS_OF_A_DAY, count_observation_tokens
from conversations.observations.kinds import ObservationKind
from core.text import excerpt, lexemes, looks_like_secret

MAX_CHARACTERS = 600
# Observations have at most a fifth of the tokens of what they stand for.
COMPRESSION = 5
# Two with this fraction of their words in common say the same.
SAME = 0.8
_RANKS = {kind: rank for rank, kind in enumerate(ObservationKind)}


@dataclass(frozen=True, slots=True)
class DrawnObservation:
    """One sentence, what it is from, and what it is worth: of two of a kind the one that is worth more is kept."""

    kind: ObservationKind
    text: str
    observed_at: datetime
    source_message_ids: tuple[UUID, ...]
    worth: float = 1.0

    @property
    def tokens(self) -> int:
        return count_observation_tokens(kind=self.kind, text=self.text, observed_at=self.observed_at)


def tidy_text(text: str) -> str:
    """Return a sentence on one line of at most 600 characters; "" for one that seems to hold a secret."""
    line = excerpt(text, limit=MAX_CHARACTERS)
    return "" if looks_like_secret(line) else line


def select_observations(drawn: Sequence[DrawnObservation], *, source_tokens: int) -> list[DrawnObservation]:
    """Return what has at most a fifth of the tokens of its sources, in the given order, and the same thing once.

    Critical ones are taken first, then by kind and worth.
    """
    left = source_tokens // COMPRESSION
    ranked = sorted(range(len(drawn)), key=lambda place: (_RANKS[drawn[place].kind], -drawn[place].worth, place))
    kept: list[int] = []
    words: list[frozenset[str]] = []
    days: set[date] = set()
    for place in ranked:
        mine, day = frozenset(lexemes(drawn[place].text)), drawn[place].observed_at.date()
        cost = drawn[place].tokens + (0 if day in days else TOKENS_OF_A_DAY)
        if cost > left or any(_is_same(mine, other) for other in words):
            continue
        left -= cost
        kept.append(place)
        words.append(mine)
        days.add(day)
    return [drawn[place] for place in sorted(kept)]


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two say the same; of different numbers they do not."""
    numbers = {word for word in one ^ other if any(map(str.isdigit, word))}
    return not numbers and len(one & other) >= SAME * len(one | other)
