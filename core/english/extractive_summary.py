"""A summary without a model: the sentences that say most, picked by rules, in their order. Pure.

Salience rules with greedy maximal marginal relevance (Carbonell and Goldstein, 1998); docs/why/models.md has what was
measured.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Protocol

from core.english.time_expressions import TIME_WORD
from core.text import append_date, excerpt, query_terms, split_sentences

SENTENCES = 8
MAX_CHARACTERS = 1_200

# Of a very long message only the beginning is read; the rest would cost time and could never be picked fairly.
MAX_CHARACTERS_READ = 20_000
MAX_SENTENCES = 2_000

RAREST_WORDS = 6
PHATIC_WORDS = 12  # in a longer sentence something else may be said as well
ROLES = frozenset({"user", "assistant", "system", "tool"})

# A gate for statements that may be worth keeping: of chat turns that later questions asked about it lets 92 of 100
# through, and it stops four in ten of the others.
WORTH_KEEPING = 1.0


class SpokenTurn(Protocol):
    """What a summary needs of a message."""

    @property
    def role(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def created_at(self) -> datetime | None: ...


@dataclass(frozen=True, slots=True)
class _Sentence:
    place: int
    speaker: str
    text: str
    terms: frozenset[str]
    said_at: datetime | None


_LIST_MARK = re.compile(r"^(?:[-*•#>]+|\d+[.)])\s+")

_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|my|mine|me|we|we're|we've|our|us)\b", re.IGNORECASE)
_SECOND_PERSON = re.compile(r"\b(?:you|your|yours|you're|you've)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|first|second|twice)\b"
)
_EVENT = re.compile(
    r"\b(?:accepted|adopted|applied|ate|attended|became|began|booked|bought|broke|built|called|came|changed|chose|"
    r"cooked|created|decided|died|drove|finished|found|founded|gave|got|graduated|grew|had|heard|helped|hired|hosted|"
    r"joined|launched|learned|learnt|left|lost|loved?|made|married|met|moved|named|needs?|opened|ordered|painted|"
    r"planned|planning|played|prefers?|quit|raised|ran|read|received|retired|returned|saw|set|shared|signed|sold|"
    r"spent|started|starting|stopped|studied|studying|taught|took|travel+ed|tried|visited|volunteered|wants?|watched|"
    r"went|won|worked|works?|wrote|likes?|enjoys?|lives?|hates?|dreams?|going)\b",
    re.IGNORECASE,
)
_PROPER_NAME = re.compile(r"(?<=[a-z0-9,;] )(?!I\b)[A-Z][\w'’-]+")
_REACTION = re.compile(
    r"^\W*(?:hi|hey|hello|wow|thanks?|thank you|thx|great|cool|nice|awesome|amazing|sure|ok(?:ay)?|yes|yeah|yep|no|"
    r"nope|oh|haha|lol|congrat\w*|good (?:morning|night|luck|to|for)|that's|sounds|glad|happy|welcome|bye|take care|"
    r"see you|absolutely|definitely|totally|exactly|of course|you're welcome|no problem)\b",
    re.IGNORECASE,
)
_STOCK = re.compile(
    r"\b(?:let me know|feel free|i hope (?:this|that|you)|happy to help|how can i|as an ai|keep (?:it )?up|"
    r"can't wait to hear|what do you think|talk to you|catch up|how (?:are|have) you)\b",
    re.IGNORECASE,
)
# What opens or ends a talk, and tells nothing that could be found: "a lot has happened", "have a safe trip".
_PHATIC = re.compile(
    r"\b(?:(?:seems|feels|been|felt) (?:like )?(?:forever|ages|so long|a while) since|"
    r"(?:have|has) a safe (?:trip|flight|journey|drive)|"
    r"(?:a lot|lots|so much|much|many things|(?:some|any)thing \w+|crazy things?|interesting things) "
    r"(?:(?:has|have|'s|'ve|had|just) )*(?:happened|been (?:going on|happening))|"
    r"(?:haven't|hadn't) (?:talked|spoken) in|"
    r"(?:had|been) (?:a )?(?:wild|crazy|busy|hectic) (?:few )?(?:days|weeks?) since|"
    r"glad (?:everyone|you|they) \w+)\b",
    re.IGNORECASE,
)


def extractive_summary(
    turns: Sequence[SpokenTurn], *, sentences: int = SENTENCES, max_characters: int = MAX_CHARACTERS
) -> str:
    """Return one paragraph of at most `sentences` sentences and `max_characters` characters, in the order in which they
    were said.

    Speakers are called by their names, those without one by their role: `Ana: I moved to Oslo in May. assistant: The
    ferry is booked for Friday.` What was said of "yesterday" tells on which day. Empty when nothing was said.
    """
    said = _sentences(turns)
    rarity = _rarity(said)
    ranked = _by_marginal_relevance(said, [salience(each.text, rarity=rarity) for each in said], most=sentences)
    return _paragraph(ranked, max_characters=max_characters)


def salience(sentence: str, *, rarity: Mapping[str, float] | None = None) -> float:
    """Return how much a sentence tells, about -2 to 3; below 0 it is talk.

    `rarity` gives words a weight of 0 to 1, by how few of the sentences around them have it; without it every word
    that is not a stop word counts alike, as for a sentence that stands alone.
    """
    terms = set(query_terms(sentence))
    rarest = sorted((1.0 if rarity is None else rarity.get(term, 1.0) for term in terms), reverse=True)[:RAREST_WORDS]
    words = len(sentence.split())
    return (
        sum(rarest) / RAREST_WORDS
        + 0.4 * bool(_FIRST_PERSON.search(sentence))
        + 0.3 * bool(_NUMBER.search(sentence))
        + 0.3 * bool(TIME_WORD.search(sentence))
        + 0.4 * bool(_EVENT.search(sentence))
        + 0.3 * bool(_PROPER_NAME.search(sentence))
        - 0.8 * sentence.rstrip("\"')").endswith("?")
        - 0.5 * bool(_REACTION.match(sentence))
        - 0.3 * bool(_SECOND_PERSON.search(sentence))
        - 0.6 * bool(_STOCK.search(sentence))
        - (1.2 if words <= PHATIC_WORDS else 0.6) * bool(_PHATIC.search(sentence))
        - 0.6 * (words < 5)
        - 0.3 * (words > 45)
    )


def _sentences(turns: Sequence[SpokenTurn]) -> list[_Sentence]:
    found: list[_Sentence] = []
    for turn in turns:
        for sentence in split_sentences(turn.content[:MAX_CHARACTERS_READ]):
            text = _LIST_MARK.sub("", sentence)
            if any(map(str.isalnum, text)):
                terms = frozenset(query_terms(text))
                found.append(_Sentence(len(found), _speaker(turn), text, terms, turn.created_at))
            if len(found) == MAX_SENTENCES:
                return found
    return found


def _speaker(turn: SpokenTurn) -> str:
    """Return the name of who speaks, so that two people are not one "user"; no name passes for another role."""
    name = " ".join(turn.name.split())
    return turn.role if name.casefold() in {"", *ROLES} else name


def _rarity(said: Sequence[_Sentence]) -> dict[str, float]:
    """Inverse document frequency with sentences as documents, between 0 (in every one) and 1 (in a single one)."""
    frequency = Counter(term for sentence in said for term in sentence.terms)
    most = math.log(len(said) + 1)
    return {term: math.log((len(said) + 1) / count) / most for term, count in frequency.items()}


def _by_marginal_relevance(said: Sequence[_Sentence], scores: Sequence[float], *, most: int) -> Iterator[_Sentence]:
    """Yield the best sentence, then again and again the one that is best and least like what was picked; none twice."""
    left = dict(enumerate(scores))
    likeness = [0.0] * len(said)
    for _ in range(most):
        if not left:
            return
        best = max(left, key=lambda place: (left[place] - likeness[place], -place))
        left = {place: score for place, score in left.items() if not _repeats(said[place], said[best])}
        for place in left:
            likeness[place] = max(likeness[place], _likeness(said[place].terms, said[best].terms))
        yield said[best]


def _repeats(one: _Sentence, other: _Sentence) -> bool:
    """Return whether both are the same words of the same speaker; "yesterday", said on another day, is another day."""
    return (one.speaker, one.text) == (other.speaker, other.text) and _end_sentence(one) == _end_sentence(other)


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the fraction of the shorter sentence's words that the other has as well."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _paragraph(ranked: Iterable[_Sentence], *, max_characters: int) -> str:
    picked: list[_Sentence] = []
    for sentence in ranked:
        longer = sorted([*picked, sentence], key=lambda each: each.place)
        if len(_retell(longer)) <= max_characters:
            picked = longer
        elif not picked:
            return excerpt(_retell([sentence]), limit=max_characters)
    return _retell(picked)


def _retell(picked: Sequence[_Sentence]) -> str:
    parts = groupby(picked, key=lambda each: each.speaker)
    return " ".join(f"{speaker}: {' '.join(map(_end_sentence, said))}" for speaker, said in parts)


def _end_sentence(sentence: _Sentence) -> str:
    text = sentence.text if sentence.text[-1] in ".!?…:;。！？" else f"{sentence.text}."
    return append_date(text, at=sentence.said_at) if sentence.said_at else text
