"""What the product is compared with inside this process: plain BM25 of a library, and the vectors alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi

from bench.recall.dataset import Talk
from bench.recall.product import Vectors, data_id
from core.embedding import Embedder
from core.text import lexemes

Ranker = Callable[[str], list[str]]  # a question → ids of the data, best first


def bm25_of(talk: Talk) -> Ranker:
    """rank-bm25 with its own constants (k1 1.5, b 0.75) over date, speaker and text; the product's lexemes."""
    library: Any = BM25Okapi([lexemes(f"{said.session_time} {said.speaker} {said.text}") for said in talk.messages])
    ids = [data_id(talk, said.id) for said in talk.messages]

    def rank(question: str) -> list[str]:
        order = np.argsort(-library.get_scores(lexemes(question)), kind="stable")
        return [ids[place] for place in order]

    return rank


def dense_of(talk: Talk, *, vectors: Mapping[str, Vectors], embedder: Embedder) -> Ranker:
    """Cosines alone, of the vectors that the product has stored."""
    ids = [data_id(talk, said.id) for said in talk.messages]
    matrix = np.stack([vectors[identity] for identity in ids])

    def rank(question: str) -> list[str]:
        order = np.argsort(-(matrix @ np.asarray(embedder.embed_query(question), np.float32)), kind="stable")
        return [ids[place] for place in order]

    return rank
