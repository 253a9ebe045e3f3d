"""BM25 of messages and of sessions (Robertson and Zaragoza 2009, formula 3.15). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from conversations.indexing.candidates import Floats, MessageBatch, Places
from conversations.search.query_parser import Question
from conversations.search.ranking_weights import RankingWeights


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of the documents that are searched: how many hold each term of the question, how many there are, how long."""

    holding: Floats
    total: int
    mean_length: float

    def worth(self, question: Question) -> Floats:
        """Return the inverse document frequency of each term, times how often it is asked for; 0 where nothing holds
        it."""
        worth: Floats = np.where(self.holding > 0, self.rarity(question), 0.0)
        return worth

    def rarity(self, question: Question) -> Floats:
        """Return the same with terms that nothing holds: they are the rarest."""
        rarity: Floats = np.log1p((self.total - self.holding + 0.5) / (self.holding + 0.5)) * question.counts
        return rarity


def merge_statistics(parts: Sequence[Statistics]) -> Statistics:
    """Return the statistics of the documents of all parts."""
    total = sum(part.total for part in parts)
    length = sum(part.mean_length * part.total for part in parts) / max(total, 1)
    return Statistics(np.sum([part.holding for part in parts], axis=0), total, length)


def message_statistics(batch: MessageBatch, question: Question) -> Statistics:
    holding = np.bincount(batch.terms, minlength=len(question.terms))
    length = float(batch.traits["length"].sum()) / max(batch.size, 1)
    return Statistics(holding.astype(np.float64), batch.size, length)


def session_statistics(batch: MessageBatch, question: Question) -> Statistics:
    """Return the statistics of sessions, each as one document."""
    held = np.zeros((len(question.terms), batch.session_count), bool)
    held[batch.terms, batch.sessions[batch.places]] = True
    length = float(batch.traits["length"].sum()) / max(batch.session_count, 1)
    return Statistics(held.sum(axis=1).astype(np.float64), batch.session_count, length)


def message_scores(batch: MessageBatch, question: Question, statistics: Statistics, ranking: RankingWeights) -> Floats:
    lengths = batch.traits["length"].astype(np.float64)
    found = _Postings(batch.terms, batch.places, batch.counts.astype(np.float64))
    return _scores(found, lengths, statistics, question, ranking)


def session_scores(batch: MessageBatch, question: Question, statistics: Statistics, ranking: RankingWeights) -> Floats:
    """Return for each message BM25 of its session."""
    count = max(1, batch.session_count)
    counts = np.bincount(batch.terms * count + batch.sessions[batch.places], batch.counts).astype(np.float64)
    pairs = np.flatnonzero(counts)
    lengths = np.bincount(batch.sessions, batch.traits["length"], count).astype(np.float64)
    found = _Postings(pairs // count, pairs % count, counts[pairs])
    return _scores(found, lengths, statistics, question, ranking)[batch.sessions]


@dataclass(frozen=True, slots=True)
class _Postings:
    """Which term stands in which document, and how often."""

    terms: Places
    documents: Places
    counts: Floats


def _scores(
    found: _Postings, lengths: Floats, statistics: Statistics, question: Question, ranking: RankingWeights
) -> Floats:
    longer = ranking.k1 * (1 - ranking.b + ranking.b * lengths / max(statistics.mean_length, 1e-9))
    worth = statistics.worth(question)[found.terms]
    gain = worth * found.counts * (ranking.k1 + 1) / (found.counts + longer[found.documents])
    scores: Floats = np.bincount(found.documents, gain, len(lengths)).astype(np.float64)
    return scores
