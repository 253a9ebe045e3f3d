"""Forms of a name that say which names may mean one thing: words without accents or order, and initials. Pure."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher

from core.normal_forms import normal_form

MAX_KEY_CHARACTERS = 300
# Letters that do not decompose into a base letter and an accent.
_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_WORDS = re.compile(r"[^\W_]+")
_APOSTROPHES = re.compile(r"['’ʼ]")
# What a name may have or lack without meaning anything else: "Fisk & Co" and "Fisk and Co".
_FILLERS = frozenset({"and", "og", "und", "et", "y", "the"})
MIN_SURNAME = 3
# Up to this length another letter makes another word ("lund", "lind"); in longer words it is more often a slip.
MAX_SHORT_WORD = 6
MIN_WORD_RATIO = 0.8


def name_words(name: str) -> list[str]:
    """Return the words of a name in its order, in lower case and without accents; "Lund, Jens" as "Jens Lund"."""
    family, comma, given = name.partition(",")
    ordered = f"{given} {family}" if comma and given.strip() and "," not in given else name
    decomposed = normal_form("NFKD", _APOSTROPHES.sub("", ordered.casefold().translate(_LETTERS)))
    plain = "".join(each for each in decomposed if not unicodedata.combining(each))
    words = _WORDS.findall(normal_form("NFC", plain))
    return [word for word in words if word not in _FILLERS] or words


def words_key(name: str) -> str:
    """Return the words of a name in one order, whichever they stand in: equal for "Hotel Astoria", "Astoria Hotel"."""
    return " ".join(sorted(name_words(name)))[:MAX_KEY_CHARACTERS]


def initials_key(name: str) -> str:
    """Return the first initial with the last word: equal for "Jens Lund" and "J. Lund"; empty for what has neither."""
    words = name_words(name)
    if len(words) < 2 or not all(word.isalpha() for word in words) or len(words[-1]) < MIN_SURNAME:
        return ""
    return f"{words[0][0]} {words[-1]}"[:MAX_KEY_CHARACTERS]


def is_abbreviation(one: str, other: str) -> bool:
    """Claim that the names are one but for initials: "J. Lund" and "Jens Lund", "Jens P. Lund" and "J. Lund".

    An initial needs its full stop: "B Street" is not "Baker Street".
    """
    key = initials_key(one)
    if not key or key != initials_key(other):
        return False
    shorter, longer = sorted((name_words(one)[:-1], name_words(other)[:-1]), key=len)
    pairs = list(zip(shorter, longer, strict=False))
    if any(not _abbreviates(*pair) for pair in pairs if pair[0] != pair[1]):
        return False
    has_initial = any(len(word) == 1 for pair in pairs if pair[0] != pair[1] for word in pair)
    return has_initial and ("." in one or "." in other)


def are_told_apart(one: str, other: str) -> bool:
    """Claim that a word stands in one name where the other has a word of another meaning.

    "Jens Lund" and "Jens Lind", "Café Nord" and "Café Syd": alike to a comparison of letters, and two things.
    """
    return any(not _is_respelling(*pair) for pair in _differing_words(one, other))


def differ_by_a_letter(one: str, other: str) -> bool:
    """Claim that short words with another letter are all that tells the names apart, which vectors hardly see."""
    pairs = _differing_words(one, other)
    return bool(pairs) and all(
        len(left) == len(right) <= MAX_SHORT_WORD and sum(a != b for a, b in zip(left, right, strict=True)) == 1
        for left, right in pairs
    )


def _differing_words(one: str, other: str) -> list[tuple[str, str]]:
    """Return the words that only one of two names with equally many words has, in pairs by their order."""
    ours, theirs = name_words(one), name_words(other)
    if len(ours) != len(theirs):
        return []
    left, right = ([word for word in mine if word not in others] for mine, others in ((ours, theirs), (theirs, ours)))
    return list(zip(left, right, strict=False))


def _abbreviates(one: str, other: str) -> bool:
    return (len(one) == 1 or len(other) == 1) and one[0] == other[0]


def _is_respelling(one: str, other: str) -> bool:
    if _abbreviates(one, other):
        return True
    if len(one) == len(other) <= MAX_SHORT_WORD:
        # Two neighbouring letters in each other's place are a slip; another letter is another word.
        return sorted(one) == sorted(other)
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= MIN_WORD_RATIO
