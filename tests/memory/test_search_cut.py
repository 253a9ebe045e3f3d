"""Where the good hits of a search end."""

from __future__ import annotations

import pytest

from memory.memories.search_cut import count_strong

WORDS, MEANING = True, False


@pytest.mark.parametrize(
    ("hits", "strong"),
    [
        ([], 0),
        ([(0.5, MEANING, 0.0)], 0),  # nonsense is near to something
        ([(1.0, WORDS, 0.4), (0.17, MEANING, 0.0), (0.1, MEANING, 0.0)], 1),
        ([(1.0, WORDS, 0.05), (0.84, WORDS, 0.02), (0.22, MEANING, 0.0)], 2),
        ([(1.0, WORDS, 0.3), (0.95, WORDS, 0.3), (0.9, MEANING, 0.2)], 3),
        ([(1.0, WORDS, 0.3), (0.5, WORDS, 0.1), (0.45, WORDS, 0.1)], 1),
        ([(1.0, MEANING, 0.6), (0.97, MEANING, 0.5), (0.4, MEANING, 0.1)], 2),
    ],
)
def test_hits_are_cut_at_the_gap(hits: list[tuple[float, bool, float]], strong: int) -> None:
    assert count_strong(hits) == strong
