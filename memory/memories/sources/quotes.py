"""Which of several messages a statement was drawn from, and which sentence of one says it. Pure; English."""

from __future__ import annotations

from collections.abc import Sequence

from core.text import lexemes, split_sentences

# Of a longer message only the beginning is read.
MAX_CHARACTERS = 20_000
# Below this fraction of the statement's words it was not said in these words.
MIN_SHARE = 0.3


def find_source(statement: str, messages: Sequence[str]) -> int | None:
    """Return the place of the message that has most of a statement's words, the last of several; None for none."""
    shares = [(_share(statement, text), place) for place, text in enumerate(messages)]
    share, place = max(shares, default=(0.0, 0))
    return place if share >= MIN_SHARE else None


def find_sentence(statement: str, message: str) -> str:
    """Return the sentence of a message that says a statement; an empty text where none does."""
    sentences = list(split_sentences(message[:MAX_CHARACTERS]))
    best = max(sentences, key=lambda sentence: _share(statement, sentence), default="")
    return best.strip() if _share(statement, best) >= MIN_SHARE else ""


def shares_subject(statement: str, text: str) -> bool:
    """Return whether a text has enough of a statement's words to be about the same."""
    return _share(statement, text) >= MIN_SHARE


def _share(statement: str, text: str) -> float:
    wanted = frozenset(lexemes(statement)) - frozenset(lexemes("the user"))
    return len(wanted & frozenset(lexemes(text[:MAX_CHARACTERS]))) / max(1, len(wanted))
