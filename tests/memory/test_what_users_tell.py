"""What a user says to an assistant is kept with what it leans on; Said is one message of a talk with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from core.english.short_forms import spell_out
from core.text import gives_secret_away
from memory.episodes.drawn_statement import DrawnStatement
from memory.episodes.statement_kinds import StatementKind
from memory.episodes.statement_selection import draw_statements
from memory.extraction.rules import extract_by_rules


@dataclass(frozen=True)
class Said:
    content: str
    role: str = "user"
    name: str = ""
    created_at: datetime = datetime(2026, 5, 12, 9, tzinfo=UTC)


def _texts(*said: str) -> list[str]:
    """Return the statements of a talk that a user begins, both in turn."""
    return [each.text for each in _drawn(*said)]


def _drawn(*said: str) -> list[DrawnStatement]:
    talk = [Said(each, "assistant" if place % 2 else "user") for place, each in enumerate(said)]
    talk.append(Said("Noted, and I will keep all of it in mind from here on. " * 4, "assistant"))
    return [each for each in draw_statements(talk) if each.speaker == "user"]


def _between_people(*said: str) -> list[str]:
    """Return the statements of a talk of Ann and Ben, in turn."""
    talk = [Said(each, name="Ben" if place % 2 else "Ann") for place, each in enumerate(said)]
    return [each.text for each in draw_statements(talk)]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            ["My parrot Olaf bites.", "How old is he?", "Forty, and deaf."],
            'About "the user\'s parrot Olaf bites", asked "How old is he?", the user said: Forty, and deaf.',
        ),
        (
            ["I want a flat with a balcony.", "Which area?", "Near the mill, max 700."],
            'About "the user wants a flat with a balcony", asked "Which area?", the user said: Near the mill, max 700.',
        ),
        (
            ["My cousin Vera called.", "Oh, nice.", "She moves to Bari in June."],
            'About "the user\'s cousin Vera called", the user said: She moves to Bari in June.',
        ),
        (["They say I have gout."], "They say the user has gout."),
        (["The surgeon took the plate out."], "The user said: The surgeon took the plate out."),
        (["My niece left. Got a job in Bari."], "The user's niece left. Got a job in Bari."),
        (["Could you keep your answers short?"], "The user asked the assistant to keep its answers short."),
        (["dont use tables with me"], "The user instructed: Don't use tables with the user."),
        (["Remind me to water the figs."], "The user asked the assistant to remind them to water the figs."),
    ],
)
def test_what_leans_on_the_talk_stands_behind_it(said: list[str], text: str) -> None:
    assert text in _texts(*said)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Never, but my wife does.", "Never, but the user's wife does."),
        ("Never.", "Never."),
        ("Always.", "Always."),
        ("Please don't.", "Please don't."),
        ("Always black.", "Always black."),
        ("Never tried it.", "The user never tried it."),
        ("Don't know yet.", "The user does not know yet."),
        ("Avoid salt", "Avoid salt."),
    ],
)
def test_a_reply_to_a_question_is_no_order(reply: str, told: str) -> None:
    *_, drawn = _drawn("I cook tonight.", "Do you eat pork?", reply)
    assert drawn.text == f'Asked "Does the user eat pork?", the user said: {told}'
    assert drawn.kind != StatementKind.INSTRUCTION


def test_a_reply_to_an_open_question_is_no_order() -> None:
    assert _texts("My doctor called.", "What was her advice?", "Avoid salt")[-1] == (
        'About "the user\'s doctor called", asked "What was her advice?", the user said: Avoid salt.'
    )


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("Could you keep your answers short?", "The user asked the assistant to keep its answers short."),
        ("No. Please always answer in French.", "The user instructed: Please always answer in French."),
        ("Yes. From now on, use no tables.", "The user instructed: From now on, use no tables."),
        ("Remind me to water the figs.", "The user asked the assistant to remind them to water the figs."),
    ],
)
def test_what_is_said_to_the_assistant_behind_its_question_stays_an_order(order: str, told: str) -> None:
    *_, drawn = _drawn("I cook tonight.", "Do you eat pork?", order)
    assert (drawn.text, drawn.kind) == (told, StatementKind.INSTRUCTION)


def test_a_question_stands_before_the_first_sentence_only() -> None:
    assert _texts("My cat and my dog fight.", "Who starts?", "She does. He bites back.")[-1] == (
        'About "the user\'s cat and their dog fight", the user said: He bites back.'
    )
    assert _texts("My mum is dead.", "When did she die?", "In March. Dad is lost.")[1:] == [
        'About "the user\'s mum is dead", asked "When did she die?", the user said: In March.',
        "The user said: Dad is lost.",
    ]


@pytest.mark.parametrize(
    ("question", "reply", "told"),
    [
        (
            "Do you have diabetes?",
            "No, my mother.",
            '"Does the user have diabetes?", the user said: No. The user\'s mother.',
        ),
        ("Are you vegan?", "No, since May.", '"Is the user vegan?", the user said: No. Since May.'),
        ("Are you vegan?", "Yes, since May.", '"Is the user vegan?", the user said: Yes. Since May.'),
        ("Do you take insulin?", "No, metformin", '"Does the user take insulin?", the user said: No. Metformin.'),
        (
            "Do you take insulin?",
            "Thanks! No. Metformin",
            '"Does the user take insulin?", the user said: No. Metformin.',
        ),
        ("Were you arrested?", "Nope, only fined", '"Was the user arrested?", the user said: No. Only fined.'),
        ("Were you arrested?", "Yeah, no, only fined", '"Was the user arrested?", the user said: No. Only fined.'),
        ("Where were you fined?", "No, only warned", '"Where was the user fined?", the user said: Only warned.'),
    ],
)
def test_yes_and_no_are_kept_behind_what_asks_for_them(question: str, reply: str, told: str) -> None:
    assert _texts("I had a bad night.", question, reply)[-1] == f"Asked {told}"


def test_people_keep_yes_and_no_too() -> None:
    thanks = "Good for you, I hope the weather there is better than it is over here."
    assert _between_people("Do you still live in Oslo?", "No, in Bari since May.", thanks) == [
        'Asked "Does Ben still live in Oslo?", Ben said: No. In Bari since May.'
    ]


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("My mother called. Want to celebrate.", ["The user's mother called.", "The user wants to celebrate."]),
        ("My boss is rude. Think I will quit.", ["The user's boss is rude.", "The user thinks they will quit."]),
        (
            "My wife Ana works at Siemens. Love her cooking.",
            ["The user's wife Ana works at Siemens. The user loves her cooking."],
        ),
    ],
)
def test_a_verb_of_the_speaker_does_not_go_to_the_person_before(said: str, texts: list[str]) -> None:
    assert _texts(said) == texts


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        (["Stopped last year.", "Good for you."], ["Ann stopped in 2025."]),
        (["My mother smoked. Stopped last year.", "Good for her."], ["Ann's mother smoked. Stopped in 2025."]),
        (["Do you smoke?", "Stopped last year."], ["Ben stopped in 2025."]),
        (["Does your mother smoke?", "Stopped last year."], []),
    ],
)
def test_who_stopped_is_told_between_people(said: list[str], texts: list[str]) -> None:
    assert _between_people(*said) == texts


def test_a_request_about_code_that_nothing_names_is_left_out() -> None:
    assert _texts("Can you review this code?", "Sure.") == []


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("im sure i dont, its 9", "I'm sure I don't, it's 9"),
        ("they wont, thats all lol", "they won't, that's all"),
        ("its wheel, i.e. a rim", "its wheel, i.e. a rim"),
        ("hi im Anna, the cook :D", "hi I'm Anna, the cook"),
        ("Ive got a mill and im happy", "I've got a mill and I'm happy"),
        ("im vegan", "I'm vegan"),
    ],
)
def test_short_forms_are_written_out(typed: str, written: str) -> None:
    assert spell_out(typed) == written


@pytest.mark.parametrize(
    "text",
    [
        "Ich wohne im Norden von Bonn und arbeite im Hafen.",
        "Voici la maison dont je parle.",
        "I had an IM injection.",
        "My name is Im Yoon.",
        "Jony Ive is my hero.",
        "I met Tho.",
        "It has its very own app.",
    ],
)
def test_names_and_other_languages_are_left_as_they_are(text: str) -> None:
    assert spell_out(text) == text


def test_a_name_is_no_short_form() -> None:
    assert _texts("My name is Im Yoon.") == ["The user's name is Im Yoon."]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is your PIN?", "4711"),
        ("Your password?", "marigold"),
        ("What is the security code on the card?", "It's 123."),
        ("And the code of the alarm?", "Blue heron."),
        ("Your wifi key?", "marigold-swordfish-77"),
        ("Sure. Please tell me your PIN.", "It's 4711."),
        ("Send me your password first.", "The purple elephant dances."),
    ],
)
def test_a_secret_is_not_kept_with_its_question(question: str, answer: str) -> None:
    assert _texts("I need help at the mill.", question, answer) == ["The user needs help at the mill."]


@pytest.mark.parametrize(
    "text",
    [
        "password: swordfish marigold",
        "secret: purple elephant",
        "PIN: 4711",
        "My password is swordfish marigold.",
        "Please remember that my PIN is 4711.",
        "Please remember that the password of the mill is marigold.",
    ],
)
def test_a_secret_is_kept_neither_as_a_statement_nor_as_a_memory(text: str) -> None:
    assert _texts(text) == []
    assert extract_by_rules([Said(text)]) == []


@pytest.mark.parametrize(
    "text", ["The password is too weak.", "My password manager is Bitkeep.", "I lost my PIN at the mill."]
)
def test_what_only_speaks_of_secrets_is_kept(text: str) -> None:
    assert not gives_secret_away(text)
    assert len(_texts(text)) == 1


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Please don't keep this: I have gout.", 0),
        ("dont remember this: i have gout", 0),
        ("I have gout, please don't store that.", 0),
        ("Please don't remember this. I have gout.", 0),
        ("I have gout. Please do not save any of this.", 0),
        ("Don't save this:\nI have gout.", 0),
        ("Never note that I have gout. I am a nurse in Bari.", 1),
        ("Don't keep your answers long. I am a nurse in Bari.", 2),
    ],
)
def test_what_is_not_to_be_kept_is_kept_nowhere(text: str, kept: int) -> None:
    statements, memories = _texts(text), extract_by_rules([Said(text)])
    assert (len(statements), len(memories)) == (kept, kept)
    assert "gout" not in f"{statements} {memories}"


@pytest.mark.parametrize(
    ("text", "is_lasting"),
    [
        ("Could you keep your answers short?", True),
        ("Can you write your replies in German?", True),
        ("Can you show me your messages from Monday?", False),
        ("Could you keep your messages from Monday?", False),
        ("Could you skip your last suggestion?", False),
        ("Will you be leaving your message on my phone?", False),
        ("Can you give me a summary of your answers?", False),
    ],
)
def test_a_question_asks_once_unless_it_is_how_to_answer(text: str, is_lasting: bool) -> None:
    assert bool(extract_by_rules([Said(text)])) == is_lasting
