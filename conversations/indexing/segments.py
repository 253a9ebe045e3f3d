"""Turning sheets around: the postings of many messages by lexeme, in buckets. Pure: bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conversations.indexing.document import POSTING, TRAITS

# A question reads one bucket of each block for each of its lexemes: more buckets are more rows, fewer are longer ones.
BUCKETS = 512

ENTRY = np.dtype([("term", "<u4"), ("place", "<u2"), ("count", "u1")])


def pack_buckets(*, traits: bytes, postings: bytes) -> Iterator[tuple[int, bytes]]:
    """Bucket and packed entries, for sheets that follow each other; a message's place is its number among them."""
    sheets = np.frombuffer(traits, TRAITS)
    found = np.frombuffer(postings, POSTING)
    entries = np.zeros(len(found), ENTRY)
    entries["term"], entries["count"] = found["term"], found["count"]
    entries["place"] = np.repeat(np.arange(len(sheets)), sheets["terms"])
    bucket = entries["term"] % BUCKETS
    entries = entries[np.lexsort((entries["place"], entries["term"], bucket))]
    starts = np.searchsorted(np.sort(bucket), np.arange(BUCKETS + 1))
    for number in range(BUCKETS):
        if starts[number] < starts[number + 1]:
            yield number, entries[starts[number] : starts[number + 1]].tobytes()


def bucket_numbers(terms: NDArray[np.uint32]) -> list[int]:
    """Return the buckets that hold these lexemes."""
    return sorted({int(term) % BUCKETS for term in terms})


@dataclass(frozen=True, slots=True)
class Bucket:
    """The postings of one bucket in the blocks of a workspace, ordered by term."""

    terms: NDArray[np.uint32]
    places: NDArray[np.uint32]
    counts: NDArray[np.uint8]

    @property
    def nbytes(self) -> int:
        return self.terms.nbytes + self.places.nbytes + self.counts.nbytes


def merge_bucket(packed: Sequence[bytes], *, begins: NDArray[np.intp]) -> Bucket:
    """Return what is packed for one bucket in blocks that begin at these places."""
    entries = np.frombuffer(b"".join(packed), ENTRY)
    first = np.repeat(begins.astype(np.uint32), [len(part) // ENTRY.itemsize for part in packed])
    order = np.argsort(entries["term"], kind="stable")
    return Bucket(entries["term"][order], (first + entries["place"])[order], entries["count"][order])


def read_postings(
    buckets: Mapping[int, Bucket], terms: NDArray[np.uint32]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint8]]:
    """Places of the postings of these lexemes, which of them, and counts, from the buckets that hold them."""
    places, counts = [np.empty(0, np.uint32)], [np.empty(0, np.uint8)]
    for term in terms:
        bucket = buckets[int(term) % BUCKETS]
        found = slice(*(np.searchsorted(bucket.terms, term, side) for side in ("left", "right")))
        places.append(bucket.places[found])
        counts.append(bucket.counts[found])
    numbers = np.repeat(np.arange(len(terms)), [len(found) for found in places[1:]])
    return np.concatenate(places).astype(np.intp), numbers, np.concatenate(counts)
