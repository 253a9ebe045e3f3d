"""Which sentences have a verb, and can be a statement without a question before them."""

from __future__ import annotations

import pytest

from memory.episodes.question_pairs import is_fragment

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
