"""Which sentences say again what suppressed memories say, whoever says them. Pure; English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.english.lexemes import strip_accents
from core.text import lexemes, split_sentences

# Of a longer text only the beginning is read.
MAX_CHARACTERS = 20_000
# A sentence with this fraction of a statement's telling words says it: of up to four all, of five four.
MIN_SHARE = 0.8
# One telling word is a statement in a short sentence alone: "I am vegan", not every remark with "vegan".
MAX_WORDS_AROUND_ONE = 3
# Stems begin as their words do, and end otherwise: what is looked for before a text is taken apart.
STEM_BEGINNING = 4
_WHO = frozenset(lexemes("the user"))


@dataclass(frozen=True, slots=True)
class _Statement:
    words: frozenset[str]
    beginnings: tuple[str, ...]

    def is_in(self, words: frozenset[str]) -> bool:
        shared = len(self.words & words)
        if len(self.words) == 1:
            return bool(shared) and len(words - _WHO) <= MAX_WORDS_AROUND_ONE
        return shared >= MIN_SHARE * len(self.words)


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What agents are not told: statements of suppressed memories, as they are recognised in other texts."""

    statements: tuple[_Statement, ...] = ()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Unsaid:
        """Return what is recognised of these statements; what has no telling word is nowhere."""
        words = {frozenset(lexemes(text[:MAX_CHARACTERS])) - _WHO for text in texts}
        return cls(tuple(_Statement(each, tuple(_beginnings(each))) for each in words if each))

    def is_said_in(self, text: str) -> bool:
        """Return whether a sentence of a text says one of the statements."""
        return any(True for _ in self.find_spans(text))

    def find_spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where the sentences of a text begin and end that say one of the statements."""
        read = text[:MAX_CHARACTERS]
        folded = strip_accents(read.casefold()) if self.statements else ""
        likely = [each for each in self.statements if _may_be_in(each, folded)]
        end = 0
        for sentence in split_sentences(read) if likely else ():
            begin = read.index(sentence, end)
            end = begin + len(sentence)
            words = frozenset(lexemes(sentence))
            if any(each.is_in(words) for each in likely):
                yield begin, end


def cut_spans(text: str, spans: Iterable[Sequence[int]]) -> str:
    """Return a text without what stands in these places, which are in order."""
    kept, last = [], 0
    for begin, end in spans:
        kept.append(text[last:begin].strip())
        last = end
    return " ".join(filter(None, [*kept, text[last:].strip()])) if last else text


def _beginnings(words: frozenset[str]) -> Iterator[str]:
    for word in words:
        yield word[:STEM_BEGINNING] if len(word) > STEM_BEGINNING else word[:-1]


def _may_be_in(statement: _Statement, folded: str) -> bool:
    """Return whether enough of a statement's words may occur in a text."""
    missing = sum(1 for beginning in statement.beginnings if beginning not in folded)
    return len(statement.words) - missing >= MIN_SHARE * len(statement.words)
