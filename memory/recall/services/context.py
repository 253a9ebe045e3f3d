"""Assembling context for an agent: gather every layer behind its own limit, fit it into the budget, keep a receipt."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from itertools import starmap
from uuid import UUID

from conversations.messages.selectors import resolve_conversation
from conversations.search.services.passages import Passage, recall_messages
from core.clock import utc_now
from core.db.statement_limit import statement_limit
from core.embedding import QueryVector, begin_query_vector
from core.text.tokens import count_tokens
from memory.episodes.selectors import conversation_episodes
from memory.memories.weights import context_score
from memory.models import ContextReceipt, Kind, MemoryEpisode, UserMemory
from memory.recall.budget import OVER_BUDGET, Assembled, Block, Item, assemble
from memory.recall.context_items import COLUMNS, MEMORY_COLUMNS, NodeRow, RankedNode, memory_item, node_item
from memory.recall.guard import Found, run_layer
from memory.recall.messages import message_items
from memory.recall.prompt_format import EPISODES_HEADING, episode_line, profile_section
from memory.recall.provenance import SourceClass, profile_provenance
from memory.working_memory.profile_sections import filled_sections
from ontology.models import Node
from ontology.search.services.hybrid_ranking import rank_nodes
from telemetry.actions.services.capture import caller_session
from telemetry.models import Pattern
from telemetry.patterns.services.injection import HEADING as PATTERNS_HEADING
from telemetry.patterns.services.injection import inject_patterns, pattern_line
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.settings.workspace_settings import memory_settings

# No statement of a layer may run for longer than this.
LAYER_SECONDS = 1.0
SEARCHED = 40
RECALLED_EPISODES = 5
EPISODES_SHARE = MESSAGES_SHARE = 0.3
RECENT_MESSAGES = 20  # that whoever asks for a context is taken to have

FACTS_HEADING = "Facts of this workspace. They are authoritative; never contradict them:"
PROFILE_HEADING = "What is known about this user:"
MESSAGES_HEADING = "Said earlier in this conversation:"
MEMORIES_HEADING = "Memories that may help. Weigh them against other context:"
NODES_HEADING = "Related things this workspace knows about:"
AUTHORITATIVE = "authoritative"


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What a context is wanted for. `token_budget` is in tokens; without it the workspace's setting counts.

    `draw` is a random number from 0 to 1: it decides whether warnings are held out.
    """

    query: str
    conversation: str = ""
    node_ids: Sequence[UUID] = ()
    token_budget: int | None = None
    draw: float = 1.0
    user: str = ""


@dataclass(frozen=True, slots=True)
class LayerTrace:
    """How one layer fared: its milliseconds, how many items it found, and whether it had to be left out."""

    layer: str
    milliseconds: float
    found: int
    is_left_out: bool


@dataclass(frozen=True, slots=True)
class Context:
    """An assembled context with its explanation."""

    assembled: Assembled
    token_budget: int
    left_out: Sequence[str]
    trace: Sequence[LayerTrace]
    receipt_id: UUID | None


@dataclass(slots=True)
class _Gathering:
    """Runs layers one by one; a layer that fails or takes too long is left out, and the rest goes on."""

    trace: list[LayerTrace] = field(default_factory=list)
    method: str = ""

    def layer(self, name: str, work: Callable[[], Sequence[Found]]) -> Sequence[Found]:
        started = time.perf_counter()
        found = run_layer(name, work)
        took = round((time.perf_counter() - started) * 1000, 2)
        self.trace.append(LayerTrace(name, took, len(found or ()), found is None))
        return found or ()

    def leave_out(self, name: str) -> None:
        self.trace.append(LayerTrace(name, 0.0, 0, is_left_out=True))

    @property
    def left_out(self) -> list[str]:
        return [layer.layer for layer in self.trace if layer.is_left_out]


