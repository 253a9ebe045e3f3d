"""Subjects that talk leaves out, and the one person whom "she" or "he" can be."""

from __future__ import annotations

import pytest

from core.english.omitted_subjects import with_subject
from memory.episodes.sentence_references import only_person


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("Rode to Bari on Sunday.", "I rode to Bari on Sunday."),
        ("Swam in the harbour.", "I swam in the harbour."),
        ("Changed my mind.", "I changed my mind."),
        ("Raised on a boat, I love the sea.", "Raised on a boat, I love the sea."),
        ("Left of the pier is a bakery.", "Left of the pier is a bakery."),
        ("Took a while.", "Took a while."),
        ("Rowing in the morning.", "I'm rowing in the morning."),
        ("Rowing calms me.", "Rowing calms me."),
    ],
)
def test_a_subject_that_is_left_out_is_put_in(said: str, whole: str) -> None:
    assert with_subject(said) == whole


@pytest.mark.parametrize(
    ("before", "pronoun", "person"),
    [
        (["Mara's sister rows."], "she", "Mara's sister"),
        (["Mara's sister rows."], "he", ""),
        (["Mara's brother rows.", "I like trains."], "him", "Mara's brother"),
        (["Mara's lawyer rows."], "her", "Mara's lawyer"),
        (["Mara's lawyer met Tom's doctor."], "her", ""),
        (["Last week Jens won."], "he", "Jens"),
    ],
)
def test_a_pronoun_stands_for_the_only_person_who_was_named(before: list[str], pronoun: str, person: str) -> None:
    assert only_person(before, pronoun, known=["Ana", "Ben"]) == person
