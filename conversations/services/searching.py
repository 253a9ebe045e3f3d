"""Searching what was said: by words and by meaning, in one conversation or in the whole workspace."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from conversations.models import Message
from conversations.questions import Question, read_question
from conversations.ranking import Surroundings, best_by_words, reasons_for, scores, surroundings_of
from conversations.recipe import RECIPE, Recipe
from conversations.selectors import access_conversation
from conversations.services.reading import (
    FEW,
    QueryVector,
    read_all_compared,
    read_compared,
    read_nearest,
    read_words,
)
from conversations.stretches import Floats, Stretch, joined
from core.embedding import EmbedderError, default_embedder
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope
from workspaces.selectors import workspace_of
from workspaces.switches import memory_settings

# Read beside what is asked for, since a message of a block may be gone.
SPARE = 20


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that was found, its score in 0 to 1, and what speaks for it, the strongest reason first."""

    message: Message
    score: float
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class Found:
    """Hits best first; `method` is hybrid, or keyword where nothing was compared by meaning; in milliseconds."""

    hits: Sequence[Hit]
    method: str
    latency_ms: float


def search_messages(
    *, caller: Caller, query: str, limit: int = 10, conversation: str | None = None, recipe: Recipe = RECIPE
) -> Found:
    """Messages that still exist, for a question, in the conversation with this key or id or in the whole workspace.

    `limit` is 1 to 200. Without an embedder, or while the workspace's `memory.embed_messages` is off, words alone
    find, and `method` says `keyword`. Raises MissingScopeError without `read`, NotFoundError.
    """
    caller.require(Right.READ)
    started = time.perf_counter()
    with workspace_scope(caller):
        identity = access_conversation(caller, conversation).id if conversation is not None else None
        compares_meaning = memory_settings(workspace_of(caller)).embed_messages
    # Outside of the transaction, so that a slow model holds no connection.
    vector = _query_vector(query) if compares_meaning else None
    with workspace_scope(caller):
        stretch, score, parts = _Search(caller, identity, read_question(query), vector, recipe).ranked()
        best = np.argsort(-score, kind="stable")[: limit + SPARE]
        messages = _messages(caller, [UUID(bytes=stretch.ids[at].tobytes()) for at in best])
    hits = [
        Hit(message, round(float(score[at]), 6), reasons_for(parts, at))
        for at, message in zip(best, messages, strict=True)
        if message is not None and score[at] > 0
    ]
    method = "keyword" if vector is None else "hybrid"
    return Found(hits[:limit], method, round((time.perf_counter() - started) * 1000, 2))


@dataclass(frozen=True, slots=True)
class _Search:
    """What one search is about, for the steps that read."""

    caller: Caller
    conversation: UUID | None
    question: Question
    vector: QueryVector | None
    recipe: Recipe

    def ranked(self) -> tuple[Stretch, Floats, Mapping[str, Floats]]:
        """The messages that were looked at, their scores, and what each signal has added. For an open scope."""
        parts = read_words(caller=self.caller, conversation=self.conversation, question=self.question)
        surroundings = surroundings_of(parts, self.question)
        if self.conversation is None and sum(part.size for part in parts) > FEW:
            stretch = joined(self._candidates(parts, surroundings))
        else:
            stretch = joined(parts)
            if self.vector is not None:
                compared = read_all_compared(caller=self.caller, conversation=self.conversation, vector=self.vector)
                stretch = stretch.with_cosines(compared.beside(stretch.ids))
        return stretch, *scores(stretch, self.question, surroundings, self.recipe)

    def _candidates(self, parts: Sequence[Stretch], surroundings: Surroundings) -> list[Stretch]:
        """Of many messages the sessions of those that are found by words or by meaning."""
        by_words = best_by_words(parts, self.question, surroundings, self.recipe)
        if self.vector is None:
            return [part.only(part.sessions_of(found)) for part, found in zip(parts, by_words, strict=True)]
        nearest = read_nearest(caller=self.caller, vector=self.vector, most=self.recipe.candidates)
        kept, wanted = [], []
        for part, found in zip(parts, by_words, strict=True):
            cosines = nearest.beside(part.ids)
            near = part.with_cosines(cosines)
            candidates = np.union1d(found, np.flatnonzero(~np.isnan(cosines)))
            wanted.append(near.ids[near.unknown_beside(candidates)])
            kept.append(near.only(near.sessions_of(candidates)))
        more = read_compared(caller=self.caller, ids=np.concatenate(wanted), vector=self.vector)
        return [part.with_more_cosines(more.beside(part.ids)) for part in kept]


def _query_vector(query: str) -> QueryVector | None:
    embedder = default_embedder()
    if embedder is None:
        return None
    try:
        return QueryVector(embedder.model, embedder.embed_query(query))
    except EmbedderError:
        return None


def _messages(caller: Caller, ids: Sequence[UUID]) -> list[Message | None]:
    """The messages with these ids, None for one that is gone."""
    found = Message.objects.filter(workspace_id=caller.workspace_id).in_bulk(ids)
    return [found.get(identity) for identity in ids]
