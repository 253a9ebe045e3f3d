"""What is stored and fits a query of the palette; without a query, what was used last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.postgres.search import SearchQuery
from django.db.models import Q, QuerySet

from conversations.messages.selectors import conversations_used_last, workspace_conversations
from conversations.models import Conversation
from core.clock import utc_now
from core.text import has_forbidden_characters
from memory.memories.search_cut import count_strong
from memory.memories.selectors import LEARNED, MemoryFilter, memories_by_id, memories_matching
from memory.memories.services.memory_search import search_memories
from memory.models import Kind, Memory
from memory.recall.overview.selectors import AgentActivity, recent_agents
from ontology.models import GOVERNED_TYPES, Node
from ontology.search.services.node_search import search_ontology
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

MAX_MEMORIES, MAX_THINGS, MAX_CONVERSATIONS, MAX_AGENTS = 6, 4, 3, 3
# Memories are nodes as well: of this many hits those are taken that are not.
SEARCHED_NODES = 24
# A word that is still being typed is looked for from this number of letters on; further words say no more.
MIN_LETTERS, MAX_WORDS = 3, 8
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FoundObjects:
    """What was found of each kind, the best or the latest first."""

    memories: Sequence[Memory] = ()
    things: Sequence[Node] = ()
    conversations: Sequence[Conversation] = ()
    agents: Sequence[AgentActivity] = ()


def find_objects(caller: Caller, query: str) -> FoundObjects:
    """Return what fits a query whose last word may not be complete: memories by words and meaning, things by words, the
    others by a part of their name."""
    caller.require(Right.READ)
    if has_forbidden_characters(query):
        return FoundObjects()
    hits = search_memories(caller=caller, query=query, limit=MAX_MEMORIES).hits
    strong = count_strong([(hit.found.score, "keyword" in hit.found.places, hit.found.confidence) for hit in hits])
    nodes = search_ontology(caller=caller, query=query, mode="keyword", top_k=SEARCHED_NODES).hits
    memories = {hit.memory.pk: hit.memory for hit in hits[:strong]}
    things = {hit.node.id: hit.node for hit in nodes if hit.node.type not in GOVERNED_TYPES}
    with workspace_scope(caller):
        if prefix := prefix_query(query):
            known = (
                _matching_nodes(caller, prefix).filter(type__in=Kind.values).values_list("id", flat=True)[:MAX_MEMORIES]
            )
            memories |= {pk: each for pk, each in memories_by_id(caller, list(known)).items() if pk not in memories}
            named = _matching_nodes(caller, prefix).exclude(type__in=GOVERNED_TYPES)[:MAX_THINGS]
            things |= {each.id: each for each in named if each.id not in things}
        titled = workspace_conversations(caller).filter(Q(title__icontains=query) | Q(key__icontains=query))
        conversations = list(titled[:MAX_CONVERSATIONS])
    agents = [each for each in recent_agents(caller, now=utc_now()) if query.lower() in each.name.lower()]
    return FoundObjects(
        [*memories.values()][:MAX_MEMORIES], [*things.values()][:MAX_THINGS], conversations, agents[:MAX_AGENTS]
    )


def prefix_query(query: str) -> SearchQuery | None:
    """Return what texts hold that have all words of a query, the last of them as a beginning; None for a short one."""
    words = _WORD.findall(query)[:MAX_WORDS]
    if not words or len(words[-1]) < MIN_LETTERS:
        return None
    return SearchQuery(
        " & ".join([*(f"'{word}'" for word in words[:-1]), f"'{words[-1]}':*"]), config="english", search_type="raw"
    )


def recent_objects(caller: Caller) -> FoundObjects:
    """Return the memories that were learned and the conversations that were used last."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        mine = memories_matching(caller, MemoryFilter()).filter(node__suppressed_at=None)
        memories = list(mine.order_by(f"-{LEARNED}", "-pk")[:MAX_CONVERSATIONS])
    return FoundObjects(memories, conversations=conversations_used_last(caller, limit=MAX_CONVERSATIONS))


def _matching_nodes(caller: Caller, words: SearchQuery) -> QuerySet[Node]:
    """Return what may be recalled and has these words, the newest first, in an open scope."""
    return Node.objects.of(caller).recallable(utc_now()).filter(words=words).defer("words").order_by("-id")
