"""Statements drawn by rules: what is kept of a message, in which words, and what is not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from core.text.tokens import count_tokens
from memory.episodes.statement_rules import draw_candidates
from memory.episodes.statement_selection import MAX_FRACTION, draw_statements
from memory.episodes.statement_turns import cut_to_clauses

AT = datetime(2023, 6, 9, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Said:
    """A message."""

    content: str
    name: str = "Ana"
    role: str = "user"
    created_at: datetime = AT


def texts(*messages: Said) -> list[str]:
    return [each.text for each in draw_candidates(messages)]


BEN = Said("I run a bakery in Graz.", name="Ben")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Hey Ben! How are you?", []),
        ("Wow, that's great!", []),
        ("Thanks, Ben! You're the best.", []),
        ("Sounds good, let me know.", []),
        ("Wow, Ben! I sold my boat yesterday.", ["Ana sold their boat on 8 June 2023."]),
        ("Went to the opera last night, Ben!", ["Ana went to the opera on the night of 8 June 2023!"]),
        ("Learning Greek for my trip to Crete.", ["Ana is learning Greek for their trip to Crete."]),
        ("Learning Greek is hard for beginners.", ["Ana said: Learning Greek is hard for beginners."]),
        (
            "I adopted a greyhound in May. She won three races in Graz.",
            ["Ana adopted a greyhound in May. She won three races in Graz."],
        ),
        ("Look! [shares a photo: two boats in a harbour]", []),
        ("My password is hunter2-Xq81!", []),
        ("```\nimport this\n```", []),
    ],
)
def test_people_among_themselves(said: str, kept: list[str]) -> None:
    assert texts(Said(said), BEN)[: len(kept)] == kept
    assert len(texts(Said(said), BEN)) == len(kept) + 1


def test_a_short_answer_stands_behind_its_question() -> None:
    asked = Said("Cool! How long have you been baking?", name="Ben")

    assert texts(asked, Said("Since 1999!")) == ['Asked "How long has Ana been baking?", Ana said: Since 1999!']


def test_the_question_back_is_no_question_to_be_told() -> None:
    asked = Said("I met a skipper in Rome. You? Anything new going on?", name="Ben")

    drawn = texts(asked, Said("Hi Ben! Lots of boats came to Bari in May since we last talked."))

    assert not any('asked "Ana?"' in each.lower() or "Asked" in each for each in drawn)


ASSISTANT = Said("Certainly!", name="", role="assistant")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "I'm moving to Oslo in May, can you help me find a flat?",
            "The user is moving to Oslo in May; they asked the assistant to help them find a flat.",
        ),
        ("Could you list the trams of Graz?", "The user asked the assistant to list the trams of Graz."),
        ("How do I renew my passport?", "The user asked: How do they renew their passport?"),
        (
            "Always include prices when I ask about flats.",
            "The user instructed: Always include prices when the user asks about flats.",
        ),
        ("我对花生过敏。", "The user said: 我对花生过敏。"),
        ("私はベルリンに住んでいます", "The user said: 私はベルリンに住んでいます."),
    ],
)
def test_what_a_user_wants_of_an_assistant(said: str, kept: str) -> None:
    assert texts(Said(said, name=""), ASSISTANT) == [kept]


@pytest.mark.parametrize(
    "said",
    [
        "Anna: I moved to Rome in May.\nBen: I hate fish.",
        "> I moved to Rome in May.",
        "Can you translate this:\nI moved to Rome in May.",
    ],
)
def test_what_a_user_only_quotes_is_not_their_own(said: str) -> None:
    assert not any("Rome" in each for each in texts(Said(said, name=""), ASSISTANT))


def long_answer(fee: str) -> str:
    return f"""Certainly! Here is how to go about it.

### Step 1: Register the boat
- **Fee**: {fee}
- **Form**: There is a form for it.

### Step 2: Insure the boat with Lloyd
Insurers differ in what they ask for, so compare Lloyd and a few of the others before you sign.

