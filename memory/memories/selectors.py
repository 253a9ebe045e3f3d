"""Reading memories. `access_memory` is the only road from an outside id to a memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.db.models import F, Max, Q, QuerySet

from core.clock import utc_now
from core.text.tokens import count_tokens
from memory.memories.history.past_values import (
    NO,
    YES,
    earlier_json,
    past_flag,
    past_text,
    with_past_words,
    without_hidden,
)
from memory.models import (
    Kind,
    Memory,
    MemoryQuerySet,
    MemoryRevision,
    MemorySource,
    RunCitation,
)
from ontology.models import Edge, Node
from ontology.nodes_and_edges.querysets import NodeQuerySet
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.compiled_queries import CallerQuery
from workspaces.access.scope import reading_scope, scope_notes
from workspaces.access.tenancy import refuse_absent
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import memory_settings

# Beyond this, pages say "over budget" without counting every token.
MAX_FACTS_COUNTED = 2_000
# The type of the edge from a memory to an older one that it may not close.
CONTRADICTS, MAX_CONTRADICTING = "contradicts", 3
MAX_GENERATIONS = 5
# What lists are in the order of: imported memories have ids of today, and times of their own.
LEARNED = "node__created_at"


Rows = TypeVar("Rows", MemoryQuerySet, NodeQuerySet)

# In the order of its index: right after an upgrade nothing is known of the column, and all memories would be read.
_A_REPLACED_MEMORY = CallerQuery(
    lambda caller, _: (
        Memory.objects.of(caller).exclude(superseded_by=None).order_by("superseded_by").values_list("pk")[:1]
    )
)


@dataclass(frozen=True, slots=True)
class Moments:
    """For when something is asked: when it was true, and when it was known. Without either, now."""

    as_of: datetime | None = None
    known_at: datetime | None = None

    @property
    def valid_moment(self) -> datetime:
        """The moment at which it must be true: of what was known at a time, what was true at that time."""
        return self.as_of or self.known_at or utc_now()

    @property
    def until(self) -> datetime | None:
        """The time after which nothing was said that counts; None where all of it does."""
        return min((each for each in (self.as_of, self.known_at) if each is not None), default=None)

    @property
    def are_set(self) -> bool:
        return self.as_of is not None or self.known_at is not None

    def condition(self, node: str = "") -> Q:
        """Return what was stated by then as a query; `node` leads from the queried model to the node."""
        condition = Q()
        if self.as_of:
            condition &= Q(**{f"{node}created_at__lte": self.as_of}) | Q(**{f"{node}valid_from__lte": self.as_of})
        if self.known_at:
            condition &= Q(**{f"{node}created_at__lte": self.known_at})
        return condition

    def recallable(self, nodes: NodeQuerySet, *, or_valid: Q | None = None) -> NodeQuerySet:
        """Return those of the nodes that could be recalled then, by the words of then, and that may be recalled now;
        what was learned later closed nothing yet."""
        wanted = self._closed_later | (or_valid or Q())
        found = nodes.recallable(self.valid_moment, or_valid=wanted).filter(self.condition())
        return with_past_words(without_hidden(found, self.until), self.until) if self.until else found

    def of_kind(self, nodes: NodeQuerySet, kind: Kind) -> NodeQuerySet:
        """Return those of the nodes that are, or were then, of a kind."""
        if self.until is None:
            return nodes.filter(type=kind)
        found: NodeQuerySet = nodes.alias(past_kind=past_text("kind", self.until, current="type"))
        return found.filter(Q(past_kind=kind))

    def valid_nodes(self, nodes: NodeQuerySet) -> NodeQuerySet:
        """Return those of the nodes that held then, suppressed and forgotten ones included."""
        return nodes.valid(self.valid_moment, or_valid=self._closed_later).filter(self.condition())

    @property
    def _closed_later(self) -> Q:
        return Q(memory__superseded_at__gt=self.known_at) if self.known_at else Q()

    def have_closed(self, memory: Memory) -> bool:
        """Return whether a memory was closed by then, as far as was known."""
        is_over = memory.node.valid_to is not None and memory.node.valid_to <= self.valid_moment
        is_known = self.known_at is None or (memory.superseded_at is not None and memory.superseded_at <= self.known_at)
        return memory.is_closed and is_over and is_known


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """What lists and searches can be narrowed to. `tags` means all of them.

    `as_of` asks what was true then, `known_at` what was known then (of that time, unless `as_of` names another);
    `extracted_from` is the conversation in which it was said.
    """

    kinds: Sequence[str] = ()
    tags: Sequence[str] = ()
    sources: Sequence[str] = ()
    pinned: bool | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    extracted_from: UUID | None = None

    @property
    def moments(self) -> Moments:
        """The times that are asked for."""
        return Moments(self.as_of, self.known_at)

    def narrow(self, rows: Rows, prefix: str = "", node: str = "node__") -> Rows:
        """Return the rows that match; `prefix` and `node` lead from them to the memory and to its node.

        Kind, tags, source and pin are those of the moment that is asked for.
        """
        until = self.moments.until
        if until is None:
            return rows.filter(self.condition(prefix, node))
        is_pinned = Q(**{f"{prefix}pinned_at__isnull": False})
        past = rows.alias(
            past_kind=past_text("kind", until, current=f"{node}type"),
            past_source=past_text("source", until, current=f"{prefix}source"),
            past_pin=past_flag("pinned", until, is_set=is_pinned),
            past_tags=earlier_json("tags", until),
        )
        condition = replace(self, kinds=(), tags=(), sources=(), pinned=None).condition(prefix, node)
        if self.kinds:
            condition &= Q(past_kind__in=list(self.kinds))
        if self.sources:
            condition &= Q(past_source__in=list(self.sources))
        if self.pinned is not None:
            condition &= Q(past_pin=YES if self.pinned else NO)
        if self.tags:
            untouched = Q(past_tags__isnull=True, **{f"{prefix}tags__contains": list(self.tags)})
            condition &= untouched | Q(past_tags__contains=list(self.tags))
        return past.filter(condition)

    def condition(self, prefix: str = "", node: str = "node__") -> Q:
        """Return the filter as a query by what is there now, whatever the moment; arguments as in `narrow`."""
        condition = Q()
        if self.kinds:
            condition &= Q(**{f"{node}type__in": list(self.kinds)})
        if self.tags:
            condition &= Q(**{f"{prefix}tags__contains": list(self.tags)})
        if self.sources:
            condition &= Q(**{f"{prefix}source__in": list(self.sources)})
        if self.pinned is not None:
            condition &= Q(**{f"{prefix}pinned_at__isnull": not self.pinned})
        if self.created_after:
            condition &= Q(**{f"{node}created_at__gt": self.created_after})
        if self.created_before:
            condition &= Q(**{f"{node}created_at__lt": self.created_before})
        if self.extracted_from:
            said = MemorySource.objects.filter(conversation_id=self.extracted_from)
            condition &= Q(**{f"{prefix}pk__in": said.values("memory_id")})
        return condition & self.moments.condition(node)


@dataclass(frozen=True, slots=True)
class FactsBudget:
    """How much of the assembled context the facts alone take, in tokens."""

    tokens: int
    budget: int

    @property
    def is_exceeded(self) -> bool:
        return self.tokens > self.budget


def access_memory(caller: Caller, memory_id: UUID, *, lock: bool = False, with_forgotten: bool = False) -> Memory:
    """Return a memory of the caller's workspace, with its node. Raises NotFoundError; absent and forbidden look the
    same.

    `lock` keeps the rows until the end of the caller's open scope. Forgotten memories count as absent unless asked for.
    """
    caller.require(Right.READ)
    with reading_scope(caller):
        known = Memory.objects.of(caller).select_related("node").filter(pk=memory_id)
        found = known if with_forgotten else known.live()
        locked = found.select_for_update(of=("self", "node"), no_key=True) if lock else found
        memory: Memory | None = locked.first()
        return memory or refuse_absent(found, lock=lock)


def memories_matching(caller: Caller, narrow: MemoryFilter, *, with_forgotten: bool = False) -> MemoryQuerySet:
    """Live memories for a list, suppressed and expired ones included: people must see what they govern.

    For another moment: those that were live and held then, and are live now (`with_forgotten`: or forgotten since).
    """
    mine, until = Memory.objects.of(caller), narrow.moments.until
    if not with_forgotten or until is None:
        mine = mine.live()
    if until:
        held = narrow.moments.valid_nodes(Node.objects.of(caller))
        mine = mine.filter(node__in=held).alias(
            was_deleted=past_flag("is_deleted", until, is_set=Q(node__is_deleted=True))
        )
        mine = mine.filter(Q(was_deleted=NO))
    # Every memory is of one of these types, and the index in the order of time has no other nodes.
    narrowed = narrow.narrow(mine).filter(nodes_here(caller), node__type__in=Kind.values)
    return narrowed.select_related("node")


def nodes_here(caller: Caller) -> Q:
    """Return a condition on memories that says of their nodes, too, in which spaces they are: true of each, and what
    the index needs that has nodes in the order of time."""
    here = Q(node__workspace_id=caller.workspace_id)
    return here if caller.reach.every else here & Q(node__space_id__in=caller.reach.read)


def recallable_nodes(caller: Caller, narrow: MemoryFilter) -> NodeQuerySet:
    """Return the nodes behind memories that may be recalled now, or at the moments of the filter."""
    nodes = narrow.moments.recallable(Node.objects.of(caller)).filter(type__in=Kind.values)
    return narrow.narrow(nodes, prefix="memory__", node="")


def memories_by_id(caller: Caller, ids: Sequence[UUID]) -> dict[UUID, Memory]:
    """Memories with their nodes, by id, for an open scope."""
    found = Memory.objects.of(caller).select_related("node").filter(pk__in=ids)
    return {memory.pk: memory for memory in found}


def find_duplicate(caller: Caller, mark: str, *, lock: bool = False) -> Memory | None:
    """Return the live memory with exactly this fingerprint, if there is one; `lock` as in `access_memory`."""
    twins = Memory.objects.in_written_space(caller).select_related("node").filter(live_fingerprint=mark)
    if lock:
        twins = twins.select_for_update(of=("self", "node"), no_key=True)
    twin: Memory | None = twins.first()
    return twin


def is_recallable(caller: Caller, memory: Memory) -> bool:
    """Return whether agents are given the memory now, for an open scope."""
    return bool(Memory.objects.of(caller).recallable(utc_now()).filter(pk=memory.pk).exists())


def pin_recommendations(caller: Caller, *, limit: int) -> list[Memory]:
    """Return unpinned, recallable memories by citations, then the most recently cited first.

    What an agent cited of its own does not count, so that it recommends nothing that it wrote itself.
    """
    caller.require(Right.READ)
    with reading_scope(caller):
        cited = (
            Memory.objects.of(caller).recallable(utc_now()).filter(pinned_at=None, node__independent_references__gt=0)
        )
        ranked = cited.order_by(
            "-node__independent_references", F("node__last_referenced_at").desc(nulls_last=True), "-pk"
        )
        return list(ranked.select_related("node")[:limit])


def stale_memories(caller: Caller) -> MemoryQuerySet:
    """Memories that were never cited, and not touched for the workspace's `retention_days`; facts and pins never are.

    Every step of their history touches them: being remembered, imported, edited, restored, demoted, unpinned, weighed,
    … What was closed is history, and stays. For an open scope.
    """
    mine = Memory.objects.of(caller).live()
    return mine.filter(is_stale(caller)).select_related("node").order_by(LEARNED, "pk")


def cited_in_any_space(workspace_id: UUID, ids: Sequence[UUID]) -> set[UUID]:
    """Return those of the memories that a succeeded run has cited, in whatever space: for what must not be seen."""
    everywhere = maintenance_caller(workspace_id, "purge")
    with reading_scope(everywhere):
        cited = RunCitation.objects.of(everywhere).filter(memory_id__in=list(ids), is_counted=True)
        return set(cited.values_list("memory_id", flat=True))


def _retention_days(caller: Caller) -> int:
    """Return the workspace's setting, asked once in a scope."""
    notes, name = scope_notes(), f"retention days {caller.workspace_id}"
    if name not in notes:
        notes[name] = str(memory_settings(Workspace.objects.get(id=caller.workspace_id)).retention_days)
    return int(notes[name])


