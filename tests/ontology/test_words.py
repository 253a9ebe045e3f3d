"""Which words of a query bring in nodes, and what each is worth."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ontology.search.query_terms import WordCounts


@pytest.mark.parametrize(
    ("holding", "telling"),
    [
        ({"tea": 3, "user": 650, "office": 4}, "tea | office"),
        ({"tea": 6, "user": 650, "office": 5}, "office | tea & user"),
        ({"prefers": 50, "milk": 60, "tea": 40}, "tea & prefers | tea & milk | prefers & milk"),
        ({"prefers": 400, "user": 650, "tea": 30}, "tea & prefers"),
        ({"prefers": 200, "user": 200, "like": 200}, "prefers & user & like"),
        ({"prefers": 40, "user": 650, "tea": 30}, "tea & prefers"),
        ({"user": 650}, ""),
        ({"prefers": 400, "user": 650}, ""),
        ({"unheard": 0}, "unheard"),
        ({"unheard": 0, "user": 650}, "unheard"),
        ({}, ""),
    ],
)
def test_rare_words_and_pairs_bring_in_one_node_in_fifty(holding: dict[str, int], telling: str) -> None:
    assert WordCounts(holding, 1_000).telling(alone=0.01, most=0.02) == telling


def test_any_word_will_do_where_few_are_searched() -> None:
    assert WordCounts({"tea": 3, "user": 650}, 1_000).any == "tea | user"


def test_the_rarer_a_word_the_more_it_is_worth() -> None:
    counts = WordCounts({str(holding): holding for holding in (0, 1, 10, 500, 1_000)}, 1_000)

    worth = [counts.worth(word) for word in counts.holding]

    assert all(rarer > commoner > 0 for rarer, commoner in pairwise(worth))


def test_a_long_text_is_looked_for_by_its_rarest_words() -> None:
    counts = WordCounts({"tea": 3, "user": 650, "office": 4}, 1_000)

    assert dict(counts.rarest(2).holding) == {"tea": 3, "office": 4}
    assert counts.rarest(9).holding.keys() == counts.holding.keys()
