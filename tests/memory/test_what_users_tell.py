"""What a user says to an assistant is kept with what it leans on; Said is one message of a talk with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from core.english.short_forms import write_out
from memory.episodes.statement_selection import draw_statements


@dataclass(frozen=True)
class Said:
    content: str
    role: str = "user"
    name: str = ""
    created_at: datetime = datetime(2026, 5, 12, 9, tzinfo=UTC)


def _texts(*said: str) -> list[str]:
    """Return the statements of a talk that a user begins, both in turn."""
    talk = [Said(each, "assistant" if place % 2 else "user") for place, each in enumerate(said)]
    talk.append(Said("Noted, and I will keep all of it in mind from here on. " * 4, "assistant"))
    return [each.text for each in draw_statements(talk) if each.speaker == "user"]


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


def test_a_request_about_code_that_nothing_names_is_left_out() -> None:
    assert _texts("Can you review this code?", "Sure.") == []


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("im sure i dont, its 9", "I'm sure I don't, it's 9"),
        ("they wont, thats all lol", "they won't, that's all"),
        ("its wheel, i.e. a rim", "its wheel, i.e. a rim"),
    ],
)
def test_short_forms_are_written_out(typed: str, written: str) -> None:
    assert write_out(typed) == written