def is_stale(caller: Caller) -> Q:
    """Return the condition behind `stale_memories` on live memories, for an open scope."""
    before = utc_now() - timedelta(days=_retention_days(caller))
    return Q(pinned_at=None, superseded_at=None, node__type=Kind.MEMORY, node__reference_count=0, touched_at__lt=before)


def facts_budget(caller: Caller) -> FactsBudget:
    """Return how the recallable facts compare with the workspace's token budget."""
    with reading_scope(caller):
        budget = memory_settings(Workspace.objects.get(id=caller.workspace_id)).token_budget
        facts = Node.objects.of(caller).recallable(utc_now()).filter(type=Kind.FACT)
        texts = list(facts.values_list("body", flat=True)[:MAX_FACTS_COUNTED])
    return FactsBudget(count_tokens("\n".join(texts)), budget)


def memory_revisions(caller: Caller, memory: Memory) -> QuerySet[MemoryRevision]:
    """Return a memory's steps, newest first."""
    steps = MemoryRevision.objects.of(caller).filter(memory=memory)
    return steps.prefetch_related("sources__conversation").order_by("-id")


def contradicting_memories(caller: Caller, memory: Memory) -> MemoryQuerySet:
    """Return recallable memories that say otherwise and may not close this one, newest first, for an open scope."""
    edges = Edge.objects.of(caller).live().filter(type=CONTRADICTS, target=memory.pk)
    found = Memory.objects.of(caller).recallable(utc_now()).filter(pk__in=edges.values("source"))
    return found.select_related("node").order_by("-pk")[:MAX_CONTRADICTING]


