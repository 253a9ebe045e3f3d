"""What a question asks for, read from its words. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from conversations.indexing.document import hash_lexeme
from core.english.answer_shapes import AnswerShape, answer_shape
from core.english.lexemes import stem
from core.english.names import question_names
from core.english.persons import FIRST_PERSON
from core.english.question_topics import search_text
from core.english.terms import terms
from core.english.time_expressions import MONTH, month_number
from core.english.word_forms import other_forms
from core.text import lexemes

_ASKS_TIME = re.compile(r"\b(?:when|how long|(?:what|which) (?:date|day|week|month|year|time))\b", re.IGNORECASE)

# What a question asks next of what it finds first: "Who walks the dog, and what does she get?"
_FURTHER = re.compile(
    r"(?i),? and (?:(?:also )?(?:what|how|when|where|why|which|who)\b[^?]{0,40}"
    r"\b(?:he|she|it|they|him|her|them|his|its|their)\b|(?:what for|how much|how long|how often|when|where|why)\W*$)"
)
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b")
_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")

# What a question is put into words with: it says how to answer and occurs in messages by chance.
_FRAME = frozenset(
    lexemes(
        "kind type sort name many much mention say said tell told list order conversation session discuss time way"
        " thing use like might get got go went make made take took happen person according recently currently"
        " various different specific throughout across bring brought"
    )
)


@dataclass(frozen=True, slots=True)
class Question:
    """The lexemes of a question as hashes with their counts, and what else it says.

    months, years: in which of them something was said, none for any; days: on which days exactly, where the question
    names a month and a day (of any of the years that it names, or of every year: then `date.year` is 1). `names` are
    the places of terms that are names, and `shape` is what an answer is made of. `forms` are words that say the same as
    one of them, each with the place of the term that it counts as (`form_of`). `is_asked_first` says of each term
    whether it is of what the question asks first, or of what it asks next of that: "…, and what does she get?"
    """

    terms: NDArray[np.uint32]
    counts: NDArray[np.float64]
    asks_time: bool
    is_first_person: bool
    months: frozenset[int]
    years: frozenset[int]
    days: tuple[date, ...]
    shape: AnswerShape
    names: tuple[int, ...]
    forms: NDArray[np.uint32]
    form_of: NDArray[np.intp]
    is_asked_first: NDArray[np.bool_]


def read_question(text: str) -> Question:
    """Parse a question. Words of its frame count where there are no others."""
    found = lexemes(search_text(text))
    asked = [word for word in found if word not in _FRAME] or found
    counted = Counter(hash_lexeme(lexeme) for lexeme in asked)
    forms = _find_forms(text, [*counted])
    months = [month_number(found) for found in MONTH.findall(text)]
    years = [int(year) for year in _YEAR.findall(text)]
    names = {hash_lexeme(lexeme) for name in question_names(text) for lexeme in lexemes(name)}
    return Question(
        terms=np.array(list(counted), np.uint32),
        counts=np.array(list(counted.values()), np.float64),
        asks_time=_ASKS_TIME.search(text) is not None,
        is_first_person=FIRST_PERSON.search(text) is not None,
        months=frozenset(months),
        years=frozenset(years),
        days=tuple(_dates(text, months, years)),
        shape=answer_shape(text),
        names=tuple(place for place, term in enumerate(counted) if term in names),
        forms=np.array([*forms], np.uint32),
        form_of=np.array([*forms.values()], np.intp),
        is_asked_first=_find_asked_first(text, [*counted]),
    )


def _find_asked_first(text: str, asked: Sequence[int]) -> NDArray[np.bool_]:
    """Return of each term whether it is of what is asked first; of all where that has none of them."""
    first = {hash_lexeme(lexeme) for lexeme in lexemes(_FURTHER.split(text, maxsplit=1)[0])}
    of_first = np.array([term in first for term in asked], bool)
    return of_first if of_first.any() else np.ones(len(asked), bool)


def _find_forms(text: str, asked: Sequence[int]) -> dict[int, int]:
    """Return what else the question's words may be said as ("found" for "find"), each with the place of its term."""
    places = {term: place for place, term in enumerate(asked)}
    found: dict[int, int] = {}
    for word in terms(text):
        others = other_forms(word)
        place = places.get(hash_lexeme(stem(word))) if others else None
        if place is not None:
            found |= {term: place for other in others if (term := hash_lexeme(stem(other))) not in places}
    return found


def _dates(text: str, months: list[int], years: list[int]) -> list[date]:
    if len(set(months)) != 1:
        return []
    numbers = {int(day) for day in _DAY.findall(text)}
    found = []
    for year in years or [1]:
        for number in sorted(numbers):
            try:
                found.append(date(year, months[0], number))
            except ValueError:  # no day of that month
                continue
    return found
