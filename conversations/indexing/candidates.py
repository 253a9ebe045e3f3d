"""What a search ranks: messages side by side as arrays. Pure.

They stand in the order of their conversations and times, so that a neighbour is one place away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from conversations.indexing.document import POSTING, TRAITS

ID = np.dtype("V16")
Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Number = TypeVar("Number", np.float64, np.bool_)


@dataclass(frozen=True, slots=True)
class PostingColumns:
    """Messages with all of their postings, whatever is asked."""

    ids: NDArray[np.void]
    traits: NDArray[np.void]
    sessions: Places
    postings: NDArray[np.void]

    @classmethod
    def of(cls, *, ids: bytes, traits: bytes, postings: bytes) -> PostingColumns:
        """Return what is packed like that, sheet after sheet."""
        described = np.frombuffer(traits, TRAITS)
        return cls(
            np.frombuffer(ids, ID), described, number_names(described["session"]), np.frombuffer(postings, POSTING)
        )

    @property
    def nbytes(self) -> int:
        return self.ids.nbytes + self.traits.nbytes + self.sessions.nbytes + self.postings.nbytes

    def select_terms(self, terms: NDArray[np.uint32]) -> MessageBatch:
        """Return the messages with those of their postings that are of these terms."""
        sought = np.flatnonzero(np.isin(self.postings["term"], terms))
        places = np.searchsorted(np.cumsum(self.traits["terms"], dtype=np.intp), sought, side="right")
        order = np.argsort(terms)
        numbers = order[np.searchsorted(terms, self.postings["term"][sought], sorter=order)]
        return MessageBatch(self.ids, self.traits, self.sessions, places, numbers, self.postings["count"][sought])


@dataclass(frozen=True, slots=True)
class MessageBatch:
    """Messages: their ids (16 bytes each), traits (`TRAITS`), the numbers of their sessions, and their cosines with
    the question, NaN where none is known. Next to these the postings of the question's terms: in which place, the
    number of the term in the question, how often."""

    ids: NDArray[np.void]
    traits: NDArray[np.void]
    sessions: Places
    places: Places
    terms: NDArray[np.intp]
    counts: NDArray[np.uint8]
    cosines: Floats | None = None

    @property
    def size(self) -> int:
        return len(self.traits)

    @property
    def session_count(self) -> int:
        return int(self.sessions.max(initial=-1)) + 1

    def shift_back(self, values: NDArray[Number], step: int = 1) -> NDArray[Number]:
        """For each message the value of the one `step` places before it, 0 where that is another session. Values may
        come in rows."""
        found = np.zeros_like(values)
        found[..., step:] = values[..., :-step] * (self.sessions[step:] == self.sessions[:-step])
        return found

    def shift_forward(self, values: NDArray[Number]) -> NDArray[Number]:
        """For each message the value of the one after it, 0 where that is another session."""
        found = np.zeros_like(values)
        found[..., :-1] = values[..., 1:] * (self.sessions[1:] == self.sessions[:-1])
        return found

    def mark_terms(self, number: int) -> NDArray[np.bool_]:
        """Return for each of the first `number` terms which messages hold it."""
        held = np.zeros((number, self.size), bool)
        held[self.terms, self.places] = True
        return held

    def spread(self, values: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return what holds of a message, of one of the two before it or of the one after it."""
        return values | self.shift_back(values) | self.shift_back(values, 2) | self.shift_forward(values)

    def share_session(self, at: int, other: int) -> bool:
        """Return whether there is another place of the session of this one."""
        return 0 <= other < self.size and bool(self.sessions[other] == self.sessions[at])

    def best_of_session(self, values: Floats) -> Floats:
        """For each message the best value of its session."""
        best = np.zeros(self.session_count)
        np.maximum.at(best, self.sessions, values)
        return best[self.sessions]

    def only(self, kept: NDArray[np.bool_]) -> MessageBatch:
        """Return those messages alone, with their postings; their sessions are renumbered."""
        sought = np.flatnonzero(kept[self.places])
        at = np.flatnonzero(kept)
        sessions = self.sessions[at]
        known = np.zeros(self.session_count, bool)
        known[sessions] = True
        return MessageBatch(
            self.ids.take(at),
            self.traits.take(at),
            (np.cumsum(known) - 1)[sessions],
            np.searchsorted(at, self.places[sought]),
            self.terms[sought],
            self.counts[sought],
            None if self.cosines is None else self.cosines[at],
        )

    def drop_ids(self, halves: NDArray[np.uint64]) -> MessageBatch:
        """Return the same without the messages whose ids have these second halves (`id_halves`)."""
        known = np.isin(id_halves(self.ids), halves)
        return self.only(~known) if known.any() else self

    def mask_sessions(self, places: Places) -> NDArray[np.bool_]:
        """Return which messages belong to the sessions of those in these places."""
        wanted = np.zeros(self.session_count, bool)
        wanted[self.sessions[places]] = True
        return wanted[self.sessions]

    def with_terms(self, most: int, *, form_of: Places) -> MessageBatch:
        """Return the same messages with the postings of the first terms alone, at most `most` of them, and those of the
        terms behind these, which count as the term of which each is another form."""
        kept = self.terms < most + len(form_of)
        places, terms, counts = self.places[kept], self.terms[kept], self.counts[kept]
        if not len(form_of):
            return replace(self, places=places, terms=terms, counts=counts)
        counted_as = np.concatenate([np.arange(most), form_of])[terms]
        pairs, inverse = np.unique(places * most + counted_as, return_inverse=True)
        number = np.minimum(np.bincount(inverse, counts, len(pairs)), np.iinfo(np.uint8).max)
        return replace(self, places=pairs // most, terms=pairs % most, counts=number.astype(np.uint8))

    def with_cosines(self, cosines: Floats) -> MessageBatch:
        return replace(self, cosines=cosines)

    def missing_neighbours(self, places: Places) -> Places:
        """Of these places and those right before and after them the ones whose cosine is not known."""
        neighbours = np.unique(places[:, None] + np.arange(-1, 2))
        neighbours = neighbours[(neighbours >= 0) & (neighbours < self.size)]
        return neighbours if self.cosines is None else neighbours[np.isnan(self.cosines[neighbours])]

    def with_more_cosines(self, cosines: Floats) -> MessageBatch:
        """Return those that it has, or these where it has none."""
        return self.with_cosines(cosines if self.cosines is None else np.fmax(self.cosines, cosines))


def concatenate_batches(parts: Sequence[MessageBatch]) -> MessageBatch:
    """One after the other; sessions of two parts are two, whatever their names."""
    if len(parts) == 1:
        return parts[0]
    cosines = [part.cosines for part in parts if part.cosines is not None]
    starts = np.cumsum([0, *(part.size for part in parts)])
    sessions = np.cumsum([0, *(part.session_count for part in parts)])
    return MessageBatch(
        np.concatenate([part.ids for part in parts]),
        _concatenate_fields([part.traits for part in parts]),
        np.concatenate([part.sessions + start for part, start in zip(parts, sessions, strict=False)]),
        np.concatenate([part.places + start for part, start in zip(parts, starts, strict=False)]),
        np.concatenate([part.terms for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate(cosines) if len(cosines) == len(parts) else None,
    )


def _concatenate_fields(records: Sequence[NDArray[np.void]]) -> NDArray[np.void]:
    """One after the other; as they are, numpy would copy them field by field, which takes fifty times as long."""
    kind = records[0].dtype
    chained: NDArray[np.void] = np.concatenate([some.view(f"V{kind.itemsize}") for some in records]).view(kind)
    return chained


def id_halves(ids: NDArray[np.void]) -> NDArray[np.uint64]:
    """Return the second halves of ids: random in every version of ids that occurs, so that they stand for the whole."""
    halves: NDArray[np.uint64] = ids.view("<u8")[1::2]
    return halves


def number_names(names: NDArray[np.generic]) -> Places:
    """Return the same names as numbers from 0."""
    numbers: Places = np.unique(names, return_inverse=True)[1]
    return numbers
