"""Turning sheets around: the postings of many messages by lexeme, in buckets. Pure: bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Iterator

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


def entries_of(packed: bytes, terms: NDArray[np.uint32]) -> NDArray[np.void]:
    """The entries of these lexemes among packed ones."""
    entries = np.frombuffer(packed, ENTRY)
    return entries[np.isin(entries["term"], terms)]
