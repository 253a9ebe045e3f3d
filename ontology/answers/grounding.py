"""Answers that cite: sentences picked from sources, and claims held to the sources that they name. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from core.english.lexemes import with_near_forms
from core.text import lexemes, split_sentences
from core.text.prompt_sanitiser import flat_excerpt, flatten

NOTHING_FOUND = "Nothing in this workspace bears on that."
CLAIMS = 5
# The label of a source that is an edge.
RELATION = "relation"
# A text of this length is quoted whole; of a longer one the sentences that fit the question best.
MAX_CHARACTERS_QUOTED = 300
MAX_CHARACTERS_READ = 20_000
# A source that shares no word with the question must at least mean something like it. Two unrelated texts have a
# cosine of about 0.4 with the bundled model.
MEANT_ALIKE = 0.6
# An answer needs one source that bears on the question: the cosine with it, and BY_WORDS times the fraction of the
# question's words that the source has, reach BAR together. Most of the words are enough by themselves, and some of them
# where meanings were not compared. docs/why/answers.md says what these were fitted to, and what other values cost.
BAR, BY_WORDS = 0.75, 0.3
ENOUGH_WORDS, SOME_WORDS = 2 / 3, 0.4
# What a sentence's own words count next to how its whole source was ranked.
OF_WORDS = 0.4
# A source below this fraction of the best one is there because something had to be in its place.
MIN_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Cited:
    """A node as an answer cites it; memories and facts keep the mark that agents know."""

    id: UUID
    is_memory: bool

    @property
    def mark(self) -> str:
        return f"[{'mem' if self.is_memory else 'node'}:{self.id}]"


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """What an answer may rest on: a node's text, or a relation between two nodes.

    `score` is 0 to 1; `likeness` is the cosine with the question, None where they were not compared.
    """

    cites: tuple[Cited, ...]
    label: str
    text: str
    score: float
    likeness: float | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that the answer says, and the nodes that say so."""

    text: str
    cites: tuple[Cited, ...]

    def __str__(self) -> str:
        return " ".join([self.text, *(cited.mark for cited in self.cites)])


def select_related(question: str, sources: Iterable[AnswerSource]) -> list[AnswerSource]:
    """Return the sources that have a word of the question, or mean something like it; the best ones, as they were
    ranked.

    None of them where not a single one bears on the question.
    """
    wanted = _stems(question)
    shares = [(one, _share(one.text, wanted)) for one in sources]
    if not any(_is_relevant(one.likeness, share) for one, share in shares):
        return []
    fitting = [one for one, share in shares if share or (one.likeness or 0.0) >= MEANT_ALIKE]
    best = max((one.score for one in fitting), default=0.0)
    return [one for one in fitting if one.score >= MIN_SHARE * best]


def extractive_claims(question: str, sources: Sequence[AnswerSource]) -> list[Claim]:
    """Return what the sources say to a question, word for word: at most `CLAIMS`, one of each source, the best
    first."""
    wanted = _stems(question)
    quoted = [
        (source, text, _share_asked(source, text, wanted)) for source in sources for text in [_quote(source, wanted)]
    ]
    # Of everything that hangs on a node the question asks for something.
    most_asked = max((share for source, _, share in quoted if source.label == RELATION), default=0.0)
    quoted = [one for one in quoted if one[0].label != RELATION or one[2] == most_asked]
    quoted.sort(key=lambda one: one[0].score * (1 - OF_WORDS + OF_WORDS * one[2]), reverse=True)
    claims: dict[str, Claim] = {}
    for source, text, _ in quoted:
        claims.setdefault(text.casefold(), Claim(text, source.cites))
    return list(claims.values())[:CLAIMS]


def select_grounded(
    given: Iterable[tuple[str, Sequence[int]]], sources: Sequence[AnswerSource]
) -> tuple[list[Claim], int]:
    """Return the claims that name at least one source by its number from 1, and how many had to be dropped."""
    claims: list[Claim] = []
    dropped = 0
    for text, numbers in given:
        named = [sources[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(sources)]
        cites = tuple(dict.fromkeys(cited for source in named for cited in source.cites))
        if cites and text.strip():
            claims.append(Claim(flatten(text), cites))
        else:
            dropped += 1
    return claims, dropped


def number_sources(sources: Sequence[AnswerSource]) -> str:
    """Return the sources as a model reads them: one line each, with a number to cite and a word for what it is."""
    return "\n".join(
        f"{place}. ({flatten(one.label)}) {flatten(one.text)}" for place, one in enumerate(sources, start=1)
    )


def answer_text(claims: Sequence[Claim]) -> str:
    """Return the whole answer, each claim on a line of its own with its marks; says so when there is none."""
    return "\n".join(str(claim) for claim in claims) or NOTHING_FOUND


def _quote(source: AnswerSource, wanted: frozenset[str]) -> str:
    text = flatten(source.text)
    if len(text) <= MAX_CHARACTERS_QUOTED:
        return text
    parts = list(split_sentences(source.text[:MAX_CHARACTERS_READ]))
    best = max(parts, key=lambda part: len(wanted & _stems(part)))
    return flat_excerpt(best, limit=MAX_CHARACTERS_QUOTED)


def _is_relevant(likeness: float | None, share: float) -> bool:
    if likeness is None:
        return share >= SOME_WORDS
    return share >= ENOUGH_WORDS or likeness + BY_WORDS * share >= BAR


def _share(text: str, wanted: frozenset[str]) -> float:
    return len(wanted & _stems(text)) / max(1, len(wanted))


def _share_asked(source: AnswerSource, text: str, wanted: frozenset[str]) -> float:
    """Return the fraction of the question's words that a text has; of a relation in any form: who drives, driven by."""
    if source.label != RELATION:
        return _share(text, wanted)
    return len(wanted & with_near_forms(_stems(text), wanted)) / max(1, len(wanted))


def _stems(text: str) -> frozenset[str]:
    return frozenset(lexemes(text[:MAX_CHARACTERS_READ]))
