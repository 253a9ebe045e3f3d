"""Values of claims: their telling words, of what sort they are, and whether two of them exclude each other. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.english.lexemes import stem
from core.english.time_expressions import MONTHS, WEEKDAYS
from memory.memories.replacement.lexicon import CATEGORY, MONTH_NAMES, STATES

MAX_WORDS = 9
_WORD = re.compile(r"[^\W_]+(?:[.'&+#/:@-]+[^\W_]+)*[+#%]*|[$€£]")
_SMALL_LIST = """
    a an the her his their my our its your of very so quite really user's at on by
"""
_SMALL = frozenset(_SMALL_LIST.split())
# Where a value ends; what is behind it says why, with whom or since when.
_END = re.compile(
    r"(?i),? (?:since|because|as of|with (?=(?:my|his|her|their|our|the|a|an|two|three|\d|[A-Z]))|"
    r"which|who|where|whose|when|after|before|while|so that|due to|thanks to|"
    r"following|where|near|not far|close to|which|instead of|rather than|that)\b|[;(–—]|,(?!\d)|: | - "
)
_QUALIFIER = re.compile(
    r"(?i) (?=(?:for|per|during|in|on|from|until|by|each|every|a (?:month|year|week|day|night|"
    r"seat|user|person|head))\b)"
)
_CLOCK = re.compile(
    r"(?i)\b(\d{1,2})(?:[:.h](\d\d))?\s*(am|pm|a\.m\.|p\.m\.|o'clock)?(?![\w%$€£.,-]*\d)\b|\b(noon|midnight|midday)\b"
)
_WEEKDAY = re.compile(rf"(?i)\b({'|'.join(WEEKDAYS)}|mon|tues?|wed|thurs?|fri|sat|sun)s?\b")
_MONTH_DAY = re.compile(
    rf"(?i)\b(?:(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({MONTH_NAMES})|({MONTH_NAMES})\.? (\d{{1,2}})(?!\d|:))\b"
)
_MONTH = re.compile(rf"\b(?:(?i:{'|'.join(month for month in MONTHS if month != 'may')})|May)\b")
_DATED_END = re.compile(
    rf"(?i)(?<=\w),? (?:back )?(?:in|on) (?:early |late |mid-?)?(?:\d{{4}}-\d\d-\d\d|(?:\d{{1,2}} "
    rf")?(?:{MONTH_NAMES})\b(?: \d{{1,2}})?(?:,? \d{{4}})?|(?:19|20)\d\d)$"
)
_ADDRESS = re.compile(r"(?i)\S@\S|://|\w\.(?:com|org|net|io|de|dev|local|example)\b|#\w|/\w")
_OTHER_TIME = re.compile(
    r"(?i)\b(?:\d{4}-\d\d-\d\d|q[1-4]|tomorrow|today|tonight|next (?:week|month|year|quarter|spring|"
    r"summer|autumn|fall|winter)|week \d+|the \d{1,2}(?:st|nd|rd|th)|\d{1,2}/\d{1,2}(?:/\d{2,4})?|"
    r"(?:end|start|beginning|middle) of \w+|spring|summer|autumn|fall|winter|(?:in the )?(?:morning|"
    r"afternoon|evening)s?|20\d\d)\b"
)


class Sort(StrEnum):
    """What a value is; two of different sorts say different things."""

    NUMBER = "number"
    TIME = "time"
    NAME = "name"
    STATE = "state"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """A value in words, `words` being those that tell it from others, and what stands behind it as a `qualifier`."""

    text: str
    words: frozenset[str]
    sort: Sort
    qualifier: frozenset[str] = frozenset()
    rest: str = ""

    def is_same(self, other: ClaimValue) -> bool:
        return self.words == other.words

    def is_within(self, other: ClaimValue) -> bool:
        """Return whether the other says all of this, and perhaps more."""
        return bool(self.words) and self.words <= other.words

    @property
    def category(self) -> int | None:
        """The line of alternatives that it belongs to, by its whole text or its first words."""
        plain = " ".join(word for word in self.text.lower().split() if word not in _SMALL).strip(".!,")
        return CATEGORY.get(plain)


def telling_words(text: str) -> frozenset[str]:
    """Return the stems of the words that a value consists of."""
    return frozenset(
        stem(word.lower().removesuffix("'s")) for word in _WORD.findall(text) if word.lower() not in _SMALL
    )


def plain_words(text: str) -> list[str]:
    """Return the words of a text as they are searched for."""
    return [
        word.lower().removesuffix("'s") for word in _WORD.findall(text) if word.lower() not in _SMALL and len(word) > 1
    ]


def read_value(text: str, *, is_qualified: bool = False) -> ClaimValue | None:
    """Return a value without what follows it; None where it is empty or too long to be one."""
    plain = text.strip(" ,.;:!")
    end = _END.search(plain)
    rest = plain[end.start() :] if end else ""
    plain = plain[: end.start()] if end else plain
    if not is_qualified and (dated := _DATED_END.search(plain)):
        plain, rest = plain[: dated.start()], f"{plain[dated.start() :]} {rest}"
    qualifier = frozenset[str]()
    if is_qualified:
        head, *behind = _QUALIFIER.split(plain, maxsplit=1)
        if behind and head.strip():
            plain, qualifier = head, telling_words(behind[0])
    plain = plain.strip(" ,.;:!'")
    words = telling_words(plain)
    if not words or len(plain.split()) > MAX_WORDS:
        return None
    return ClaimValue(plain, words, _sort(plain), qualifier, rest.strip())


def _sort(text: str) -> Sort:
    bare = re.sub(r"(?i)^(?:a|an|the|at|on|by|to|about|around|only) ", "", text)
    if read_time(text):
        return Sort.TIME
    if re.search(r"\d", bare) or _ADDRESS.search(bare):
        return Sort.NUMBER
    if re.fullmatch(rf"(?i)(?:{STATES})", bare):
        return Sort.STATE
    return Sort.NAME if bare[:1].isupper() else Sort.WORDS


def read_time(text: str) -> dict[str, str]:
    """Return the parts of a time that a text consists of: clock, weekday, date, month, other; {} for another text."""
    rest, parts = f" {text} ", {}
    for name, pattern in (
        ("other", _OTHER_TIME),
        ("date", _MONTH_DAY),
        ("month", _MONTH),
        ("weekday", _WEEKDAY),
        ("clock", _CLOCK),
    ):
        if found := pattern.search(rest):
            if name == "clock" and not (found[2] or found[3] or found[4] or re.search(rf"(?i)\bat {found[0]}", rest)):
                continue
            parts[name] = _plain_time(name, found)
            rest = rest[: found.start()] + " " + rest[found.end() :]
    left = re.sub(
        r"(?i)\b(?:at|on|by|in|of|the|every|each|from|to|and|morning|afternoon|evening|week|uhr|utc|"
        r"cet|est|sharp|until|next|this|end|start|early|late|mid|noon|around|about|st|nd|rd|th|(?:19|"
        r"20)\d\d)\b|[,–.-]",
        " ",
        rest,
    )
    return parts if parts and not left.strip() else {}


def _plain_time(name: str, found: re.Match[str]) -> str:
    if name == "weekday":
        return found[1].lower()[:3]
    if name == "date":
        return f"{found[1] or found[4]} {(found[2] or found[3]).lower()[:3]}"
    if name == "clock" and found[1]:
        half = (found[3] or "").lower().replace(".", "")
        hour = int(found[1]) % 12 + 12 if half == "pm" else int(found[1])
        return f"{hour}:{found[2] or '00'}"
    return found[0].lower()


def times_differ(old: str, new: str) -> bool:
    """Return whether two times have a part in common that differs."""
    mine, theirs = read_time(old), read_time(new)
    return any(mine[name] != theirs[name] for name in mine.keys() & theirs.keys())
