"""How the hits for a question about a whole topic follow each other. Pure: arrays in, places out.

Such an answer is made of the mentions of the topic, of which no single one answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from conversations.indexing.candidates import Floats, MessageBatch
from conversations.indexing.document import Mark
from conversations.search.query_parser import Question
from core.english.answer_shapes import Shape

MENTIONS = 100  # of the best hits are arranged, whatever number is wanted


def arrange_hits(batch: MessageBatch, best: Sequence[int], score: Floats, question: Question) -> dict[int, float]:
    """Return the places of the hits in the order in which they are answered, with scores that never rise.

    An order is made of one mention of each session; where users ask for what they said, of their own. A summary is
    made of exchanges: what the user said and the assistant's answer stand together, with the score of the better one.
    All else comes best first.
    """
    points = {at: float(score[at]) for at in best}
    arranged: dict[int, float] = {}
    if question.shape.shape is Shape.ORDER:
        mentions = _first_of_sessions(batch, best[:MENTIONS], is_own=question.is_first_person)
        arranged = {at: points[at] for at in mentions}
    elif question.shape.shape is Shape.SUMMARY:
        arranged = {at: points[hit] for at, hit in _exchanges(batch, best[:MENTIONS]).items()}
    others = {at: worth for at, worth in points.items() if at not in arranged}
    return dict(_never_rising(arranged | others))


def _first_of_sessions(batch: MessageBatch, best: Sequence[int], *, is_own: bool) -> list[int]:
    is_user = batch.traits["marks"] & Mark.FROM_USER != 0
    own = [at for at in best if is_user[at]] if is_own else best
    firsts: dict[int, int] = {}
    for at in own:
        firsts.setdefault(int(batch.sessions[at]), at)
    return list(dict.fromkeys([*firsts.values(), *own, *best]))


def _exchanges(batch: MessageBatch, best: Sequence[int]) -> dict[int, int]:
    """Return places of whole exchanges, each with the hit that it is there for."""
    is_user = batch.traits["marks"] & Mark.FROM_USER != 0
    found: dict[int, int] = {}
    for at in best:
        other = at + 1 if is_user[at] else at - 1
        is_answered = batch.share_session(at, other) and is_user[other] != is_user[at]
        for place in sorted((at, other)) if is_answered else (at,):
            found.setdefault(place, at)
    return found


def _never_rising(points: Mapping[int, float]) -> Iterator[tuple[int, float]]:
    least = 1.0
    for at, worth in points.items():
        least = min(least, worth)
        yield at, least