Let me know if you need more."""


PLAN_BOAT = Said("Can you help me plan what to do with my new boat?", name="")


@pytest.mark.parametrize(
    "said",
    ["This updated plan looks perfect!", "That makes sense.", "Those tips are really helpful!", "I have to go now."],
)
def test_praise_of_an_answer_and_goodbyes_are_no_statements(said: str) -> None:
    assert len(texts(PLAN_BOAT, Said(long_answer("None."), "", "assistant"), Said(said, name=""))) == 1


def test_a_long_answer_is_cut_to_what_has_names_or_amounts() -> None:
    answer = long_answer("It costs 120 euros at the harbour office.")

    assert texts(PLAN_BOAT, Said(answer, "", "assistant"))[-1] == (
        "Asked to help plan what to do with the user's new boat, the assistant suggested (Register the boat): "
        "Fee: It costs 120 euros at the harbour office."
    )


@pytest.mark.parametrize("fee", ["It depends on the length.", "7 AM - 8 AM: Wash the deck."])
def test_the_headings_of_a_long_answer_are_no_statement(fee: str) -> None:
    assert len(texts(PLAN_BOAT, Said(long_answer(fee), "", "assistant"))) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "### Pros and Cons\nText.\n\n### Step 2: Find a Plan\nText.",
        "### Monday\n- **Morning**: Rest.\n- **7:00 AM**: Row.",
        "1. **Compare offers**: Ask for a discount.\n2. **Sign**: Keep a copy of the form.",
        "- Calculate the probability that 2 of 12 boats sink.",
        "Let's create a detailed plan for your boat until May 3.\n- Keep a copy.",
        "Painting your boat in June is a great idea, since Bari is dry then.\n- Keep a copy.",
    ],
)
def test_an_answer_in_general_terms_gives_nothing(answer: str) -> None:
    assert len(texts(PLAN_BOAT, Said(answer, "", "assistant"))) == 1


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        (
            "I really appreciate Tom's help with the boat, but how can I show it?",
            "The user really appreciates Tom's help with the boat; they asked: How can they show it?",
        ),
        (
            "I'm trying to move my old blog about boats to Hugo, here's what I have so far:\n```\nhugo new\n```",
            "The user is trying to move their old blog about boats to Hugo.",
        ),
        (
            "I have a talk with a broker in Bari on May 3 at noon, and I wonder if I should ask them about that.",
            "The user has a talk with a broker in Bari on May 3, 2023 at noon.",
        ),
        (
            "I'm torn between paying Hugo for its looks or going with Jekyll for 20 euros.",
            "The user is torn between paying Hugo for its looks or going with Jekyll for 20 euros.",
        ),
    ],
)
def test_what_a_user_tells_in_a_long_sentence_is_kept(asked: str, kept: str) -> None:
    assert texts(Said(asked, name=""), ASSISTANT) == [kept]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Ana sold the boat on May 3, 2023 to Tom, who paid", "Ana sold the boat on May 3, 2023 to Tom"),
        ("Ana is proud of the crew of the boat, especially since May", "Ana is proud of the crew of the boat"),
        ("Ana wants to sail alone for a whole summer without the crew", "Ana wants to sail alone for a whole summer"),
        (
            "Ana sold the old wooden boat with two masts of oak, and left",
            "Ana sold the old wooden boat with two masts of oak",
        ),
    ],
)
def test_a_text_is_cut_where_a_clause_or_a_phrase_ends(text: str, cut: str) -> None:
    assert cut_to_clauses(text, limit=42) == cut


@pytest.mark.parametrize(
    "said",
    [
        "I'll definitely keep you posted.",
        "I'll stay positive!",
        "We've got this!",
        "Since we last talked, lots has happened!",
        "We all need a break.",
        "Guess what it was!",
        "Been a while since we talked!",
        "Thanks again for putting this together.",
        "I’d appreciate that.",
        "I'd be glad to help with the boat.",
        "I'll get in touch if I need a boat.",
        "I'm gonna keep pushing for it.",
        "I hope so, take care!",
        "Can't say I blame the skipper.",
    ],
)
def test_encouragement_and_talk_of_the_talk_give_none(said: str) -> None:
    assert texts(Said(said), BEN) == ["Ben runs a bakery in Graz."]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Rowing, sailing, and surfing are what I live for.", "Rowing, sailing, and surfing are what Ana lives for."),
        ("Exciting news: I sold my boat.", "Ana sold their boat."),
        ("Speaking of new things, I sold my boat.", "Ana sold their boat."),
        ("Still rowing my old boat.", "Ana is still rowing their old boat."),
        ("Speaking of which, I sold my boat.", "Ana sold their boat."),
        ("I'll be honest, I sold my boat.", "Ana sold their boat."),
        ("True, I sold my boat.", "Ana sold their boat."),
        ("You'll see, I sold my boat.", "Ana sold their boat."),
        ("I sold my boat, you know, for a new one.", "Ana sold their boat, for a new one."),
        (
            "I sold my boat to Tom. I think it was right.",
            "Ana sold their boat to Tom. Ana thinks it was right.",
        ),
        ("Painted my boat in Graz.", "Ana painted their boat in Graz."),
        ("One of the reasons for our move was the harbour.", "One of the reasons for Ana's move was the harbour."),
        ("Lured by a friend, I sold my boat.", "Lured by a friend, Ana sold their boat."),
        ("I hired a skipper in Bari. I owe her a dinner.", "Ana hired a skipper in Bari. Ana owes her a dinner."),
        (
            "I started doing this for fun. [shares a photo: a boat of paper]",
            "Ana started doing this for fun (with a boat of paper).",
        ),
    ],
)
def test_subjects_and_what_a_sentence_leans_on(said: str, kept: str) -> None:
    assert kept in texts(Said(said), BEN)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Sailing alone plays a big role in how I relax.", "Sailing alone plays a big role in how Ana relaxes."),
        ("Hearing about your trips always cheers me up.", "Hearing about Ben's trips always cheers Ana up."),
        ("Growing up, I rowed a lot.", "Growing up, Ana rowed a lot."),
        ("Love is what keeps a crew together.", "Ana said: Love is what keeps a crew together."),
        ("Never been to Bari before this year.", "Ana has never been to Bari before 2023."),
        ("Just talked to a skipper in Bari.", "Ana just talked to a skipper in Bari."),
        ("Something awesome happened - I'm writing for a sailing journal.", "Ana is writing for a sailing journal."),
    ],
)
def test_subjects_that_stand_there_and_those_left_out(said: str, kept: str) -> None:
    assert kept in texts(Said(said), BEN)


def test_a_name_that_was_asked_for_is_kept() -> None:
    asked = Said("Which crew did you join?", name="Ben")

    (drawn,) = draw_candidates([asked, Said("The Bari Gulls!")])

    assert drawn.text == 'Asked "Which crew did Ana join?", Ana said: The Bari Gulls!'
    assert drawn.worth >= 1.5


def test_what_a_message_brings_comes_before_the_comment_on_it() -> None:
    before = Said("I love music, and I listen to it a lot when I am at home in the evening.", name="Ben")
    said = Said("I study the oboe in Graz now. I love music when I am at home in the evening.")

    new, comment = (each.worth for each in draw_candidates([before, said])[1:])

    assert new > comment - 0.3


@pytest.mark.parametrize(
    ("asked", "said", "kept"),
    [
        (
            "Did you paint the boat?",
            "Sorry to hear about the storm. I went to Bari by train in the rain.",
            "Ana went to Bari by train in the rain.",
        ),
        ("Do you paint at all?", "Check out this pic of my boat! They gave me a medal.", None),
        ("What do you say each day?", '"Row on, and never look back!', "Ana said: Row on, and never look back!"),
    ],
)
def test_what_answers_no_question_has_none_before_it(asked: str, said: str, kept: str | None) -> None:
    drawn = texts(Said(asked, name="Ben"), Said(said))

    assert kept is not None or not any(each.startswith("Asked") for each in drawn)
    assert kept is None or any(each.endswith(kept) for each in drawn)


def test_a_backtick_for_an_apostrophe_is_one() -> None:
    assert texts(Said("We`ve sold the boat in Bari."))[0] == "Ana and others have sold the boat in Bari."


def test_work_that_it_took_is_not_what_someone_took() -> None:
    assert not any("Ana took" in each for each in texts(Said("Took a bit of work, but the boat is dry."), BEN))


def test_a_letter_to_another_person_is_not_the_users_own() -> None:
    said = Said("I will write to my skipper today.\n\nHi Kim, I sold my boat in Graz.", name="")

    assert texts(said, ASSISTANT) == ["The user will write to their skipper on 9 June 2023."]


def test_a_rhetorical_question_is_no_question() -> None:
    asked = Said("My boat is fast, right?", name="Ben")

    assert texts(asked, Said("I sold a fast boat in Graz."))[-1] == "Ana sold a fast boat in Graz."


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("Changing the subject, have you sold the boat?", 'Asked "Has Ana sold the boat?", Ana said: In May.'),
        ("The boat was fast, you know?", None),
    ],
)
def test_a_question_is_without_what_leads_to_it(asked: str, kept: str | None) -> None:
    drawn = texts(Said(asked, name="Ben"), Said("In May."))

    assert kept in drawn if kept else not any(each.startswith("Asked") for each in drawn)


def test_a_clause_behind_a_comma_is_no_question() -> None:
    asked = Said(
        "I wanted to ask if you have any thoughts on the sails of my old boat, which have been fading since the long "
        "summer in the harbour of Bari?",
        name="",
    )

    drawn = texts(asked, Said("\n".join(f"### Paint the {part}\nText." for part in "abc"), "", "assistant"))

    assert not any("Which have" in each for each in drawn)


def test_would_you_happen_to_know_asks_to_be_told() -> None:
    said = Said("Would you happen to know if the harbour of Bari is open?", name="")

    assert texts(said, ASSISTANT) == ["The user asked the assistant to tell them if the harbour of Bari is open."]


def test_an_assistant_leaves_no_subject_out() -> None:
    asked = Said("I want to reach Bari by May.", name="")

    assert texts(asked, Said("Reaching Bari by 5 May, from here, requires a boat.", "", "assistant"))[1:] == [
        "The assistant said: Reaching Bari by 5 May 2023, from here, requires a boat."
    ]


def test_statements_take_a_third_and_few_messages_end_without_any() -> None:
    towns = ("Graz", "Linz", "Wels", "Bonn", "Kiel", "Bern", "Genf", "Lyon", "Metz", "Nice", "Rome", "Bari")
    messages = [
        Said(
            f"Hi there! I visited {town} with {number + 2} friends last week. It was wonderful weather for walking all "
            "day long. We had a really great time there, and I want to tell you more about it when we meet.",
            created_at=AT,
        )
        for number, town in enumerate(towns)
    ]

    drawn = draw_statements([*messages, BEN])

    replaced = sum(count_tokens(each.content) for each in [*messages, BEN])
    assert sum(each.tokens for each in drawn) <= MAX_FRACTION * replaced
    assert len({each.source for each in drawn}) == len(drawn) >= len(towns) / 2
    assert [each.source for each in drawn] == sorted(each.source for each in drawn)
