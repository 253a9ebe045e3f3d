"""Picking sentences, and holding claims to their sources."""

from __future__ import annotations

from uuid import UUID

import pytest

from ontology.answers.grounding import (
    CLAIMS,
    MAX_CHARACTERS_QUOTED,
    NOTHING_FOUND,
    RELATION,
    AnswerSource,
    Cited,
    answer_text,
    extractive_claims,
    number_sources,
    select_grounded,
    select_related,
)

FLOUR = "Flour is delivered on Tuesdays."


def node(number: int) -> Cited:
    return Cited(UUID(int=number), is_memory=False)


def source(number: int, text: str, *, score: float = 1.0, likeness: float | None = None) -> AnswerSource:
    return AnswerSource((node(number),), "thing", text, score, likeness)


def test_every_claim_carries_the_mark_of_its_node() -> None:
    claims = extractive_claims("When is flour delivered?", [source(1, FLOUR)])

    assert answer_text(claims) == f"{FLOUR} [node:{UUID(int=1)}]"
    assert Cited(UUID(int=1), is_memory=True).mark == f"[mem:{UUID(int=1)}]"


def test_no_claim_says_so() -> None:
    assert answer_text([]) == NOTHING_FOUND


def test_a_few_sources_are_quoted_the_best_first_and_each_text_once() -> None:
    sources = [source(n, f"Flour number {n}.", score=1 - n / 100) for n in range(20)]

    claims = extractive_claims("flour", [*sources, source(99, "Flour number 0.")])

    assert [claim.text for claim in claims] == [f"Flour number {n}." for n in range(CLAIMS)]


def test_of_a_long_text_the_fitting_sentence_is_quoted() -> None:
    text = f"{'The bakery opens early every day. ' * 20}{FLOUR} {'Nobody knows why it is so. ' * 20}"

    (claim,) = extractive_claims("When is the flour delivered?", [source(1, text)])

    assert claim.text == FLOUR


def test_of_a_nodes_relations_the_one_that_was_asked_for_is_told() -> None:
    told = [
        AnswerSource((node(n),), RELATION, text, 1.0) for n, text in enumerate(["Ada lives in Oslo", "Ada uses Redis"])
    ]

    claims = extractive_claims("Where does Ada live?", told)

    assert [claim.text for claim in claims] == ["Ada lives in Oslo"]
    assert len(extractive_claims("What about Ada?", told)) == 2


def test_a_long_sentence_is_cut() -> None:
    (claim,) = extractive_claims("flour", [source(1, "flour " * 1_000)])
    assert len(claim.text) <= MAX_CHARACTERS_QUOTED


@pytest.mark.parametrize(
    ("text", "likeness", "bears"),
    [
        (FLOUR, None, True),
        ("The mill delivers on Tuesdays.", None, True),
        ("The wheat arrives on Tuesdays.", None, False),
        ("The mill delivers on Tuesdays.", 0.68, True),
        ("The mill delivers on Tuesdays.", 0.52, False),
        (FLOUR, 0.2, True),
        ("The wheat arrives on Tuesdays.", 0.8, True),
        ("The wheat arrives on Tuesdays.", 0.7, False),
        ("", 0.8, True),
    ],
)
def test_an_answer_needs_a_source_that_bears_on_the_question(text: str, likeness: float | None, bears: bool) -> None:
    found = select_related("When is the flour delivered?", [source(1, text, likeness=likeness)])
    assert bool(found) == bears


def test_beside_one_that_bears_on_it_a_source_needs_a_word_or_some_likeness() -> None:
    good, worded, alike = source(1, FLOUR, likeness=0.8), source(2, "The flour is white."), source(3, "", likeness=0.6)
    assert select_related("When is the flour delivered?", [good, worded, alike, source(4, "Sugar.", likeness=0.5)]) == [
        good,
        worded,
        alike,
    ]


def test_a_source_far_below_the_best_one_is_left_out() -> None:
    good, poor = source(1, FLOUR, score=0.9), source(2, FLOUR, score=0.1)
    assert select_related("flour", [good, poor]) == [good]


def test_claims_without_a_source_are_dropped() -> None:
    sources = [source(1, FLOUR), source(2, "Sugar.")]
    given = [("Both.", [1, 2, 1]), ("Made up.", []), ("Made up too.", [0, 3, -1]), ("Half.", [2, 7]), (" ", [1])]

    claims, dropped = select_grounded(given, sources)

    assert [(claim.text, claim.cites) for claim in claims] == [("Both.", (node(1), node(2))), ("Half.", (node(2),))]
    assert dropped == 3


def test_sources_are_numbered_for_the_model() -> None:
    assert number_sources([source(1, FLOUR), source(2, "Sugar.")]) == f"1. (thing) {FLOUR}\n2. (thing) Sugar."
