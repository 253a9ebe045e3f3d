"""What people say in their first chats becomes a memory or a statement that says what it is about, or none."""

from __future__ import annotations

import pytest

from memory.episodes.retold_summary import retold_summary
from memory.episodes.statement_rules import draw_candidates
from memory.episodes.statement_selection import draw_statements
from tests.memory.chats import Said, between_people, memories, statements


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
        ("Lupin gives me hives, what should I tell the baker?", "Lupin gives the user hives."),
    ],
)
def test_what_is_told_before_a_request_is_proposed(said: str, memory: str) -> None:
    assert memories(said) == [memory]


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
    assert memories(said) == []


def test_a_move_is_proposed_with_its_day_and_its_place() -> None:
    said = "We're moving!! Found a flat on Kornmarkt 7, second floor. Moving on 14 November."

    assert memories(said) == [
        "The user found a flat on Kornmarkt 7, second floor.",
        "The user is moving on 14 November 2026.",
    ]
    assert memories("Ida called me. Found a flat on Kornmarkt 7.") == []


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
    assert memories(said) == [memory]


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
    assert memories(said) == []


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
        ("I move on Friday.", "The user moves on Friday, 9 October 2026."),
        ("Ida's exam was moved to 3 November.", "Ida's exam is now on 3 November."),
        ("Ida's course fell through, the hall burnt. New date is 3 November.", "Ida's course is now on 3 November."),
        ("I open my shop on 5 December.", "The user opens their shop on 5 December 2026."),
        ("I sold my boat and bought one in Bari.", "The user sold their boat and bought one in Bari."),
        ("I can't stand the smell of fish.", "The user can't stand the smell of fish."),
    ],
)
def test_what_names_its_subject_is_proposed(said: str, memory: str) -> None:
    assert "".join(memories(said)).startswith(memory)


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
    assert statements(*said)[-1] == statement


@pytest.mark.parametrize("said", ["Bill was 88 euros.", "Due on 3 March 2027.", "Closes at six."])
def test_a_sentence_whose_thing_nothing_names_is_left_out(said: str) -> None:
    assert statements(said) == []


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
    assert any(each.startswith(statement) for each in between_people(*said, "Oh"))


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
    assert when in "".join(statements(said))


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

    assert "Ann spoke of Jens, Route 3, Ghent and Mondays." in spoken
    assert "that Though" not in told
    insured = retold_summary([Said("Insurance is with Nordfisk, policy number ends in 7731", name="Ann"), more])
    assert "Ann spoke of Insurance, Nordfisk, policy number and 7731." in insured


@pytest.mark.parametrize(
    "said",
    [
        "I think I'm pregnant, what should I do?",
        "I never eat meat, do I?",
        "I have a dog named Rex, in my novel, could you name its owner?",
    ],
)
def test_what_is_asked_whether_it_is_so_is_no_memory(said: str) -> None:
    assert memories(said) == []


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
            "My boat needs new oars, which wood should I take?",
            "The user's boat needs new oars; they asked: Which wood should they take?",
        ),
        (
            "Since I bake at night, when's the best time to run?",
            "Since the user bakes at night, when's the best time to run?",
        ),
    ],
)
def test_what_is_told_stands_before_what_is_asked(said: str, statement: str) -> None:
    assert statements(said) == [statement]


def test_what_lasts_is_kept_of_a_long_chat_although_a_question_follows() -> None:
    chat = [
        f"I looked at shed number {place} with Ida today and we talked of its roof for long." for place in range(12)
    ]
    said = ["Lupin gives me hives, what should I tell the baker?", *chat]
    talk = [each for line in said for each in (Said(line), Said("I see.", "assistant"))]

    assert any("hives" in each.text for each in draw_statements(talk))
