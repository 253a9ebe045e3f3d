"""Semantic recall: what was said earlier in a conversation and bears on a question, with its surroundings."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from conversations.messages.selectors import access_conversation, conversation_messages, surrounding_messages
from conversations.models import Message
from conversations.search.services.message_search import RankedMessage, search_messages
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.settings.workspace_settings import memory_settings


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
    top_k: int | None = None,
) -> PassageSearch:
    """Return the `top_k` (1 to 50) messages of a conversation that are found first, each with its surroundings.

    The workspace's settings say how many without `top_k`, and how many come before and after each. The newest message
    is not found where it is the query itself. Raises MissingScopeError without `read`, NotFoundError.
    """
    started = time.perf_counter()
    chosen = memory_settings(current_workspace(caller))
    found = search_messages(
        caller=caller,
        query=query,
        limit=top_k or chosen.recall_top_k,
        conversation=conversation,
        without=_query_message(caller, conversation, query),
    )
    with workspace_scope(caller):
        home = access_conversation(caller, conversation)
        around = surrounding_messages(
            caller, home, [hit.message for hit in found.hits], chosen.recall_before, chosen.recall_after
        )
        passages = [Passage(hit, *surrounding) for hit, surrounding in zip(found.hits, around, strict=True)]
    return PassageSearch(passages, found.method, round((time.perf_counter() - started) * 1000, 2))


def _query_message(caller: Caller, conversation: str, query: str) -> list[UUID]:
    """Return the id of the newest message, where it says what is looked for."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        newest = conversation_messages(caller, access_conversation(caller, conversation)).newest_first().first()
    return [newest.id] if newest and newest.content.strip() == query.strip() else []
