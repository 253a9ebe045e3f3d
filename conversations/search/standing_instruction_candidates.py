"""Which messages may be guidance: what users have asked for once and for all. Pure: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from conversations.indexing.candidates import Floats, MessageBatch, Places, id_halves
from conversations.indexing.document import Mark, hash_lexemes
from conversations.search.query_parser import Question
from conversations.search.ranking import best_places
from core.english.lexemes import lexemes
from core.english.standing_instructions import GUIDANCE_WORDS, Guidance, guidance_kind, occasion

GUIDANCE_TERMS = hash_lexemes(sorted(GUIDANCE_WORDS))
# Of a question among many messages the newest ones that may be guidance are compared.
NEWEST = 200
# A question is this near to each of 13 instructions of chats that it was the occasion of, or shares a word with it, and
# to 20 of 35 of other chats.
NEAR_OCCASION = 0.58
# The best of which the beginning is read, and how many of each kind are taken.
READ_BEST = 60
TAKEN: Mapping[Guidance, int] = {Guidance.INSTRUCTION: 3, Guidance.CONDITIONAL: 3, Guidance.PREFERENCE: 3}


def guidance_places(batch: MessageBatch, terms: NDArray[np.uint32]) -> Places:
    """Return the places of what users said with a word of guidance; the batch has the postings of these terms."""
    worded = np.unique(batch.places[np.isin(terms[batch.terms], GUIDANCE_TERMS)])
    said: Places = worded[batch.traits["marks"][worded] & Mark.FROM_USER != 0]
    return said


def newest_places(batch: MessageBatch, places: Places) -> Places:
    """Return the newest of these places, in their order."""
    return np.sort(places[np.argsort(-batch.traits["said"][places].astype(np.int64), kind="stable")[:NEWEST]])


def best_candidates(batch: MessageBatch, score: Floats, ids: NDArray[np.void]) -> Places:
    """Return the best of the messages with these ids, best first."""
    if not len(ids):
        return np.empty(0, np.intp)
    among = np.flatnonzero(np.isin(id_halves(batch.ids), id_halves(ids)))
    chosen: Places = among[best_places(score[among], most=READ_BEST)]
    return chosen


def is_its_occasion(text: str, question: Question, cosine: float) -> bool:
    """Return whether a question may be what an instruction is for: it has a word of the occasion or comes near to the
    message by meaning. One that names no occasion is for all."""
    words = lexemes(occasion(text))
    return not words or cosine >= NEAR_OCCASION or bool(np.isin(hash_lexemes(words), question.terms).any())


def choose_guidance(beginnings: Sequence[tuple[int, str]]) -> Iterator[tuple[int, Guidance]]:
    """Yield the places of what is guidance, each with its kind; the beginnings come best first."""
    left = dict(TAKEN)
    for place, text in beginnings:
        kind = guidance_kind(text)
        if kind and left.get(kind, 0):
            left[kind] -= 1
            yield place, kind