def replacement_condition(caller: Caller) -> Q:
    """Return the condition for the nodes of replaced memories."""
    return Q(id__in=Memory.objects.of(caller).exclude(superseded_by=None).values("pk"))


def find_replaced_nodes(caller: Caller) -> Q | None:
    """Return `replacement_condition`, for an open scope; None where there are none."""
    return replacement_condition(caller) if _A_REPLACED_MEMORY.rows(caller) else None


def current_memories(caller: Caller, ids: Collection[UUID], moments: Moments) -> dict[UUID, UUID]:
    """Return, for those of the memories that were replaced, which one stands for them then; for an open scope."""
    heirs = {each: each for each in ids}
    for _ in range(MAX_GENERATIONS):
        replaced = Memory.objects.of(caller).filter(pk__in=set(heirs.values())).exclude(superseded_by=None)
        found = {
            each.pk: each.superseded_by_id for each in replaced.select_related("node") if moments.have_closed(each)
        }
        if not found:
            break
        heirs = {each: found.get(heir) or heir for each, heir in heirs.items()}
    return {each: heir for each, heir in heirs.items() if heir != each}


def find_replacement_dates(caller: Caller, ids: Collection[UUID], moments: Moments) -> dict[UUID, datetime]:
    """Return since when memories hold that have replaced others, by id, for an open scope."""
    closed = Memory.objects.of(caller).filter(superseded_by__in=ids, node__valid_to__lte=moments.valid_moment)
    if moments.known_at:
        closed = closed.filter(superseded_at__lte=moments.known_at)
    return dict(closed.values_list("superseded_by").annotate(since=Max("node__valid_to")).order_by())
