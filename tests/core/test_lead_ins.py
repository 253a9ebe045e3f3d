"""What leads into a sentence, and what a sentence tells of its speaker that lasts, as tables of cases."""

from __future__ import annotations

import pytest

from core.english.lasting_facts import LastingKind, find_lasting, is_lasting
from core.english.lead_ins import strip_lead_ins


@pytest.mark.parametrize(
    "lead",
    [
        "Oh and important for anything medical: ", "Quick thing: ", "By the way, ", "Also, ", "And ", "FYI: ",
        "One more thing before I go, ", "A small update on that: ", "Just so you know, ", "PS: ",
        "I should mention that ",
        "Something you should know: ", "You should know that ", "It might be worth knowing that ", "For context: ",
        "In case it helps, ", "Not that it matters, but ", "Since you ask, ", "Before I forget: ",
        "On a different note, ",
        "Thanks! Oh and by the way, ", "Unfortunately, ", "As I said, ", "It turns out that ",
    ],
)  # fmt: skip
def test_what_leads_into_a_sentence_is_taken_off(lead: str) -> None:
    assert strip_lead_ins(f"{lead}I'm allergic to walnuts.") == "I'm allergic to walnuts."


@pytest.mark.parametrize(
    "said",
    [
        "The thing about Oslo is the rain.",
        "A friend of mine is ill.",
        "Important to me is my family.",
        "One thing I like is tea.",
        "I have to say it slowly.",
        "News travels fast in our village.",
        "Questions are welcome.",
        "Good to know you are well, I was worried.",
    ],
)
def test_a_sentence_that_only_begins_alike_stays_whole(said: str) -> None:
    assert strip_lead_ins(said) == said


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I'm severely allergic to wasps.", LastingKind.HEALTH),
        ("I have a pacemaker.", LastingKind.HEALTH),
        ("I’m vegan.", LastingKind.DIET),
        ("Always give weights in grams.", LastingKind.INSTRUCTION),
        ("I've gone off podcasts.", LastingKind.CHANGE),
        ("My appointment got moved to the morning.", LastingKind.CHANGE),
        ("The ferry leaves on 4 July at nine.", LastingKind.DATE),
        ("We're having our hall painted on Monday, it will be loud.", LastingKind.DATE),
        ("I never eat cheese.", LastingKind.AVERSION),
        ("My maiden name is Quill.", LastingKind.IDENTITY),
        ("Our landlady raised the rent to 700.", LastingKind.MONEY),
        ("My aunt Philippa is a judge.", LastingKind.PERSON),
        ("I work in a greenhouse.", LastingKind.LIFE),
    ],
)
def test_what_lasts_is_kept_before_all_else(said: str, kind: LastingKind) -> None:
    found = find_lasting(said)

    assert found is not None
    assert found.kind == kind
    assert is_lasting(said)


@pytest.mark.parametrize(
    "said",
    [
        "I love the sea.",
        "I'm building a shed.",
        "I decided to go.",
        "I have a question.",
        "I have a bad headache.",
        "I'm a bit tired.",
        "I work out a lot.",
        "I ran into my old boss.",
        "Do I live in Oslo?",
        "The weather is awful.",
        "We went to the zoo on Saturday, it was hot.",
        "My day was long.",
        "That got postponed.",
        "",
    ],
)
def test_what_passes_is_not(said: str) -> None:
    assert not is_lasting(said)
