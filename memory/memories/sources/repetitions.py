"""Which sentences say again what suppressed memories say, of all who speak. Pure; English."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.english.lexemes import strip_accents
from core.english.sentences import find_sentences
from core.text import lexemes

# Of a longer text only the beginning is read.
MAX_CHARACTERS = 20_000
# A sentence with this fraction of a statement's telling words says it: of up to four all, of five four.
MIN_SHARE = 0.8
# One telling word is a statement in a short sentence alone: "I am vegan", not every remark with "vegan".
MAX_WORDS_AROUND_ONE = 3
# A longer text is looked through before it is taken apart. Stems begin as their words do, and end otherwise.
LONG, STEM_BEGINNING = 1_000, 4
_WHO = frozenset(lexemes("the user"))


@dataclass(frozen=True, slots=True)
class _Statement:
    words: frozenset[str]
    # One of these at least is in whatever says it.
    rarest: tuple[str, ...]

    def matches(self, words: frozenset[str]) -> bool:
        shared = len(self.words & words)
        if len(self.words) == 1:
            return bool(shared) and len(words - _WHO) <= MAX_WORDS_AROUND_ONE
        return shared >= MIN_SHARE * len(self.words)


@dataclass(frozen=True, slots=True)
class Unsaid:
    """Statements of suppressed memories, as they are recognised in other texts: agents do not get them."""

    by_word: Mapping[str, Sequence[_Statement]] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Unsaid:
        """Return what is recognised of these statements; what has no telling word is nowhere."""
        told = {frozenset(lexemes(text[:MAX_CHARACTERS])) - _WHO for text in texts}
        number = Counter(word for words in told for word in words)
        by_word: defaultdict[str, list[_Statement]] = defaultdict(list)
        for words in filter(None, told):
            in_order = sorted(words, key=lambda word: (number[word], -len(word), word))
            statement = _Statement(words, tuple(in_order[: len(words) - _least(words) + 1]))
            for word in statement.rarest:
                by_word[word].append(statement)
        return cls(by_word)

    def recognises(self, text: str) -> bool:
        """Return whether a sentence of a text says one of the statements."""
        return any(True for _ in self.find_spans(text))

    def find_spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where the sentences of a text begin and end that say one of the statements."""
        read = text[:MAX_CHARACTERS]
        if not self.by_word or (len(read) > LONG and not self._may_occur(read)):
            return
        for begin, end in find_sentences(read):
            words = frozenset(lexemes(read[begin:end]))
            if any(each.matches(words) for word in words & self.by_word.keys() for each in self.by_word[word]):
                yield begin, end

    def _may_occur(self, text: str) -> bool:
        """Return whether one of the words that tell statements apart may occur in a text."""
        folded = strip_accents(text.casefold())
        return any(
            (word[:STEM_BEGINNING] if len(word) > STEM_BEGINNING else word[:-1]) in folded for word in self.by_word
        )


def _least(words: frozenset[str]) -> int:
    """Return how many of a statement's words a sentence has that says it."""
    return next(number for number in range(1, len(words) + 1) if number >= MIN_SHARE * len(words))


def cut_spans(text: str, spans: Iterable[Sequence[int]]) -> str:
    """Return a text without what stands in these places, which are in order."""
    kept, last = [], 0
    for begin, end in spans:
        kept.append(text[last:begin].strip())
        last = end
    return " ".join(filter(None, [*kept, text[last:].strip()])) if last else text
