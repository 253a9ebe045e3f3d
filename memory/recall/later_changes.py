"""What was said later and changes what answers a question: a new date, another price, a plan that fell through. Pure.

Such a text has few words of the question, so that a search gives it next to nothing. Three signs together tell it:
it comes near what it changes, it tells of an end or a change, and a change has a value of the same kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from core.english.lexemes import lexemes
from memory.memories.replacement.text_features import read_sketch

# Why a change is in a context.
CHANGED_SINCE = "said later, and may change what was found"
# Characters that are looked at of a text.
READ = 600
# Of the three best those answer the question that have this part of the confidence of the best one, and this much.
ANSWERS, PART_OF_BEST, SURE = 3, 0.3, 0.02
# How near a change comes to what it changes, as a cosine. Together with the cosine to the question it has the second
# where both share a word, and the third where they do not.
NEAR, NEAR_BOTH, NEAR_WITHOUT_WORD = 0.5, 0.95, 1.2
# A word tells what a text is about where no more of the later texts have it than these, or than this part of them.
FEW, COMMON = 4, 0.25
# The most of the nearest texts that are read for each answer, and the most changes that come along with it.
COMPARED, CHANGES = 6, 2
# What a change is worth next to its answer: it comes in where there is room, and takes no other one's place.
WORTH = 0.05


@dataclass(frozen=True, slots=True)
class LaterText:
    """What was said after an answer, and how near it comes to that and to the question, as cosines."""

    answer: UUID
    id: UUID
    cosine: float
    cosine_of_question: float
    text: str


def choose_answers(confidences: Iterable[tuple[UUID, float]]) -> list[UUID]:
    """Return which of what was found answers the question, so that a change of it matters; none where nothing does."""
    ordered = sorted(confidences, key=lambda pair: -pair[1])[:ANSWERS]
    least = max(SURE, ordered[0][1] * PART_OF_BEST) if ordered else 0.0
    return [identity for identity, confidence in ordered if confidence >= least]


def choose_changes(
    query: str, answers: Mapping[UUID, tuple[str, float]], later: Sequence[LaterText]
) -> dict[UUID, float]:
    """Return what changes answers, which are given with their texts and confidences: of each the nearest, by its id
    with the confidence that it gets."""
    words = {each.id: frozenset(lexemes(each.text)) for each in later}
    held = Counter(word for some in words.values() for word in some)
    most = max(FEW, COMMON * len(words))
    telling = {word for word, count in held.items() if count <= most}
    chosen: dict[UUID, float] = {}
    for answer, (text, confidence) in answers.items():
        about = telling.intersection(lexemes(f"{query} {text}"))
        nearness = {each: _nearness(each, about & words[each.id]) for each in later if each.answer == answer}
        near = sorted((each for each in nearness if nearness[each] >= 0), key=lambda each: -nearness[each])
        changes = (each for each in near[:COMPARED] if tells_change(each.text, of=text))
        for change in islice(changes, CHANGES):
            chosen[change.id] = max(chosen.get(change.id, 0.0), round(confidence * WORTH, 4))
    return chosen


def _nearness(later: LaterText, shared: set[str]) -> float:
    """Return how much nearer a text is than a change has to be, with the words that it shares."""
    return later.cosine + later.cosine_of_question - (NEAR_BOTH if shared else NEAR_WITHOUT_WORD)


def tells_change(text: str, *, of: str) -> bool:
    """Return whether a later text says that something is over; or that something changed or is so now, with a value of
    a kind that the older one has."""
    newer = read_sketch(text)
    if newer.ends:
        return True
    kinds = {value.kind for value in newer.items}
    return bool(newer.changes or newer.nows) and not kinds.isdisjoint(value.kind for value in read_sketch(of).items)
