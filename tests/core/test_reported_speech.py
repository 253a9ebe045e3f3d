"""Sentences of one speaker to another, in the third person."""

from __future__ import annotations

import pytest

from core.english.reported_speech import Speakers, retell


@pytest.mark.parametrize(
    ("said", "retold"),
    [
        ("I work in a bakery and live in Graz.", "Ana works in a bakery and lives in Graz."),
        ("I've got two cats, and I love them.", "Ana has got two cats, and Ana loves them."),
        ("I was born here, and I am happy.", "Ana was born here, and they are happy."),
        ("I never eat meat.", "Ana never eats meat."),
        ('I love "I will always love you".', 'Ana loves "I will always love you".'),
        ("My mom said “you can do it”.", "Ana's mom said “you can do it”."),
        ("I wish you happiness.", "Ana wishes Ben happiness."),
        ("I wish I had known you back then.", "Ana wishes they had known Ben back then."),
        ("I need a visa.", "Ana needs a visa."),
        ("I no longer speak Dutch.", "Ana no longer speaks Dutch."),
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
        ("My notes are at http://x.y/my/you?q=I+we.", "Ana's notes are at http://x.y/my/you?q=I+we."),
        ("I keep www.my.example/you open.", "Ana keeps www.my.example/you open."),
        ("I'd never sailed so far.", "Ana had never sailed so far."),
        ("I'd been wanting a boat.", "Ana had been wanting a boat."),
        ("I'd swum there before.", "Ana had swum there before."),
        ("I'd need a boat.", "Ana would need a boat."),
        ("I'd never sail alone.", "Ana would never sail alone."),
        ("I'm happy to have you on board.", "Ana is happy to have Ben on board."),
        ("What made you sell the boat?", "What made Ben sell the boat?"),
        ("I saw you two sailing.", "Ana saw Ben and others sailing."),
        ("I retook the exam.", "Ana retook the exam."),
        ("I co-wrote the song and re-read it.", "Ana co-wrote the song and re-read it."),
        ("I bought sails, and I'm gonna use them.", "Ana bought sails, and Ana is gonna use them."),
        ("The sea is rough, and I want a calm day.", "The sea is rough, and Ana wants a calm day."),
        ("It was late, but my crew and I were happy.", "It was late, but Ana's crew and Ana were happy."),
        ("Since we last talked I've sold the boat.", "Since Ana and Ben last talked Ana has sold the boat."),
        ("I met her and we talked.", "Ana met her and they talked."),
        ("I sail, and I like it.", "Ana sails, and they like it."),
        ("My crew motivates me and gives me rest.", "Ana's crew motivates them and gives them rest."),
        ("The lessons have made me calm and given me rest.", "The lessons have made Ana calm and given them rest."),
        ("I love my parents, they taught me to row.", "Ana loves their parents, they taught Ana to row."),
        ("I sold my boat to Tom in May.", "Ana sold their boat to Tom in May."),
        ("I told my friends about my boat.", "Ana told their friends about Ana's boat."),
        ("I was late, so we took the train.", "Ana was late, so Ana and others took the train."),
        ("We sailed, and we sang.", "Ana and others sailed, and they sang."),
        ("We sailed, but I was ill.", "Ana and others sailed, but Ana was ill."),
        ("She's an old skipper and I trust her.", "She's an old skipper and Ana trusts her."),
        ("A boat with a keel might suit you better.", "A boat with a keel might suit Ben better."),
        (
            "Some of my friends came although I had just moved.",
            "Some of Ana's friends came although Ana had just moved.",
        ),
    ],
)
def test_pronouns_become_names_and_verbs_agree(said: str, retold: str) -> None:
    assert retell(said, speakers=Speakers("Ana", "Ben")) == retold


def test_a_compound_is_one_word() -> None:
    retold = retell("I sent you a thank-you card for my me-time.", speakers=Speakers("Ana", "Ben"))

    assert retold == "Ana sent Ben a thank-you card for their me-time."


@pytest.mark.parametrize(
    ("said", "company", "retold"),
    [
        (
            "We sailed to Bari, and our boat was fast.",
            "family",
            "Ana and their family sailed to Bari, and their boat was fast.",
        ),
        ("I hope that we meet soon.", "Ben", "Ana hopes that Ana and Ben meet soon."),
        ("Our street is quiet.", "Ben", "Ana and Ben's street is quiet."),
        ("He let us in.", "kids", "He let Ana and their kids in."),
    ],
)
def test_we_are_the_speaker_and_a_company_that_is_known(said: str, company: str, retold: str) -> None:
    assert retell(said, speakers=Speakers("Ana", "Ben", company)) == retold


@pytest.mark.parametrize(
    ("said", "retold"),
    [
        ("I moved to the U.S. in May.", "Ana moved to the U.S. in May."),
        ("I sign with [Your Name] for you.", "Ana signs with [Your Name] for the user."),
        ("If you both want tea, ask.", "If the user and others want tea, ask."),
        ("It guides you through the steps.", "It guides the user through the steps."),
    ],
)
def test_letters_placeholders_and_both(said: str, retold: str) -> None:
    assert retell(said, speakers=Speakers("Ana", "the user")) == retold


def test_one_of_several_listeners_is_not_named() -> None:
    assert retell("Do you know my dog?", speakers=Speakers("Ana")) == "Do the others know Ana's dog?"
