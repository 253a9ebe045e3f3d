"""Whether a statement that a model wrote says only what its source says: no other name, number or date. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from core.english.relative_dates import resolve_dates, write_day
from core.english.time_expressions import MONTHS, WEEKDAYS
from core.text import lexemes
from core.text.transcripts import TranscriptTurn
from memory.episodes.statement_turns import speaker_label

# Turns before the one that says it: the question that it answers, and what "it" stands for.
TURNS_BEFORE = 6

_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<![\w'])[A-Z][\w-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\"“(]\s*)$")
_NUMBER_LIST = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
"""
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_NUMBER_LIST.split())}
# What a sentence in the third person brings along.
_NEUTRAL = frozenset({"the", "user", "assistant", "i", "asked"})


def says_no_more(text: str, *, turns: Sequence[TranscriptTurn], place: int, before: int = TURNS_BEFORE) -> bool:
    """Return whether every name, number and date of a statement is in the turn at `place` or in some `before` it."""
    sources = turns[max(0, place - before) : place + 1]
    said = " ".join(_known_forms(sources))
    speakers = " ".join(map(speaker_label, turns))
    numbers = _numbers(said) | _numbers(speakers)
    words = set(re.findall(r"[\w-]+", f"{said} {speakers}".casefold())) | _NEUTRAL
    stems = {*lexemes(said), *lexemes(speakers)}
    # A sentence may begin with any form of a word that was said, and with a small word.
    begins = [word for word in _words(text, first=True) if word not in words]
    return (
        _numbers(text) <= numbers
        and all(name in words for name in _words(text, first=False))
        and all(stems.issuperset(lexemes(word)) for word in begins)
    )


def _known_forms(sources: Iterable[TranscriptTurn]) -> Iterable[str]:
    """Yield what was said, as it was said and with absolute dates, and when."""
    for message in sources:
        yield message.content
        yield resolve_dates(message.content, said_on=message.created_at.date())
        yield _moment_words(message.created_at)


def _moment_words(at: datetime) -> str:
    return f"{write_day(at.date())} {at.month} {WEEKDAYS[at.weekday()]}"


def _numbers(text: str) -> set[str]:
    """Return the numbers of a text without leading zeros, those that are words and those of months included."""
    found = {number.lstrip("0") or "0" for number in _NUMBER.findall(text)}
    lower = re.findall(r"[a-z]+", text.lower())
    found |= {_NUMBER_WORDS[word] for word in lower if word in _NUMBER_WORDS and word not in {"one", "zero"}}
    return found | {str(place) for place, month in enumerate(MONTHS, start=1) if month in lower and month != "may"}


def _words(text: str, *, first: bool) -> list[str]:
    """Return the capitalised words of a text: those that begin a sentence, or all others."""
    return [
        found[0].casefold()
        for found in _NAME.finditer(text)
        if (_SENTENCE_START.search(text[max(0, found.start() - 4) : found.start()]) is not None) is first
    ]
