"""Reading what a text states takes little time, whatever the text is: its patterns look at 320 characters at most."""

from __future__ import annotations

import time

import pytest

from memory.memories.replacement.claims import read_claims
from tests.rules.patterns import PREFIXES, SEEDS, SUFFIXES

LONGEST, MAX_SECONDS = 318, 0.5
WORDS = (
    "from ",
    "to ",
    "has been ",
    "is ",
    "was moved by ",
    "the price of ",
    "Anna's ",
    "now ",
    "instead of ",
    "no longer ",
)


@pytest.mark.parametrize("seed", [*SEEDS, *WORDS])
def test_hostile_texts_are_read_in_no_time(seed: str) -> None:
    texts = [(before + seed * LONGEST)[:LONGEST] + after for before in PREFIXES for after in SUFFIXES]
    texts += [" ".join((before + seed * LONGEST).split()[:44]) for before in PREFIXES]
    read_claims("Anna lives in Rome.")
    began = time.process_time()

    for text in texts:
        read_claims(text)

    assert time.process_time() - began < MAX_SECONDS * len(texts)
