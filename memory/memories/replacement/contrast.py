"""Sentences that differ in one place only, of which the newer one says "now" or "no longer". Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.english.lexemes import stem
from memory.memories.replacement.clauses import Clause

MIN_SHARED, MAX_PLACE = 2, 4
_WORD = re.compile(r"[^\W_]+(?:[.'&+#/:@,-]+[^\W_]+)*[+#%]*|[$€£]\d[\d.,]*")
_SMALL = frozenset(["a", "an", "the"])
_PREPOSITIONS = frozenset(
    [
        "at",
        "on",
        "in",
        "for",
        "to",
        "from",
        "every",
        "by",
        "under",
        "until",
        "after",
        "before",
        "around",
        "about",
        "with",
    ]
)
_MEASURE = re.compile(
    r"(?i)[$€£]?\d[\d.,:]*(?:am|pm|k|%|mg|kg|h|min|th|st|nd|rd|€|\$)?|(?:mon|tues|wednes|thurs|"
    r"fri|satur|sun)days?|one|two|three|four|"
    r"five|six|seven|eight|nine|ten|eleven|twelve|daily|weekly|monthly|yearly|hourly|noon|midnight"
)
# What has one object at a time behind "in", "on" and the like.
_GOVERNING = frozenset(
    [
        "play",
        "run",
        "deploy",
        "host",
        "sit",
        "work",
        "sleep",
        "park",
        "bank",
        "meet",
        "stay",
        "answer",
        "written",
        "built",
        "team",
        "base",
        "studi",
        "write",
        "repli",
        "go",
    ]
)
# Open on Mondays, and on Sundays as well.
_SEVERAL = frozenset(["open", "avail", "close", "sold", "busi", "free"])
_UNITS = frozenset(
    [
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
        "hour",
        "hours",
        "minute",
        "minutes",
        "mg",
        "ml",
        "kg",
        "g",
        "km",
        "percent",
        "a",
        "per",
        "am",
        "pm",
    ]
)
_PAST = re.compile(r"(?i)^(?:\w{2,}ed|went|saw|met|took|came|flew|drove|wrote|ate|bought|sold|had|did|was|were)$")


def says_otherwise(older: Clause, newer: Clause) -> bool:
    """Return whether the newer clause says the same of something else now, or that it is no longer so."""
    if older.is_future or older.is_denied or older.is_adding or newer.is_adding or newer.is_future:
        return False
    mine, theirs = _words(older.text), _words(newer.text)
    if len(mine) < MIN_SHARED or not theirs:
        return False
    if newer.is_denied:
        return newer.is_over and len(mine) > MIN_SHARED and _stems(mine) == _stems(theirs)
    return newer.is_changed and not newer.is_brief and _differ_in_one_place(mine, theirs)


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.lower() not in _SMALL]


def _stems(words: Sequence[str]) -> list[str]:
    return [stem(word.lower()) for word in words if word.lower() not in {"is", "are", "am"}]


def _differ_in_one_place(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    first, second = [[stem(word.lower()) for word in words] for words in (mine, theirs)]
    begin = 0
    while begin < min(len(first), len(second)) and first[begin] == second[begin]:
        begin += 1
    end = 0
    while end < min(len(first), len(second)) - begin and first[-1 - end] == second[-1 - end]:
        end += 1
    old, new = mine[begin : len(mine) - end], theirs[begin : len(theirs) - end]
    if begin < MIN_SHARED or not (0 < len(old) <= MAX_PLACE and 0 < len(new) <= MAX_PLACE):
        return False
    if any(_PAST.match(word) for word in mine[1:begin]):
        return False
    before, governing = mine[begin - 1].lower(), first[begin - 2]
    if all(_MEASURE.fullmatch(words[0]) and all(_is_measure(word) for word in words) for words in (old, new)):
        return governing not in _SEVERAL
    # A team, a school: "is on", "plays for" and the like have one object at a time.
    is_alike = old[0][:1].isupper() == new[0][:1].isupper()
    has_one = not any(word.lower() in _PREPOSITIONS for word in (*old, *new))
    return is_alike and has_one and before in _PREPOSITIONS and governing in _GOVERNING


def _is_measure(word: str) -> bool:
    return bool(_MEASURE.fullmatch(word)) or word.lower() in _UNITS
