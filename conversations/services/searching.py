"""Searching what was said: by words and by meaning, in one conversation or in the whole workspace."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from conversations.models import Message
from conversations.questions import read_question
from conversations.ranking import best_by_words, reasons_for, scores
from conversations.recipe import RECIPE, Recipe
from conversations.selectors import access_conversation
from conversations.services.scopes import QueryVector, read_cosines, read_sheets
from core.embedding import EmbedderError, default_embedder
from workspaces.callers import Caller, Right
from workspaces.models import Workspace
from workspaces.scope import workspace_scope
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
    identity = access_conversation(caller, conversation).id if conversation is not None else None
    # Outside of the transaction, so that a slow model holds no connection.
    vector = _query_vector(caller, query)
    question = read_question(query)
    with workspace_scope(caller):
        scope = read_sheets(caller=caller, conversation=identity, question=question)
        if vector is not None:
            cosines = read_cosines(
                caller=caller,
                conversation=identity,
                scope=scope,
                vector=vector,
                candidates=recipe.candidates,
                by_words=best_by_words(scope, question, recipe),
            )
            scope = replace(scope, cosines=cosines)
        score, parts = scores(scope, question, recipe)
        best = np.argsort(-score, kind="stable")[: limit + SPARE]
        messages = _messages(caller, [UUID(bytes=scope.ids[at].tobytes()) for at in best])
    hits = [
        Hit(message, round(float(score[at]), 6), reasons_for(parts, at))
        for at, message in zip(best, messages, strict=True)
        if message is not None and score[at] > 0
    ]
    method = "keyword" if vector is None else "hybrid"
    return Found(hits[:limit], method, round((time.perf_counter() - started) * 1000, 2))


def _query_vector(caller: Caller, query: str) -> QueryVector | None:
    embedder = default_embedder()
    if embedder is None or not _compares_meaning(caller):
        return None
    try:
        return QueryVector(embedder.model, embedder.embed_query(query))
    except EmbedderError:
        return None


def _compares_meaning(caller: Caller) -> bool:
    with workspace_scope(caller):
        workspace = Workspace.objects.live().filter(id=caller.workspace_id).first()
    return workspace is not None and memory_settings(workspace).embed_messages


def _messages(caller: Caller, ids: Sequence[UUID]) -> list[Message | None]:
    """The messages with these ids, None for one that is gone."""
    found = Message.objects.filter(workspace_id=caller.workspace_id).in_bulk(ids)
    return [found.get(identity) for identity in ids]
