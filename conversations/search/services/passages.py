"""Semantic recall: what was said earlier in a conversation and bears on a question, with its surroundings."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from conversations.messages.selectors import access_conversation, conversation_messages, surrounding_messages
from conversations.models import Message
from conversations.search.services.message_search import RankedMessage, search_messages
from core.embedding import QueryVector
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

DEFAULT_TOP_K = 5
BEFORE, AFTER = 2, 1


@dataclass(frozen=True, slots=True)
class Passage:
    """A message that was found, with those of its session that come right before and after it, oldest first."""

    hit: RankedMessage
    before: Sequence[Message]
    after: Sequence[Message]


@dataclass(frozen=True, slots=True)
class PassageSearch:
    """Passages, the best first; `method` as for a search."""

    passages: Sequence[Passage]
    method: str
    latency_ms: float


def recall_messages(
    *,
    caller: Caller,
    conversation: str,
    query: str,
    top_k: int = DEFAULT_TOP_K,
    beyond_last: int = 0,
    embedding: Future[QueryVector | None] | None = None,
) -> PassageSearch:
    """Return the `top_k` (1 to 50) messages of a conversation that are found first, each with two before and one after
    it.

    The newest `beyond_last` (0 to 100) are left out: the caller has them already. Raises MissingScopeError
    without `read`, NotFoundError. `embedding` as in `search_messages`.
    """
    started = time.perf_counter()
    found = search_messages(
        caller=caller, query=query, limit=top_k + beyond_last, conversation=conversation, embedding=embedding
    )
    with workspace_scope(caller):
        home = access_conversation(caller, conversation)
        newest = set(conversation_messages(caller, home).newest_first().values_list("id", flat=True)[:beyond_last])
        hits = [hit for hit in found.hits if hit.message.id not in newest][:top_k]
        around = surrounding_messages(caller, home, [hit.message for hit in hits], BEFORE, AFTER)
        passages = [Passage(hit, *surrounding) for hit, surrounding in zip(hits, around, strict=True)]
    return PassageSearch(passages, found.method, round((time.perf_counter() - started) * 1000, 2))