def assemble_context(*, caller: Caller, wanted: ContextRequest) -> Context:
    """What an agent should know before it answers: facts, episodes, memories and related things, within the budget.

    Facts are complete whatever the budget is. A layer that fails is named in `left_out`. Why each item is in, or is
    not, is kept in a receipt that holds no text. Raises MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    started = time.perf_counter()
    # Layers that need no vector are read while it is made.
    embedding = begin_query_vector(wanted.query, workspace_id=caller.workspace_id)
    with workspace_scope(caller):
        place = resolve_conversation(caller, wanted.conversation or None)
    chosen = memory_settings(place)
    budget = wanted.token_budget or chosen.token_budget
    gathering = _Gathering()
    episodes = _episodes_block(gathering, caller, place.conversation)
    profile = _profile_block(gathering, caller, wanted.user)
    facts = _facts(gathering, caller)
    named = _named_nodes(gathering, caller, wanted.node_ids)
    hits = _hits(gathering, caller, wanted.query, embedding)
    blocks = [
        episodes,
        profile,
        _messages_block(gathering, caller, wanted, is_wanted=chosen.semantic_recall and place.conversation is not None),
        _facts_block(facts, hits),
        _memories_block(hits),
        _nodes_block(named, hits),
        _patterns_block(gathering, caller, place.conversation, wanted.draw, [*named, *(hit.node for hit in hits)]),
    ]
    assembled = assemble(blocks, budget=budget, count=count_tokens)
    took = round((time.perf_counter() - started) * 1000, 2)
    receipt = _receipt(wanted, assembled, gathering)
    receipt.token_budget, receipt.latency_ms = budget, took
    kept = run_layer("receipt", lambda: _kept_receipt(caller, receipt))  # a database that is full still answers
    if kept is None:
        gathering.leave_out("receipt")
    return Context(assembled, budget, gathering.left_out, gathering.trace, kept)


def _episodes_block(gathering: _Gathering, caller: Caller, conversation: UUID | None) -> Block:
    def work(of: UUID) -> list[MemoryEpisode]:
        with workspace_scope(caller), statement_limit(LAYER_SECONDS):
            newest = conversation_episodes(caller, of).defer("source_message_ids")[:RECALLED_EPISODES]
            return list(newest)[::-1]

    episodes = gathering.layer("episodes", partial(work, conversation)) if conversation else ()
    # The newest find room first and are read last.
    items = [
        Item(
            str(episode.id),
            episode_line(episode),
            "recent episode",
            place / len(episodes),
            source=SourceClass.EPISODE,
        )
        for place, episode in enumerate(episodes, start=1)
    ]
    return Block("episodes", EPISODES_HEADING, items, urgency=2, share=EPISODES_SHARE)


def _profile_block(gathering: _Gathering, caller: Caller, user: str) -> Block:
    """What is kept about the user whom the context is for, section by section."""

    def work() -> list[Item]:
        with workspace_scope(caller), statement_limit(LAYER_SECONDS):
            known = UserMemory.objects.of(caller).filter(user=user).first()
        if known is None:
            return []
        by = profile_provenance(updated_by=known.updated_by, updated_by_kind=known.updated_by_kind)
        return [
            Item(
                f"{known.id}:{place}",
                profile_section(heading, text, by),
                "about the user",
                source=by.source,
                author=by.author,
            )
            for place, (heading, text) in enumerate(filled_sections(known.content).items(), start=1)
        ]

    items = gathering.layer("profile", work) if user else ()
    return Block("profile", PROFILE_HEADING, items, urgency=1)


def _messages_block(gathering: _Gathering, caller: Caller, wanted: ContextRequest, *, is_wanted: bool) -> Block:
    """What was said before the messages that the caller has anyway, and bears on the query."""

    def work() -> Sequence[Passage]:
        # The query's vector is remembered from the search before, so that no model runs in this transaction.
        with workspace_scope(caller), statement_limit(LAYER_SECONDS):
            return recall_messages(
                caller=caller, conversation=wanted.conversation, query=wanted.query, beyond_last=RECENT_MESSAGES
            ).passages

    passages = gathering.layer("messages", work) if is_wanted else ()
    return Block("messages", MESSAGES_HEADING, message_items(passages), urgency=2, share=MESSAGES_SHARE)


def _hits(gathering: _Gathering, caller: Caller, query: str, embedding: Future[QueryVector | None]) -> list[RankedNode]:
    """One hybrid search over everything that may be recalled: facts, memories and other nodes."""

    def work() -> list[RankedNode]:
        nodes = Node.objects.of(caller).recallable(utc_now())
        vector = embedding.result()  # outside of the transaction: it may take until its own deadline
        with workspace_scope(caller), statement_limit(LAYER_SECONDS):
            ranking = rank_nodes(caller=caller, nodes=nodes, query=query, vector=vector, mode="hybrid", limit=SEARCHED)
            found = Node.objects.of(caller).filter(id__in=[hit.id for hit in ranking.hits])
            known = {node.id: node for node in map(NodeRow._make, found.values_list(*COLUMNS))}
        gathering.method = ranking.method
        return [RankedNode(known[hit.id], hit) for hit in ranking.hits if hit.id in known]

    hits = gathering.layer("search", work)
    if gathering.method == "keyword":
        gathering.leave_out("semantic")
    return list(hits)


def _facts(gathering: _Gathering, caller: Caller) -> Sequence[NodeRow]:
    """Every fact."""

    def work() -> list[NodeRow]:
        with workspace_scope(caller), statement_limit(LAYER_SECONDS):
            facts = Node.objects.of(caller).recallable(utc_now()).filter(type=Kind.FACT)
            return [*starmap(NodeRow, facts.order_by("-importance_score", "id").values_list(*MEMORY_COLUMNS))]

    return gathering.layer("facts", work)


def _facts_block(facts: Sequence[NodeRow], hits: Sequence[RankedNode]) -> Block:
    """Every fact, found or not; a fact that the query found says so."""
    found = {hit.node.id: hit for hit in hits}
    items = []
    for fact in facts:
        hit = found.get(fact.id)
        reason = f"{AUTHORITATIVE}, {hit.reason}" if hit else AUTHORITATIVE
        items.append(memory_item(fact, reason, hit.found.score if hit else 0.0))
    return Block("facts", FACTS_HEADING, items, urgency=0, is_protected=True)


def _memories_block(hits: Sequence[RankedNode]) -> Block:
    items = [
        memory_item(hit.node, hit.reason, context_score(relevance=hit.found.score, weight=hit.node.weight))
        for hit in hits
        if hit.node.type == Kind.MEMORY
    ]
    return Block("memories", MEMORIES_HEADING, items, urgency=1)


def _nodes_block(named: Sequence[NodeRow], hits: Sequence[RankedNode]) -> Block:
    """Nodes that the caller named, then those that the query found."""
    items = [node_item(node, "named by the caller") for node in named]
    seen = {node.id for node in named}
    for hit in hits:
        if hit.node.type not in Kind.values and hit.node.id not in seen:
            items.append(node_item(hit.node, hit.reason, hit.found.score))
    return Block("nodes", NODES_HEADING, items, urgency=1 if named else 3)


def _named_nodes(gathering: _Gathering, caller: Caller, ids: Sequence[UUID]) -> Sequence[NodeRow]:
    def work() -> list[NodeRow]:
        with workspace_scope(caller), statement_limit(LAYER_SECONDS):
            nodes = Node.objects.of(caller).recallable(utc_now()).filter(id__in=ids)
            found = nodes.exclude(type__in=Kind.values).order_by("id")
            return [*map(NodeRow._make, found.values_list(*COLUMNS))]

    return gathering.layer("named", work) if ids else ()


def _patterns_block(
    gathering: _Gathering, caller: Caller, conversation: UUID | None, draw: float, nodes: Sequence[NodeRow]
) -> Block:
    """What tends to go wrong with things of these types. Nothing while memory is off, or held out by lot."""
    types = {node.type for node in nodes} - set(Kind.values)

    def work() -> Sequence[Pattern]:
        with workspace_scope(caller), statement_limit(LAYER_SECONDS):
            # Under which session what follows will be found.
            session = str(conversation) if conversation else caller_session(caller)
            return inject_patterns(caller=caller, node_types=types, session=session, draw=draw).patterns

    patterns = gathering.layer("patterns", work) if types else ()
    items = [
        Item(
            str(one.id),
            pattern_line(one),
            "goes wrong with this type",
            one.confidence,
            source=SourceClass.TELEMETRY,
            author=one.annotated_by,
        )
        for one in patterns
    ]
    return Block("patterns", PATTERNS_HEADING, items, urgency=1)


def _kept_receipt(caller: Caller, receipt: ContextReceipt) -> UUID:
    with workspace_scope(caller):
        receipt.workspace_id = caller.workspace_id
        receipt.save(force_insert=True)
    return receipt.id


def _receipt(wanted: ContextRequest, context: Assembled, gathering: _Gathering) -> ContextReceipt:
    return ContextReceipt(
        conversation=wanted.conversation,
        query_sha256=hashlib.sha256(wanted.query.encode()).hexdigest(),
        method=gathering.method,
        tokens_used=context.tokens_used,
        is_over_budget=context.is_over_budget,
        chosen=[
            {"id": item.id, "block": block.name, "reason": item.reason, "score": round(item.score, 6)}
            for block in context.blocks
            for item in block.items
        ],
        dropped=[{"id": item.id, "reason": OVER_BUDGET, "score": round(item.score, 6)} for item in context.dropped],
        left_out=gathering.left_out,
    )
