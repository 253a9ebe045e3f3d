"""Assembling context for an agent: gather every layer behind its own limit, fit it into the budget, keep a receipt."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from conversations.messages.selectors import resolve_conversation
from core.embedding import QueryVector
from core.english.cautions import read_caution
from core.english.lexemes import lexemes
from core.english.question_topics import search_text
from core.english.sentence_choice import word_pattern
from core.text.tokens import count_tokens
from llm.embedding.services.query_vectors import begin_query_vector
from memory.memories.sessions.selectors import with_session
from memory.recall.budget import Assembled, Block, Dropped, assemble
from memory.recall.guard import run_layer
from memory.recall.layers import LAYERS
from memory.recall.layers.base import ContextRequest, Layer, LayerTrace, Recall
from memory.recall.layers.patterns import settle_warning
from memory.recall.receipts.services.receipt_writer import build_receipt, store_receipt
from memory.recall.selection import select
from memory.recall.selectors import layer_calibrations
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.settings.workspace_settings import memory_settings


@dataclass(frozen=True, slots=True)
class Context:
    """An assembled context with its explanation."""

    assembled: Assembled
    token_budget: int
    left_out: Sequence[str]
    trace: Sequence[LayerTrace]
    receipt_id: UUID | None
    method: str = ""


def assemble_context(*, caller: Caller, wanted: ContextRequest) -> Context:
    """Return what an agent should know before it answers: facts, episodes, memories and more, within the budget.

    Facts are complete whatever the budget is. A layer that fails is named in `left_out`. Why each item is in, or is
    not, is kept in a receipt, which holds text only where the workspace keeps contexts. Raises MissingScopeError
    without `read`.
    """
    caller.require(Right.READ)
    started = time.perf_counter()
    recall = begin_recall(caller=caller, wanted=wanted)
    kept, left = _select_items(recall)
    assembled = _with_left(settle_warning(recall, _filling(recall), kept), left)
    receipt = build_receipt(recall, assembled)
    receipt.latency_ms = round((time.perf_counter() - started) * 1000, 2)
    stored = run_layer("receipt", lambda: store_receipt(caller, receipt))  # a database that is full still answers
    if stored is None:
        recall.leave_out("receipt")
    return Context(assembled, recall.budget, recall.left_out, recall.trace, stored, recall.method)


def preview_context(*, caller: Caller, wanted: ContextRequest) -> Context:
    """Return what `assemble_context` would, and leave nothing behind: no receipt, no warning that counts as given.

    Raises MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    recall = begin_recall(caller=caller, wanted=wanted)
    kept, left = _select_items(recall)
    assembled = _with_left(_filling(recall)(kept), left)
    return Context(assembled, recall.budget, recall.left_out, recall.trace, None, recall.method)


def _select_items(recall: Recall) -> tuple[list[Block], list[Dropped]]:
    blocks = gather_blocks(recall, LAYERS)
    if recall.request.without:
        blocks = [_drop_items(block, recall.request.without) for block in blocks]
    caution = read_caution(recall.request.query)
    shared = word_pattern(lexemes(caution.shared)) if caution else None
    return select(blocks, floor=recall.floor, shared=shared)


def _drop_items(block: Block, ids: frozenset[str]) -> Block:
    """Return a block without some items, which come in as the question of another one neither."""
    kept = (item for item in block.items if item.id not in ids)
    return replace(
        block, items=[replace(item, asked=None) if item.asked and item.asked.id in ids else item for item in kept]
    )


def _filling(recall: Recall) -> Callable[[Sequence[Block]], Assembled]:
    return partial(assemble, budget=recall.budget, count=count_tokens)


def _with_left(assembled: Assembled, left: Sequence[Dropped]) -> Assembled:
    shown = {item.id for block in assembled.blocks for item in block.items}  # questions in short among them
    return replace(assembled, dropped=[*assembled.dropped, *(each for each in left if each.item.id not in shown)])


def begin_recall(*, caller: Caller, wanted: ContextRequest) -> Recall:
    """Return what layers gather for a request, with the query's vector in the making."""
    is_by_words = wanted.mode == "keyword"
    embedding = _no_vector() if is_by_words else begin_query_vector(search_text(wanted.query), caller=caller)
    with workspace_scope(caller):
        place = resolve_conversation(caller, wanted.conversation or None)
        calibrations = layer_calibrations(caller)
        reader = with_session(caller, place.conversation)
    chosen = memory_settings(place)
    budget = wanted.token_budget or chosen.token_budget
    return Recall(reader, wanted, place, chosen, budget, embedding, calibrations=calibrations)


def gather_blocks(recall: Recall, layers: Sequence[Layer]) -> list[Block]:
    """Return what each of the layers finds, in their order."""
    if any(layer.asks_hits for layer in layers):
        recall.search_ahead()
    with closing(recall):
        for layer in layers:
            recall.prefetched[layer.name] = layer.prefetch(recall)
        found = {layer.name: layer.block(recall) for layer in sorted(layers, key=lambda each: each.asks_hits)}
    return [found[layer.name] for layer in layers]


def _no_vector() -> Future[QueryVector | None]:
    found: Future[QueryVector | None] = Future()
    found.set_result(None)
    return found
