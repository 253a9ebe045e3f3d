"""Which sentences have a verb, and which short ones are worth keeping."""

from __future__ import annotations

import pytest

from memory.episodes.question_pairs import begins_with_name, is_fragment
from memory.episodes.statement_rules import draw_candidates
from memory.episodes.statement_selection import MIN_WORTH
from tests.memory.test_statement_rules import BEN, Said

WHOLE = """
Jens drives Route 3 on Mondays.
Mara Holm signs for the flour.
The printer on the second floor jams every Friday.
Our biggest customer pays late.
My sister teaches chemistry in Bergen.
The bakery closes at six.
Bread dough rests overnight at our place.
Olaf quit last week.
The contract with Lindqvist ends in December.
The password rotation happens every 90 days.
Karin approves all invoices above 500 euros.
Invoices arrive late in summer.
""".strip().splitlines()

FRAGMENTS = """
In May, with my crew.
The Bari Gulls!
A boat.
Three years ago.
My best friends!
My kids and the dog.
Mostly books about history.
Oslo, Bergen and Tromsø.
Lots of fun things.
""".strip().splitlines()


@pytest.mark.parametrize("sentence", WHOLE)
def test_a_sentence_with_a_verb_is_whole(sentence: str) -> None:
    assert not is_fragment(sentence)


@pytest.mark.parametrize("sentence", FRAGMENTS)
def test_what_has_no_verb_is_a_fragment(sentence: str) -> None:
    assert is_fragment(sentence)


@pytest.mark.parametrize(("sentence", "is_name"), [
    ("Jens drives Route 3.", True),
    ("Mara Holm signs for the flour.", True),
    ("Olaf also quit last week.", True),
    ("The team meets on Wednesdays.", False),
    ("Rowing helps me.", False),
    ("She lives in Oslo.", False),
    ("Usually I cook.", False),
])  # fmt: skip
def test_a_subject_that_is_written_like_a_name(sentence: str, is_name: bool) -> None:
    assert begins_with_name(sentence) is is_name


@pytest.mark.parametrize("sentence", ["Mara moved to Oslo.", "Ben loves Thai food.", "Carla likes short reports."])
def test_few_words_about_somebody_are_worth_keeping(sentence: str) -> None:
    worth = {each.text: each.worth for each in draw_candidates([BEN, Said(sentence)])}

    assert worth[f"Ana said: {sentence}"] >= MIN_WORTH
