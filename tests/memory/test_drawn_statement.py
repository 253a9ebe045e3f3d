"""How a statement ends, and what is left of quotation marks where it is cut."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from core.english.reported_speech import Speakers
from memory.episodes.drawn_statement import finish_statement
from memory.episodes.statement_kinds import StatementKind

LONG = "the boats of Bari grew by many hundreds in each year, as the harbour was made larger, " * 8


@pytest.mark.parametrize(
    ("text", "begin", "marks"),
    [
        ('About "the harbour" Ana said: yes', 'About "the harbour" Ana said: yes.', 2),
        (f'About "the harbour" Ana wrote: "{LONG}"', 'About "the harbour" Ana wrote: the boats', 2),
        ('Ana said: "yes', "Ana said: yes.", 0),
    ],
)
def test_a_mark_that_is_left_alone_goes(text: str, begin: str, marks: int) -> None:
    turn: Any = SimpleNamespace(speakers=Speakers("Ana"), said_at=datetime(2026, 10, 8, tzinfo=UTC), place=0)

    made = finish_statement(turn, text, kind=StatementKind.FACT, worth=1.0, confidence=0.5)

    assert made.text.startswith(begin)
    assert made.text.count('"') == marks
