"""What speaks for two nodes being one thing, and how much."""

from __future__ import annotations

import pytest

from ontology.matching.similarity import Described, similarity

PERSON = "person"


@pytest.mark.parametrize(
    ("one", "other", "cosine", "shared", "is_proposed"),
    [
        (Described(PERSON, "ada"), Described("Person", "ada"), None, 0, True),
        (Described(PERSON, "ford"), Described("company", "ford"), None, 0, False),
        (Described(PERSON, "ford", degree=3), Described("company", "ford", degree=3), None, 3, True),
        (Described(PERSON, "jon smith"), Described(PERSON, "john smith"), None, 0, True),
        (Described(PERSON, "room 7"), Described(PERSON, "room 8"), 0.99, 0, False),
        (Described(PERSON, "ada"), Described(PERSON, "bob"), 0.9, 0, False),
        (Described(PERSON, "ada l."), Described(PERSON, "countess of lovelace"), 0.99, 0, True),
        (Described(PERSON, "ada", degree=9), Described(PERSON, "bob", degree=9), None, 9, False),
        (Described(PERSON, "", frozenset({"x"})), Described(PERSON, "y", frozenset({"x"})), None, 0, True),
        (Described(PERSON, ""), Described(PERSON, ""), None, 0, False),
    ],
)
def test_what_speaks_for_two_nodes_being_one(
    one: Described, other: Described, cosine: float | None, shared: int, is_proposed: bool
) -> None:
    like = similarity(one, other, cosine=cosine, shared=shared)

    assert like.is_worth_a_look is is_proposed
    assert 0 <= like.score <= 1
    assert like == similarity(other, one, cosine=cosine, shared=shared)
