"""Sentences of one speaker to another, in the third person."""

from __future__ import annotations

import pytest

from core.english.reported_speech import Speakers, retell


@pytest.mark.parametrize(
    ("said", "retold"),
    [
        ("I work in a bakery and live in Graz.", "Ana works in a bakery and lives in Graz."),
        ("I've got two cats, and I love them.", "Ana has got two cats, and they love them."),
        ("I was born here, and I am happy.", "Ana was born here, and they are happy."),
        ("I never eat meat.", "Ana never eats meat."),
        ("I need a visa.", "Ana needs a visa."),
        ("My sister gave me her bike.", "Ana's sister gave them her bike."),
        ("The course has made me calm.", "The course has made Ana calm."),
        ("We're building a shed.", "Ana and others are building a shed."),
        ("My friends and I go hiking.", "Ana's friends and Ana go hiking."),
        ("How long have you been here?", "How long has Ben been here?"),
        ("Do you like my hat?", "Does Ben like Ana's hat?"),
        ("What do you think I should do?", "What does Ben think Ana should do?"),
        ("I will tell you soon.", "Ana will tell Ben soon."),
        ("You're late, and your tea is cold.", "Ben is late, and their tea is cold."),
        ("When you have time, call me.", "When Ben has time, call Ana."),
        ("I moved after we last talked.", "Ana moved after Ana and Ben last talked."),
        ("It will ease the pain without the salve you need.", "It will ease the pain without the salve Ben needs."),
        ("There is a fee after you pass the bridge.", "There is a fee after Ben passes the bridge."),
        ("I have news, Ida and I have moved.", "Ana has news, Ida and Ana have moved."),
        ("I hurt myself.", "Ana hurt themselves."),
    ],
)
def test_pronouns_become_names_and_verbs_agree(said: str, retold: str) -> None:
    assert retell(said, speakers=Speakers("Ana", "Ben")) == retold


def test_one_of_several_listeners_is_not_named() -> None:
    assert retell("Do you know my dog?", speakers=Speakers("Ana")) == "Do the others know Ana's dog?"
