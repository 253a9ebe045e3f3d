"""What the rules find in what people say, and how they tell it, as tables of cases."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from core.english.third_person import to_third_person
from memory.extraction.rules import extract_by_rules
from tests.rules.source import ROOT


@dataclass(frozen=True)
class Said:
    content: str
    name: str = ""
    created_at: datetime = datetime(2024, 5, 8, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "type_", "kept"),
    [
        ("I prefer tea to coffee.", "preference", "The user prefers tea to coffee."),
        ("Oh, I really love hiking in the mountains!", "preference", "The user really loves hiking in the mountains."),
        ("I love the novels of Iain M. Banks.", "preference", "The user loves the novels of Iain M. Banks."),
        ("I don't like long meetings.", "preference", "The user does not like long meetings."),
        ("I'd rather work from home.", "preference", "The user would rather work from home."),
        ("My favourite colour is green.", "preference", "The user's favourite colour is green."),
        ("I can't stand loud music.", "preference", "The user can't stand loud music."),
        ("I'm afraid of heights.", "preference", "The user is afraid of heights."),
        ("Always answer in German.", "preference", "The user wants this: Always answer in German."),
        (
            "Please never use tables in reports.",
            "preference",
            "The user wants this: Please never use tables in reports.",
        ),
        (
            "Always include units when I ask about measures.",
            "preference",
            "The user wants this: Always include units when they ask about measures.",
        ),
        ("Call me Al.", "preference", "The user wants to be called Al."),
        ("I decided to use Postgres for the shop.", "decision", "The user decided to use Postgres for the shop."),
        ("We've agreed to ship on Fridays.", "decision", "The user and others have agreed to ship on Fridays."),
        ("We'll go with the blue logo.", "decision", "The user and others will go with the blue logo."),
        ("Let's use Rust for the parser.", "decision", "The user wants to use Rust for the parser."),
        ("I’m allergic to peanuts.", "fact", "The user is allergic to peanuts."),
        ("I can't eat gluten.", "fact", "The user can't eat gluten."),
        ("I'm vegetarian.", "fact", "The user is vegetarian."),
        ("I’m vegan!", "fact", "The user is vegan."),
        ("Yes, I'm retired.", "fact", "The user is retired."),
        ("I'm lactose intolerant.", "fact", "The user is lactose intolerant."),
        ("I love the ocean.", "preference", "The user loves the ocean."),
        ("I live in Bern and work at a bakery.", "fact", "The user lives in Bern and works at a bakery."),
        ("I study law.", "fact", "The user studies law."),
        ("I teach at a school in Graz.", "fact", "The user teaches at a school in Graz."),
        ("I'm a nurse.", "fact", "The user is a nurse."),
        ("I have two cats and a dog.", "fact", "The user has two cats and a dog."),
        ("I was born in Lyon.", "fact", "The user was born in Lyon."),
        ("My name is Bob.", "fact", "The user's name is Bob."),
        ("My wife works at the hospital.", "fact", "The user's wife works at the hospital."),
        ("Our office is near my flat.", "fact", "The user's office is near their flat."),
        ("We use Kubernetes for our shop.", "fact", "The user and others use Kubernetes for their shop."),
        ("I moved to Oslo last week.", "fact", "The user moved to Oslo last week (said on 8 May 2024)."),
        (
            "Please remember that invoices go to the Vienna office.",
            "fact",
            "Invoices go to the Vienna office.",
        ),
        ("Remember that I prefer short answers.", "preference", "The user prefers short answers."),
        ("Quick thing: I'm allergic to nuts.", "fact", "The user is allergic to nuts."),
        ("Oh and, just so you know, my brother Ole is deaf.", "fact", "The user's brother Ole is deaf."),
        ("And always give prices in crowns.", "preference", "The user wants this: Always give prices in crowns."),
        (
            "Please keep your answers short from now on.",
            "preference",
            "The user wants this: Please keep the assistant's answers short from now on.",
        ),
        ("I've stopped eating meat.", "fact", "The user has stopped eating meat."),
        ("The rent is 940 a month.", "fact", "The user's rent is 940 a month."),
        ("I have my eye exam on 17 June.", "fact", "The user has their eye exam on 17 June 2024."),
        ("First day is the 1st of July.", "fact", "The user's first day is the 1st of July 2024."),
        ("The choir concert got postponed to 9 July.", "fact", "The user's choir concert is now on 9 July."),
        (
            "So the vet thing got postponed, she was ill. New date is Tuesday 4 June at ten.",
            "fact",
            "The user's vet appointment is now on Tuesday 4 June at ten.",
        ),
        ("We met on 3 May. The next day I quit my job.", "fact", "The user quit their job on 4 May 2024."),
        (
            "We met on 3 May. I quit my job the following morning.",
            "fact",
            "The user quit their job on the morning of 4 May 2024.",
        ),
        ("My haircut was moved to next Friday.", "fact", "The user's haircut is now on Friday, 10 May 2024."),
        (
            "My eye test has been postponed to Tuesday, 4 June, at 16:30.",
            "fact",
            "The user's eye test is now on Tuesday, 4 June, at 16:30.",
        ),
        (
            "My knee scan was moved from Monday, 3 June to Friday, June 7, 2024.",
            "fact",
            "The user's knee scan is now on Friday, June 7, 2024.",
        ),
        ("The hospital has shifted my knee scan to 5 June.", "fact", "The user's knee scan is now on 5 June."),
        ("We had to push the wedding back to the 9 July.", "fact", "The user's wedding is now on 9 July."),
        (
            "My boss postponed my review, she is away. New date is Tuesday 4 June at ten.",
            "fact",
            "The user's review is now on Tuesday 4 June at ten.",
        ),
        (
            "I've moved my eye test from 3 May to Friday, 7 June.",
            "fact",
            "The user's eye test is now on Friday, 7 June.",
        ),
        ("They moved Faraday's exam to 4 June.", "fact", "Faraday's exam is now on 4 June."),
        ("The vet rang: Rex's jab has been moved to 4 June.", "fact", "Rex's jab is now on 4 June."),
        ("The clinic called: they moved my blood test to 4 June.", "fact", "The user's blood test is now on 4 June."),
        ("My haircut was moved to Friday, but Ida comes.", "fact", "The user's haircut is now on Friday, 10 May 2024."),
    ],
)
def test_finds_what_people_say_about_themselves(said: str, type_: str, kept: str) -> None:
    (found,) = extract_by_rules([Said(said)])

    assert (found.type, found.content) == (type_, kept)
    assert 0.5 <= found.importance <= 1
    assert 0 < found.confidence < 1


@pytest.mark.parametrize(
    "said",
    [
        "Hi!",
        "Thanks, that helped a lot.",
        "Do I have two cats?",
        "What is my favourite colour?",
        "I have a question about the invoice.",
        "I have an idea.",
        "I love it.",
        "I like that plan.",
        "I love your painting.",
        "I love to.",
        "I like the second one.",
        "If they moved my exam to 5 May I would cry.",
        "They never moved my exam to 5 May.",
        "The doctor would have moved my operation to 5 May.",
        "My boss moved the deadline to 5 May.",
        "We moved the sofa to Wales until Friday.",
        "My cousin moved the wedding to 5 May.",
        "My mum thinks they moved my exam to 5 May.",
        "They moved my exam to 5 May and they moved it back.",
        "They delayed my delivery until Friday at the earliest.",
        "They moved the results of my scan to Friday.",
        "They postponed my review, so I booked the vet. My new appointment is 5 May.",
        "My boss moved my review to 5 May, I hope.",
        "My boss moved my review to 5 May or 6 May.",
        "My boss supposedly moved my review to 5 May.",
        "They delayed my flight. It's now Sunday.",
        "The dentist changed my crown. New appointment is 4 June.",
        "They shifted our class to Monday's room.",
        "My sister texted me: my exam was moved to 5 May.",
        "My mum moved the cat into her flat until 5 May.",
        "I prefer option B.",
        "I like both of them.",
        "I'm an idiot lol.",
        "I'm such an idiot.",
        "I'm a total mess today, haha",
        "I love the connection to nature.",
        "I love all the yellow leaves, it looks so cozy.",
        "I love the energy and the food of this city.",
        "I have a similar gaming chair and keyboard.",
        "I'm a huge fan.",
        "I have got a funny story.",
        "I'm working on something I've wanted to do since I was a kid.",
        "My favourite was when we were down 10.",
        "I live with them.",
        "I'm tired.",
        "I run.",
        "I think it might rain.",
        "I'm going to the shop.",
        "I run into errors when I start the server.",
        "The weather is nice in Bern.",
        "You prefer tea, right?",
        "If I lived in Bern, I would walk.",
        "Can you always include the units",
        "He said I prefer tea.",
        "I need a summary of the report.",
        "never mind, it works now",
        "It got postponed.",
        "Please send your parcel to my office.",
        "It's on 4 June, she says.",
        "I went to the fair on 3 May.",
        "I love " + "very " * 40 + "long sentences.",
        "",
        "On Monday Anna wrote:\n> I live in Rome.",
        "Translate this:\nI live in Rome.",
        "```\nI live in Rome.\n```",
    ],
)
def test_leaves_the_rest_alone(said: str) -> None:
    assert extract_by_rules([Said(said)]) == []


def test_names_the_speaker_where_the_message_does() -> None:
    found = extract_by_rules([Said("I play the violin.", name="Maria"), Said("My dog is called Rex.", name="Tom")])

    assert [one.content for one in found] == ["Maria plays the violin.", "Tom's dog is called Rex."]


def test_finds_each_sentence_once_wherever_it_stands() -> None:
    text = "Hello there. I live in Bern. Anyway:\n- I prefer tea.\n* i live in Bern\nWhere were we?"

    assert [one.content for one in extract_by_rules([Said(text), Said("I prefer tea!")])] == [
        "The user lives in Bern.",
        "The user prefers tea.",
    ]


def test_an_allergy_matters_more_than_a_taste() -> None:
    allergy, taste = extract_by_rules([Said("I'm allergic to nuts. I like pears.")])

    assert allergy.importance > taste.importance


def test_the_firmer_it_was_said_the_more_certain_it_is() -> None:
    said = "I think I prefer tea. I prefer coffee. I definitely prefer water. Remember that I prefer juice."

    doubted, plain, firm, asked = extract_by_rules([Said(said)])

    assert doubted.confidence < plain.confidence < firm.confidence
    assert doubted.importance < plain.importance < firm.importance < asked.importance


def test_kinds_of_statements_weigh_differently() -> None:
    said = "I'm allergic to nuts. I'm vegan. My name is Bob. We decided to use Rust. I live in Bern. I like pears."

    found = extract_by_rules([Said(said)])

    assert [one.importance for one in found] == sorted((one.importance for one in found), reverse=True)
    assert len({one.importance for one in found}) == 6
    assert len({one.confidence for one in found}) >= 5


def test_a_statement_names_every_message_that_says_it() -> None:
    (found,) = extract_by_rules([Said("I prefer tea."), Said("Hello."), Said("i prefer tea! I prefer tea.")])

    assert found.messages == (0, 2)


def test_of_very_many_the_most_telling_are_kept() -> None:
    text = "\n".join(["I like tea."] + [f"I live in house {number} of Oak Street in Graz." for number in range(30)])

    found = [one.content for one in extract_by_rules([Said(text)])]

    assert len(found) == 20
    assert "The user likes tea." not in found
    assert found == sorted(found, key=lambda content: int(content.split()[5]))


def test_a_long_text_is_read_in_linear_time() -> None:
    for text in ("so " * 33_000 + "I", "I really " * 11_000, "well, " * 16_000, "a" * 100_000, "my " * 33_000):
        assert extract_by_rules([Said(text)]) == []


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("I am tired", "Maria is tired."),
        ("I've always lived here, and I'm happy.", "Maria has always lived here, and they are happy."),
        ("I do what I want with my time", "Maria does what they want with their time."),
        ("I watch films by myself", "Maria watches films by themselves."),
        ("we're moving our office", "Maria and others are moving their office."),
        ("My boss told me so", "Maria's boss told them so."),
        ("I might go", "Maria might go."),
        ("WE'RE vegan", "Maria and others are vegan."),
        ("I are vegan", "Maria is vegan."),
        ("I're vegan", "Maria is vegan."),
        ("We am vegan", "Maria and others are vegan."),
        ("I never fly.", "Maria never flies."),
    ],
)
def test_tells_the_first_person_in_the_third(sentence: str, told: str) -> None:
    assert to_third_person(sentence, subject="Maria") == told


HOSTILE = """
import sys
from datetime import UTC, datetime
from types import SimpleNamespace
from memory.extraction.rules import extract_by_rules
before, piece, after, times = sys.argv[1:]
said = before + piece * int(times) + after
extract_by_rules([SimpleNamespace(name="", content=said, created_at=datetime.now(UTC))])
"""


@pytest.mark.heavy
@pytest.mark.parametrize("times", ["38", "20000"])
@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [("", "and ", "x"), ("", "no ", "!"), ("I ", "usually ", "x"), ("", "well so, ", ""), ("I ", "lyly", "x")],
)
def test_words_said_again_and_again_are_read_at_once(before: str, piece: str, after: str, times: str) -> None:
    command = [sys.executable, "-c", HOSTILE, before, piece, after, times]
    subprocess.run(command, check=True, cwd=ROOT, timeout=60)  # a process of its own: `re` cannot be interrupted


def test_what_leads_into_a_statement_is_left_out() -> None:
    said = Said(
        "So yes, and I think I prefer tea. Well honestly, I think I prefer coffee. No thanks Bob, I prefer water."
    )

    assert [one.content for one in extract_by_rules([said])] == [
        "The user prefers tea.",
        "The user prefers coffee.",
        "The user prefers water.",
    ]


def test_a_sentence_that_does_not_end_is_no_statement() -> None:
    assert extract_by_rules([Said("I prefer tea " + "and cake " * 200)]) == []
