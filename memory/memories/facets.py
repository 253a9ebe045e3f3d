"""Facets of memories for the people who curate them: how many stand where, and what agents do not see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import chain
from typing import cast

from django.db.models import Q, QuerySet

from core.clock import utc_now
from core.db.row_count import RowCount
from memory.memories.selectors import LEARNED, MemoryFilter, is_stale, memories_matching, nodes_here, stale_memories
from memory.models import Kind, Memory, MemoryQuerySet
from ontology.models import Node
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope
from workspaces.models import Workspace

# Beyond this many a list says "1,000+": counting all of 100,000 would take longer than everything else on the page.
MAX_COUNTED = 1_000

# Filters are offered from what the newest memories have; counting all of 100,000 would cost more than it tells.
MEMORIES_BEHIND_FACETS = 1_000
MAX_TAGS_OFFERED = 8


class Hidden(StrEnum):
    """Why agents do not see a memory."""

    SUPPRESSED = "suppressed"
    FORGOTTEN = "forgotten"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Census:
    """How many memories stand where, each counted up to MAX_COUNTED + 1.

    `suppressed`, `forgotten` and `expired` have nothing in common.
    """

    pinned: int
    facts: int
    suggestions: int
    suppressed: int
    forgotten: int
    expired: int
    stale: int

    @property
    def live(self) -> int:
        return self.facts + self.suggestions

    @property
    def hidden(self) -> int:
        return self.suppressed + self.forgotten + self.expired


@dataclass(frozen=True, slots=True)
class Facets:
    """Sources and tags that a list can be narrowed to, the most frequent first."""

    sources: Sequence[str]
    tags: Sequence[str]


def census(caller: Caller) -> Census:
    """Count the workspace's memories by where they stand, in one statement. Raises MissingScopeError without `read`."""
    caller.require(Right.READ)
    live = Memory.objects.of(caller).filter(node__is_deleted=False)
    # What only their nodes say is counted of these, without a join: each memory has one, and no other has its type.
    nodes = Node.objects.of(caller)
    with reading_scope(caller):
        places: dict[str, QuerySet[Memory] | QuerySet[Node]] = {
            "pinned": live.exclude(pinned_at=None),
            "facts": nodes.filter(is_deleted=False, type=Kind.FACT),
            "suggestions": nodes.filter(is_deleted=False, type=Kind.MEMORY),
            "stale": live.filter(is_stale(caller)),
            **{
                str(why): nodes.filter(condition, type__in=Kind.values)
                for why, condition in _hidden_conditions(utc_now(), node="").items()
            },
        }
        counted = {name: RowCount(rows.order_by().values("pk")[: MAX_COUNTED + 1]) for name, rows in places.items()}
        counts = Workspace.objects.filter(id=caller.workspace_id).values(**counted).get()
    return Census(**cast("dict[str, int]", counts))


def facets(caller: Caller, narrow: MemoryFilter) -> Facets:
    """Return what the newest memories of a list can be narrowed by."""
    with reading_scope(caller):
        newest = memories_matching(caller, narrow).order_by(f"-{LEARNED}", "-pk")
        rows = list(newest.values_list("source", "tags")[:MEMORIES_BEHIND_FACETS])
    sources = Counter(source for source, _ in rows)
    tags = Counter(chain.from_iterable(tags for _, tags in rows))
    return Facets(
        [source for source, _ in sources.most_common()], [tag for tag, _ in tags.most_common(MAX_TAGS_OFFERED)]
    )


def stale_count(caller: Caller) -> int:
    """Return how many memories are stale, to the last one, for those who are asked whether to forget them all."""
    with reading_scope(caller):
        return stale_memories(caller).count()


def hidden_memories(caller: Caller, why: Hidden | None = None) -> MemoryQuerySet:
    """Memories that agents do not see, for one reason or for any; for an open scope."""
    reasons = _hidden_conditions(utc_now())
    anything = reasons[Hidden.SUPPRESSED] | reasons[Hidden.FORGOTTEN] | reasons[Hidden.EXPIRED]
    condition = reasons[why] if why else anything
    # Every node of a memory is of these types, which the index in the order of time says of its own.
    mine = Memory.objects.of(caller).filter(nodes_here(caller), node__type__in=Kind.values)
    return mine.filter(condition).select_related("node")


def _hidden_conditions(now: datetime, node: str = "node__") -> dict[Hidden, Q]:
    """Return a condition for each reason; a memory has one, the one that a person would have to lift first.

    `node` leads from the queried model to the node.
    """
    live = Q(**{f"{node}is_deleted": False})
    over = Q(**{f"{node}expires_at__lte": now}) | Q(**{f"{node}valid_to__lte": now})
    return {
        Hidden.SUPPRESSED: live & Q(**{f"{node}suppressed_at__isnull": False}),
        Hidden.FORGOTTEN: ~live,
        Hidden.EXPIRED: live & Q(**{f"{node}suppressed_at": None}) & over,
    }
