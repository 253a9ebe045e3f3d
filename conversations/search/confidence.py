"""How probable it is that a message bears on a question. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from conversations.indexing.candidates import Floats, MessageBatch
from conversations.search.bm25 import Statistics
from conversations.search.query_parser import Question
from core.confidence import (
    ANSWERABLE,
    ANSWERABLE_ABOUT_KNOWN,
    ANSWERABLE_ABOUT_ONESELF,
    ANSWERABLE_ABOUT_UNKNOWN,
    UNANSWERED,
    ConfidenceWeights,
    doubt_unanswerable,
    is_near,
)
from core.english.standing_instructions import Guidance

# Of a message by itself, with a vector and without: whether the question is about what was said at all.
ALONE = ConfidenceWeights(constant=-12.03, cosine=10.77, coverage=2.25, nearby=2.46)
ALONE_BY_WORDS = ConfidenceWeights(constant=-6.48, coverage=2.64, nearby=3.57)
# Of a message among those of an answerable question.
AMONG_OTHERS = ConfidenceWeights(constant=-15.67, cosine=2.77, coverage=0.37, nearby=0.68, score=4.56, relative=10.0)
AMONG_OTHERS_BY_WORDS = ConfidenceWeights(constant=-13.15, coverage=0.74, nearby=1.13, score=0.46, relative=11.18)
# What guidance is worth that may apply: one in three of the best that were found did.
GUIDANCE_CONFIDENCE = {Guidance.INSTRUCTION: 0.35, Guidance.CONDITIONAL: 0.35, Guidance.PREFERENCE: 0.3}


def message_confidence(batch: MessageBatch, question: Question, statistics: Statistics, score: Floats) -> Floats:
    """Return the confidence of each message, whose scores are given."""
    worth = statistics.rarity(question)
    held = batch.mark_terms(len(question.terms))
    cosines = np.full(batch.size, np.nan) if batch.cosines is None else batch.cosines
    signals = {
        "cosine": np.nan_to_num(cosines),
        **_measure_words(batch, held, worth),
        "score": score,
        "relative": score / max(float(score.max(initial=0.0)), 1e-9),
    }

    waiting = np.isnan(cosines)  # for its vector
    # Whatever tells what is asked first answers the question; what is asked next of that may stand elsewhere.
    first = {**signals, **_measure_words(batch, held, worth * question.is_asked_first)}
    alone = np.where(waiting, ALONE_BY_WORDS.probability(first), ALONE.probability(first))
    among = np.where(waiting, AMONG_OTHERS_BY_WORDS.probability(signals), AMONG_OTHERS.probability(signals))
    lacks_name = any(statistics.holding[name] == 0 for name in question.names)
    # A name brings whatever has it near, so that being near says nothing then.
    is_answerable = not question.names and is_near(cosines, number=statistics.total)
    least = _least_answerable(question, lacks_name=lacks_name)
    return doubt_unanswerable(alone, among, least=least, is_answerable=is_answerable)


def _measure_words(batch: MessageBatch, held: NDArray[np.bool_], worth: Floats) -> dict[str, Floats]:
    """Return how much of the words that are worth something each message has, and has with its neighbours."""
    total = max(float(worth.sum()), 1e-9)
    return {"coverage": worth @ held / total, "nearby": worth @ batch.spread(held) / total}


def is_answered(confidence: Floats) -> bool:
    """Return whether these are of a question about something that was said: the best of its messages has more than any
    of another question, since it has its own score divided by itself."""
    return float(confidence.max(initial=0.0)) > ANSWERABLE_ABOUT_UNKNOWN * UNANSWERED


def _least_answerable(question: Question, *, lacks_name: bool) -> float:
    """Return what the best message of an answerable question has by itself, which depends on the names in it and on
    whether the question is about the one who asks."""
    if not question.names:
        return ANSWERABLE_ABOUT_ONESELF if question.is_first_person else ANSWERABLE
    return ANSWERABLE_ABOUT_UNKNOWN if lacks_name else ANSWERABLE_ABOUT_KNOWN
