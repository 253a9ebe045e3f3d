"""What people say in their first chats becomes a memory or a statement that says what it is about, or none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from memory.episodes.retold_summary import retold_summary
from memory.episodes.statement_kinds import StatementKind
from memory.episodes.statement_rules import draw_candidates
from memory.extraction.rules import extract_by_rules


@dataclass(frozen=True)
class Said:
    content: str
    role: str = "user"
    name: str = ""
    created_at: datetime = datetime(2026, 10, 8, 9, tzinfo=UTC)


def _memories(*said: str) -> list[str]:
    return [each.content for each in extract_by_rules([Said(each) for each in said])]


def _statements(*said: str) -> list[str]:
    """Return what could be kept of messages of a user that an assistant answers in few words."""
    talk = [each for content in said for each in (Said(content), Said("Noted.", "assistant"))]
    return [each.text for each in draw_candidates(talk) if each.speaker == "user"]


def _between_people(*said: str) -> list[str]:
    """Return what could be kept of a talk of Ann and Ben, in turn."""
    talk = [Said(each, name="Ben" if place % 2 else "Ann") for place, each in enumerate(said)]
    return [each.text for each in draw_candidates(talk)]


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        (
            "Hi, I work as a baker at the Sunmill in Gera, can you help me plan my shifts?",
            "The user works as a baker at the Sunmill in Gera.",
        ),
        (
            "Morning! I'm starting as a porter at the Oak clinic, could you write a list for me?",
            "The user is starting as a porter at the Oak clinic.",
        ),
        ("Evening, I teach Latin and need a quiz, can you write one?", "The user teaches Latin and needs a quiz."),
        ("hey, i live in Bari and work nights, can u suggest lunch?", "The user lives in Bari and works nights."),
        ("My son Leo has asthma, is rowing ok?", "The user's son Leo has asthma."),
        ("I'm vegan, so what can I bake?", "The user is vegan."),
    ],
)
def test_what_is_told_before_a_request_is_proposed(said: str, memory: str) -> None:
    assert _memories(said) == [memory]


@pytest.mark.parametrize(
    "said",
    [
        "I'm working on a report, can you shorten it?",
        "I have an error in line 4, what is wrong?",
        "My talk is on 3 November, can you check the slides?",
        "I decided to use two columns, is that wise?",
        "Do you know what I like?",
    ],
)
def test_what_only_explains_a_request_is_not_proposed(said: str) -> None:
    assert _memories(said) == []


def test_a_move_is_proposed_with_its_day_and_its_place() -> None:
    said = "We're moving!! Found a flat on Kornmarkt 7, second floor. Moving on 14 November."

    assert _memories(said) == [
        "The user found a flat on Kornmarkt 7, second floor.",
        "The user is moving on 14 November 2026.",
    ]
    assert _memories("Ida called me. Found a flat on Kornmarkt 7.") == []


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        ("Please keep answers short", "The user wants this: Please keep answers short."),
        ("no emoji", "The user wants this: No emoji."),
        ("ok, but no bullet points from now on", "The user wants this: No bullet points from now on."),
        ("Always metric please", "The user wants this: Always metric please."),
        ("no pork, no beef in menus please", "The user wants this: No pork, no beef in menus please."),
        ("Short answers please.", "The user wants this: Short answers please."),
        ("Please keep answers short - I'm out a lot", "The user wants this: Please keep answers short."),
        ("I'd like short answers.", "The user would like short answers."),
        ("Could you keep the answers short?", "The user wants this: Keep the answers short."),
        (
            "Don't suggest anything with nuts, I'm allergic",
            "The user wants this: Don't suggest anything with nuts, they are allergic.",
        ),
        ("I'm vegan so no honey in recipes", "The user is vegan so no honey in recipes."),
        ("We don't eat meat.", "The user and others don't eat meat."),
        ("We're all vegetarian.", "The user and others are all vegetarian."),
        (
            "My niece is vegan, so no cheese when she visits.",
            "The user's niece is vegan, so no cheese when she visits.",
        ),
    ],
)
def test_lasting_instructions_and_diets_are_proposed(said: str, memory: str) -> None:
    assert _memories(said) == [memory]


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        (
            "I can't eat anything with sesame in it, I swell up.",
            "The user can't eat anything with sesame, they swell up.",
        ),
        ("My GP, Dr Holm, put me on metformin 500 mg.", "The user's GP, Dr Holm, put them on metformin 500 mg."),
        ("Dr Holm switched me to metformin.", "Dr Holm switched the user to metformin."),
        (
            "I'm off metformin and take gliclazide 30 mg instead.",
            "The user is off metformin and takes gliclazide 30 mg instead.",
        ),
        ("I turned down the job at the mill.", "The user turned down the job at the mill."),
        (
            "I've made up my mind about the lab: I turned it down.",
            "The user has made up their mind about the lab: they turned it down.",
        ),
        ("I don't drink tea after five.", "The user does not drink tea after five."),
        ("I can't stand olives.", "The user can't stand olives."),
        (
            "When you suggest books, keep them short.",
            "The user wants this: When the assistant suggests books, keep them short.",
        ),
        ("Answer me in short sentences, please.", "The user wants this: Answer them in short sentences, please."),
    ],
)
def test_medicines_refusals_and_what_one_avoids_are_proposed(said: str, memory: str) -> None:
    assert _memories(said) == [memory]


@pytest.mark.parametrize(
    "said",
    [
        "Travelling with him from 1 November.",
        "Due on 3 March 2027.",
        "Registration ends on 30 November, exam's on 18 January.",
        "Invoices are due on 3 March.",
        "Two of them leave on 3 March.",
        "We're moving the whole thing to the week of 7 December.",
        "The new one is now on 3 March.",
        "The whole lot is now on 3 March.",
        "New date is 3 March.",
        "The deadline was moved to 3 March.",
        "The appointment got moved to 3 March.",
        "We open on 5 December at the Swan.",
        "I bought one today, 40 euros.",
        "I can't stand the padding.",
        "I turned it down.",
        "I have to be there by 3 March.",
        "I work there on Mondays.",
        "I was looking forward to this. Looking forward to the meeting on 5 June.",
    ],
)
def test_what_does_not_say_what_it_is_about_is_not_proposed(said: str) -> None:
    assert _memories(said) == []


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        ("My dentist appointment is on 3 March.", "The user's dentist appointment is on 3 March 2027."),
        ("Mara arrives on 3 March.", "Mara arrives on 3 March 2027."),
        ("The landlord raised my rent to 700 a month.", "The user's landlord raised their rent to 700 a month."),
        ("I live in Bari and have a desk there.", "The user lives in Bari and has a desk there."),
        ("Torn ligament, surgery on my knee in May.", ""),
        ("Stress fracture in my ankle.", "Stress fracture in the user's ankle."),
        ("We're down to 60 chairs now, not 90.", "The user and others are down to 60 chairs now, not 90"),
        ("I move on 12 November now.", "The user moves on 12 November 2026 now"),
        ("Ida's exam was moved to 3 November.", "Ida's exam is now on 3 November."),
        ("Ida's course fell through, the hall burnt. New date is 3 November.", "Ida's course is now on 3 November."),
        ("I open my shop on 5 December.", "The user opens their shop on 5 December 2026."),
        ("I sold my boat and bought one in Bari.", "The user sold their boat and bought one in Bari."),
        ("I can't stand the smell of fish.", "The user can't stand the smell of fish."),
    ],
)
def test_what_names_its_subject_is_proposed(said: str, memory: str) -> None:
    assert "".join(_memories(said)).startswith(memory)


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        (
            ["I had the roof mended.", "Cost me 410 euro."],
            'About "the user had the roof mended": Cost the user 410 euro.',
        ),
        (
            ["We ate at the Swan.", "Bill was 88 euros."],
            'About "the user and others ate at the Swan", the user said: Bill was 88 euros.',
        ),
        (
            ["I have to renew my permit.", "Due on 3 March 2027."],
            'About "the user has to renew their permit", the user said: Due on 3 March 2027.',
        ),
        (
            ["The fair got cancelled.", "We're moving the whole thing to 7 December."],
            'About "The fair got cancelled": The user and others are moving the whole thing to 7 December 2026.',
        ),
        (
            ["Booked the hall for Gran! 14 June, 40 people.", "Deposit was 200 euros."],
            'About "Booked the hall for Gran", the user said: Deposit was 200 euros.',
        ),
        (["I had the roof mended. Cost me 410 euro."], "The user had the roof mended. Cost the user 410 euro."),
    ],
)
def test_a_sentence_without_its_thing_stands_behind_it(said: list[str], statement: str) -> None:
    assert _statements(*said)[-1] == statement


@pytest.mark.parametrize(
    ("said", "statements"),
    [
        (["Within a week. I can't eat anything with lupin in it."], ["The user can't eat anything with lupin in it."]),
        (["The mill was full! 143 people came."], ["The user said: The mill was full! 143 people came."]),
        (["The soup. Good idea, I'll get that."], []),
        (["I've got a new stand and listen to music."], ["The user has got a new stand and listens to music."]),
        (["I can swim and have a boat."], ["The user can swim and have a boat."]),
        (["Not at all, I gave up meat."], ["The user gave up meat."]),
        (
            ["The heater is at 410 hours.", "For the winter I've rented a shed in Ulm."],
            ["The user said: The heater is at 410 hours.", "For the winter the user has rented a shed in Ulm."],
        ),
    ],
)
def test_a_sentence_says_all_that_it_needs(said: list[str], statements: list[str]) -> None:
    assert [each for each in _statements(*said) if "Within a week" not in each] == statements


def test_how_answers_are_wanted_is_an_instruction() -> None:
    talk = [Said("Answer me in short sentences, please."), Said("Noted.", "assistant")]

    assert [each.kind for each in draw_candidates(talk)] == [StatementKind.INSTRUCTION]


@pytest.mark.parametrize(
    ("question", "said", "statement"),
    [
        (
            "So the shop is closed?",
            "No, my son helps.",
            'Asked "The shop is closed?", the user said: No. The user\'s son',
        ),
        ("Shall I keep a list?", "Yes, by colour.", "the user said: Yes. By colour."),
        (
            "Is that what you still expect to be paid?",
            "For now, yes.",
            'expects to be paid?", the user said: For now, yes',
        ),
        ("Is that right?", "For now, yes.", ""),
    ],
)
def test_an_answer_says_yes_or_no_behind_its_question(question: str, said: str, statement: str) -> None:
    talk = [Said("I sell hats."), Said(question, "assistant"), Said(said), Said("Noted.", "assistant")]
    told = [each.text for each in draw_candidates(talk) if each.source == 2]

    assert statement in "".join(told)
    assert bool(statement) == bool(told)


@pytest.mark.parametrize(
    "said",
    [
        ["Did you get the ladder?", "Right, you told me. How is the hen?", "Her wing broke. Ida glued it with resin."],
        ["We had tea.", "Is she fine?", "Like a horse."],
        ["Ida can't come in May.", "Lovely. She'd sing in June.", "Tell her the cellar's damp."],
    ],
)
def test_what_nothing_names_between_people_is_left_out(said: list[str]) -> None:
    assert not re.search("glued|horse|told|Tell her", "".join(_between_people(*said)))


@pytest.mark.parametrize("said", ["Bill was 88 euros.", "Due on 3 March 2027.", "Closes at six."])
def test_a_sentence_whose_thing_nothing_names_is_left_out(said: str) -> None:
    assert _statements(said) == []


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        (["Hello Ben", "Guess what, I got it!! Chief cook!"], "Ben got it: Chief cook!"),
        (["Hello Ben", "Hairline fracture in my wrist"], "Hairline fracture in Ben's wrist."),
        (["We marry on 5 June and you're both invited!"], "Ann and others marry on 5 June 2027 and Ben and others are"),
        (["You're both kind and brave."], "Ann said: Ben is both kind and brave"),
        (["I live in Ghent and I run a crew."], "Ann lives in Ghent and Ann runs a crew."),
    ],
)
def test_what_people_tell_in_few_words_is_kept(said: list[str], statement: str) -> None:
    assert any(each.startswith(statement) for each in _between_people(*said, "Oh"))


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("A choir from Ulm wants both barns from 8 to 12 April.", "8 to 12 April 2027"),
        ("The choir would like the barn on 12 April.", "12 April 2027"),
        ("A school asks for the barn on 12 April.", "12 April 2027"),
        ("A couple booked both rooms from 10 to 12 April.", "10 to 12 April 2027"),
        ("Ida is here from 10 to 12 April.", "10 to 12 April 2027"),
        ("I booked the hall on 12 April.", "12 April 2026"),
        ("My niece is flying in on 12 April.", "12 April 2027"),
        ("A school wanted the barn on 12 April.", "12 April 2026"),
        ("I want to write about the talk on 12 April.", "12 April 2026"),
        ("She wants the photos that we took on 12 April.", "12 April 2026"),
    ],
)
def test_what_is_wanted_is_still_to_come(said: str, when: str) -> None:
    assert when in "".join(_statements(said))


def test_a_question_with_shall_keeps_its_verb() -> None:
    talk = [
        Said("We need a cook."),
        Said("Shall I draft an advert?", "assistant"),
        Said("Yes, for the Mill, by Friday."),
    ]

    assert 'Asked "Shall the assistant draft an advert?"' in draw_candidates(talk)[-1].text


def test_a_summary_tells_no_denied_word_and_no_capital_in_a_sentence() -> None:
    more = Said(f"I have a boat called Nordlys and a van with a rack. {'We rowed. ' * 9}", name="Ben")
    spoken = retold_summary([Said("Jens drives Route 3 to Ghent on Mondays, never Route 5", name="Ann"), more])
    told = retold_summary(
        [Said("Though Rex limps, the vet on Elm Road likes him. Rex is old now, and the stairs are steep.", name="Ann")]
    )

    assert "Ann spoke of Jens drives Route 3, Ghent and Mondays." in spoken
    assert "that Though" not in told


@pytest.mark.parametrize(
    "said",
    [
        "I think I'm pregnant, what should I do?",
        "I never eat meat, do I?",
        "I have a dog named Rex, in my novel, could you name its owner?",
    ],
)
def test_what_is_asked_whether_it_is_so_is_no_memory(said: str) -> None:
    assert _memories(said) == []


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        (
            "I start as a cook at the Sunmill on 1 December, what should I wear?",
            "The user starts as a cook at the Sunmill on 1 December 2026; they asked: What should they wear?",
        ),
        (
            "We're moving to Gera in March so which streets are quiet?",
            "The user and others are moving to Gera in March; they asked: Which streets are quiet?",
        ),
        (
            "I met Ida, who's a smith, at the fair, where she sells knives, how can I thank her?",
            "The user met Ida, who's a smith, at the fair, where she sells knives; they asked: How can they thank her?",
        ),
        (
            "I have a scan on Monday, can you suggest a book?",
            "The user has a scan on Monday, 12 October 2026; they asked the assistant to suggest a book.",
        ),
        (
            "Since I bake at night, when's the best time to run?",
            "Since the user bakes at night, when's the best time to run?",
        ),
    ],
)
def test_what_is_told_stands_before_what_is_asked(said: str, statement: str) -> None:
    assert _statements(said) == [statement]
