"""Mentions: the noun phrases and verbs of a clause, each with what is before it. Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from memory.memories.replacement.clause_verbs import begins_with_past, find_verb, guess_verb, is_verb
from memory.memories.replacement.noun_phrases import ADVERBS, DETERMINERS, PREPOSITIONS, PRONOUNS
from memory.memories.replacement.phrase_matcher import lemmas
from memory.memories.replacement.propositions import PARTICLES
from memory.memories.replacement.text_features import STOP, SeenWord

OWNED = "'s"


class PolarityShift(StrEnum):
    """What turns the polarity of a mention."""

    NONE = ""
    DENIED = "denied"  # not, never, no longer
    CONTRASTED = "contrasted"  # instead of, from … to
    ENDED = "ended"  # gave it up
    PERISHED = "perished"  # it is over


@dataclass(frozen=True, slots=True)
class TextMention:
    """A noun phrase or a verb of a text, and whether it is said to be so."""

    words: tuple[SeenWord, ...]
    determiner: str
    preposition: str
    is_verb: bool
    clause: int
    particle: str = ""
    is_subject: bool = False
    is_again: bool = False  # as it was once, or since not long ago
    by: str = ""  # the verb that says so
    is_part: bool = False  # one of several, a half of it
    is_so: bool = True
    shift: PolarityShift = PolarityShift.NONE

    @property
    def lemmas(self) -> frozenset[str]:
        return frozenset(each.lemma for each in self.words)

    @property
    def head(self) -> str:
        return self.words[-1].lemma

    @property
    def place(self) -> int:
        return self.words[0].place


def is_same_word(mine: str, theirs: str) -> bool:
    """Return whether two compared words are one, or one is made of the other: "teach", "teacher"."""
    short, long = sorted((mine, theirs), key=len)
    return mine == theirs or (
        len(short) >= MIN_SHARED and long.startswith(short) and len(long) - len(short) <= MAX_SUFFIX
    )


MIN_SHARED, MAX_SUFFIX = 4, 3


_PARTS = frozenset(
    {"one", "two", "three", "four", "some", "half", "part", "third", "quarter", "most", "several", "few", "many"}
)
_BREAKS = frozenset({"and", "or", "but", "so", "because", "while", "when", "after", "although", "as", "than", "that"})
_FINITE = lemmas("be have do will must can")


def read_chunks(clause: Sequence[SeenWord], number: int) -> Iterator[TextMention]:
    """Yield the noun phrases and verbs of a clause."""
    main = find_main_verb(clause)
    chunk = _Chunk(number, main, is_subject=main >= 0)
    for at, token in enumerate(clause):
        low = token.text.lower()
        is_action = at == chunk.main or _is_action(clause, at, chunk)
        is_step = (low in PREPOSITIONS or low in _BREAKS) and not token.is_name
        if is_step or is_action or low in DETERMINERS or _is_filler(token):
            yield from chunk.close()
            if low in {"and", "or"}:
                continue
            if is_step:
                is_part = low == "of" and at > 0 and clause[at - 1].text.lower() in _PARTS
                chunk.determiner, chunk.preposition, chunk.is_part = "", low, is_part
            elif is_action:
                yield chunk.read_verb(clause, at)
            elif low in DETERMINERS:
                chunk.determiner = low
        elif token.is_owner and at + 1 < len(clause) and not is_verb(clause[at + 1]):
            chunk.determiner = OWNED
        elif token.is_name or token.lemma not in STOP or low == "user":
            chunk.is_part = chunk.is_part or (low in _PARTS and not chunk.words)
            chunk.words.append(token)
    yield from chunk.close()


@dataclass
class _Chunk:
    """The phrase that is being read."""

    clause: int
    main: int
    words: list[SeenWord] = field(default_factory=list)
    determiner: str = ""
    preposition: str = ""
    is_part: bool = False
    is_subject: bool = False

    def close(self) -> Iterator[TextMention]:
        """Yield the phrase, if there is one, and begin the next one."""
        if self.words:
            yield TextMention(
                tuple(self.words), self.determiner, self.preposition, is_verb=False, clause=self.clause,
                is_part=self.is_part, is_subject=self.is_subject,
            )  # fmt: skip
            self.words, self.determiner, self.preposition, self.is_part = [], "", "", False

    def read_verb(self, clause: Sequence[SeenWord], at: int) -> TextMention:
        """Return a verb; one behind a preposition is a noun: "back from leave", "instead of running"."""
        ahead = [each.text.lower() for each in clause[at + 1 : at + 3]]
        is_particle = bool(ahead) and ahead[0] in PARTICLES and (len(ahead) == 1 or ahead[1] in PREPOSITIONS)
        is_noun = self.preposition not in {"", "to", *_BREAKS}
        found = TextMention(
            (clause[at],), "", self.preposition, not is_noun, self.clause, particle=ahead[0] if is_particle else "",
            is_subject=at < self.main,
        )  # fmt: skip
        self.determiner, self.preposition = "", ""
        self.is_subject = self.is_subject and at < self.main
        return found


def find_main_verb(clause: Sequence[SeenWord]) -> int:
    """Return the place of the verb that the subject is before; -1 where there is none."""
    if clause[0].text.lower() == "no":
        return -1
    found = 0 if begins_with_past(clause) else find_verb(clause)
    found = guess_verb(clause) if found is None else found
    return -1 if found is None else found


def _is_action(clause: Sequence[SeenWord], at: int, chunk: _Chunk) -> bool:
    """Return whether a word is a verb in its place, and not a noun: "to run", "stopped running", "the run"."""
    token = clause[at]
    if token.is_name or _is_filler(token):
        return False
    before = next((each.lemma for each in reversed(clause[:at]) if each.lemma not in ADVERBS), "")
    if (token.text[-3:] == "ing" and at and clause[at - 1].lemma in _BEFORE_GERUND) or before in _MODALS:
        return token.text.islower() and token.text.lower() not in DETERMINERS | PREPOSITIONS
    if not is_verb(token) or (chunk.determiner and not chunk.words and token.lemma not in _FINITE):
        return False
    return not (chunk.words and chunk.determiner and token.text.islower() and not _is_finite(token))


_MODALS = lemmas("do can will must may might shall should would could")
_BEFORE_GERUND = lemmas("stop quit start begin finish hate love of from by keep up out")


def _is_filler(token: SeenWord) -> bool:
    low = token.text.lower()
    return (
        low in PRONOUNS | {"once", "twice", "yet"}
        or (_is_adverb(token) and not token.is_name)
        or token.text in {",", ".", ":", ";", "!"}
    )


def _is_adverb(token: SeenWord) -> bool:
    low = token.text.lower()
    return token.lemma in ADVERBS or low in {"early", "late", "well"} or (low.endswith("ly") and low not in _LY_NOUNS)


_LY_NOUNS = frozenset({"family", "july", "italy", "fly", "daily", "weekly", "monthly", "yearly", "reply", "supply"})


def _is_finite(token: SeenWord) -> bool:
    return token.lemma in _FINITE or token.text.endswith("ed")
