"""Turning sheets around: the postings of many messages by lexeme, in buckets. Pure: bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from conversations.sheets import POSTING, TRAITS

# A question reads one bucket of each block for each of its lexemes: more buckets are more rows, fewer are longer ones.
BUCKETS = 512

ENTRY = np.dtype([("term", "<u4"), ("place", "<u2"), ("count", "u1")])


def buckets_of(*, traits: bytes, postings: bytes) -> Iterator[tuple[int, bytes]]:
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
    """The buckets that hold these lexemes."""
    return sorted({int(term) % BUCKETS for term in terms})


def postings_in(
    packed: Sequence[bytes], *, begins: NDArray[np.intp], terms: NDArray[np.uint32]
) -> tuple[NDArray[np.intp], NDArray[np.uint32], NDArray[np.uint8]]:
    """Places, terms and counts of the postings of these lexemes, in blocks that begin at these places."""
    entries = np.frombuffer(b"".join(packed), ENTRY)
    first = np.repeat(begins, [len(part) // ENTRY.itemsize for part in packed])
    sought = np.isin(entries["term"], terms)
    found = entries[sought]
    return first[sought] + found["place"], found["term"], found["count"]
