"""What a search ranks: messages side by side as arrays. Pure.

They stand in the order of their conversations and times, so that a neighbour is one place away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Messages: their ids (16 bytes each), traits (`TRAITS`), the numbers of their sessions, and their cosines with
    the question, NaN where none is known. Beside these the postings of the question's terms: in which place, which
    term, how often."""

    ids: NDArray[np.void]
    traits: NDArray[np.void]
    sessions: Places
    places: Places
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    cosines: Floats | None = None

    @property
    def size(self) -> int:
        return len(self.traits)

    @property
    def session_count(self) -> int:
        return int(self.sessions.max(initial=-1)) + 1

    def before(self, values: Floats, step: int = 1) -> Floats:
        """For each message the value of the one `step` places before it, 0 where that is another session."""
        found = np.zeros_like(values)
        found[step:] = values[:-step] * (self.sessions[step:] == self.sessions[:-step])
        return found

    def after(self, values: Floats) -> Floats:
        """For each message the value of the one after it, 0 where that is another session."""
        found = np.zeros_like(values)
        found[:-1] = values[1:] * (self.sessions[1:] == self.sessions[:-1])
        return found

    def best_of_session(self, values: Floats) -> Floats:
        """For each message the best value of its session."""
        best = np.zeros(self.session_count)
        np.maximum.at(best, self.sessions, values)
        return best[self.sessions]

    def only(self, kept: NDArray[np.bool_]) -> Stretch:
        """Those messages alone, with their postings; their sessions are numbered anew."""
        place = np.cumsum(kept) - 1
        sought = kept[self.places]
        return Stretch(
            self.ids[kept],
            self.traits[kept],
            numbered(self.sessions[kept]),
            place[self.places[sought]],
            self.terms[sought],
            self.counts[sought],
            None if self.cosines is None else self.cosines[kept],
        )

    def sessions_of(self, places: Places) -> NDArray[np.bool_]:
        """Which messages belong to the sessions of those in these places."""
        wanted = np.zeros(self.session_count, bool)
        wanted[self.sessions[places]] = True
        return wanted[self.sessions]

    def with_cosines(self, cosines: Floats) -> Stretch:
        return replace(self, cosines=cosines)

    def unknown_beside(self, places: Places) -> Places:
        """Of these places and those right before and after them the ones whose cosine is not known."""
        beside = np.unique(places[:, None] + np.arange(-1, 2))
        beside = beside[(beside >= 0) & (beside < self.size)]
        return beside if self.cosines is None else beside[np.isnan(self.cosines[beside])]

    def with_more_cosines(self, cosines: Floats) -> Stretch:
        """Those that it has, and these where it has none."""
        return self.with_cosines(cosines if self.cosines is None else np.fmax(self.cosines, cosines))


def joined(parts: Sequence[Stretch]) -> Stretch:
    """One after the other; sessions of two parts are two, whatever their names."""
    if len(parts) == 1:
        return parts[0]
    cosines = [part.cosines for part in parts if part.cosines is not None]
    starts = np.cumsum([0, *(part.size for part in parts)])
    sessions = np.cumsum([0, *(part.session_count for part in parts)])
    return Stretch(
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.traits for part in parts]),
        np.concatenate([part.sessions + start for part, start in zip(parts, sessions, strict=False)]),
        np.concatenate([part.places + start for part, start in zip(parts, starts, strict=False)]),
        np.concatenate([part.terms for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate(cosines) if len(cosines) == len(parts) else None,
    )


def numbered(names: NDArray[np.generic]) -> Places:
    """The same names as numbers from 0."""
    numbers: Places = np.unique(names, return_inverse=True)[1]
    return numbers
