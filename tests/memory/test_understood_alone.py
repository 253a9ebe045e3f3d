"""Statements that a reader of nothing else understands, and what is left out or worth little for that reason."""

from __future__ import annotations

import pytest

from memory.episodes.remarks import is_remark
from memory.episodes.statement_rules import draw_candidates
from memory.episodes.statement_selection import MIN_WORTH
from tests.memory.test_statement_rules import BEN, Said, texts


@pytest.mark.parametrize(
    "said",
    [
        "I returned the deposit.",
        "I loved the theme of it, and the energy.",
        "I'm sorry about the accident.",
        "Everyone there sang.",
        "I won two rounds.",
        "I planted a few.",
        "I wish I had rowed back then.",
        "I wanted to.",
        "I had a great success!",
        "Since we last spoke, some big things have happened.",
        "I made it to show my journey.",
        "I'm trying to get it fixed.",
        "Long time no see!",
        "Never saw this coming!",
    ],
)
def test_what_nothing_tells_of_is_left_out(said: str) -> None:
    assert texts(Said(said), BEN) == ["Ben runs a bakery in Graz."]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I sold the car in May.", "Ana sold the car in May."),
        ("I picked up the kids at four.", "Ana picked up the kids at four."),
        (
            "I joined a rowing class and the coach is from Bari.",
            "Ana joined a rowing class and the coach is from Bari.",
        ),
        ("I passed the harbour pilot exam in Bari.", "Ana passed the harbour pilot exam in Bari."),
        ("I'm going to the regatta tomorrow.", "Ana is going to the regatta on 10 June 2023."),
        (
            "I started rowing here in Bari because my dad was a rower.",
            "Ana started rowing in Bari because their dad was a rower.",
        ),
        ("At the event, I met a skipper from Bari.", "Ana met a skipper from Bari."),
        (
            "I rented a boat in Bari with Tom, so it was great to get lost in that quiet world.",
            "Ana rented a boat in Bari with Tom.",
        ),
        ("I had a great success Friday! I sold forty cakes.", "Ana sold forty cakes."),
        ("I had such fun. I sold my boat in Bari, it was amazing!", "Ana sold their boat in Bari, it was amazing!"),
        ("I volunteered at the shelter in May and they gave me a medal.", "Ana volunteered at the shelter in May"),
        ("Here's a pic of my old boat in Bari.", "Ana shared a pic of their old boat in Bari."),
        ("They're good- we got another cat named Bailey too.", "Ana and others got another cat named Bailey too."),
        ("A lot's happened since we talked - I just joined a crew in Bari.", "Ana just joined a crew in Bari."),
        ('I love "I will always love you" by Dolly.', 'Ana loves "I will always love you" by Dolly.'),
        ("One special day for me was the regatta of Bari in May.", "One special day for Ana was the regatta of Bari"),
    ],
)
def test_what_is_understood_alone_is_kept(said: str, kept: str) -> None:
    assert any(kept in each for each in texts(Said(said), BEN))


def test_a_thing_is_told_by_the_turn_before() -> None:
    asked = Said("I found a helpful support group in Graz.", name="Ben")

    assert texts(asked, Said("The support group made me feel accepted."))[-1] == (
        'About "Ben found a helpful support group in Graz": The support group made Ana feel accepted.'
    )


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("Caught anything?", "Ana caught two trout in the river."),
        (
            "What are your favourite books?",
            'Asked "What are Ana\'s favourite books?", Ana said: Two of Ana\'s favourites are "Emma" and "Dune".',
        ),
    ],
)
def test_what_a_question_asks_for_is_told(asked: str, kept: str) -> None:
    said = {"C": "I caught two trout in the river.", "W": 'Two of my favourites are "Emma" and "Dune".'}[asked[0]]

    assert kept in " ".join(texts(Said(asked, name="Ben"), Said(said)))


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("Spending time with family is so important.", True),
        ("Ana is so lucky to have Ben.", True),
        ("I met some amazing people.", True),
        ("It was amazing to see Bari.", False),
        ("I joined a march and it was awesome.", False),
        ("Rowing is important to me because my dad rowed.", False),
        ("I'm lucky to have my husband.", False),
        ("Italy was awesome!", False),
        ("The race in May was tough.", False),
    ],
)
def test_a_remark_judges_and_tells_nothing(text: str, is_so: bool) -> None:
    assert is_remark(text, names=["Ana", "Ben"]) is is_so


@pytest.mark.parametrize(
    "said",
    [
        "The team meets on Wednesdays.",
        "Ben loves Thai food.",
        "The dentist moved my appointment to 14 May.",
        "My sister teaches chemistry in Bergen.",
        "We painted the kitchen green on Sunday.",
        "Invoices are due on the 5th of each month.",
        "The heating has been broken since Monday.",
        "I take the tram to work.",
        "Jens drives Route 3 now.",
        "My dad is in hospital with pneumonia.",
        "I'm going to the mountains next weekend.",
        "Lena's birthday is on 3 June.",
        "I hate coriander.",
        "The new boss is called Ingrid Dahl.",
        "I drink my coffee black.",
        "Mara moved to Oslo.",
        "My phone number changes next week.",
    ],
)
def test_plain_sentences_are_worth_keeping(said: str) -> None:
    assert max(each.worth for each in draw_candidates([Said(said), Said("See you!", name="Ben")])) >= MIN_WORTH
