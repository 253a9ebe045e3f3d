"""Assembling context for an agent: gather every layer behind its own limit, fit it into the budget, keep a receipt."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest
from uuid import UUID

from django.conf import settings

from conversations.messages.selectors import resolve_conversation
from core.english.question_topics import search_text
from core.text.tokens import count_tokens
from llm.embedding.services.query_vectors import begin_query_vector
from memory.memories.sessions.selectors import with_session
from memory.models import ContextReceipt
from memory.recall.budget import Assembled, Block, Item, assemble
from memory.recall.guard import run_layer
from memory.recall.layers import LAYERS
from memory.recall.layers.base import ContextRequest, Layer, LayerTrace, Recall
from memory.recall.layers.patterns import settle_warning
from memory.recall.selection import select
from memory.recall.selectors import layer_calibrations
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.quotas import is_full
from workspaces.access.scope import workspace_scope
from workspaces.settings.workspace_settings import memory_settings

# One receipt in this many, chosen by the random end of its id, deletes what is beyond the limit.
PRUNED_EVERY, MAX_PRUNED = 64, 1_000
MAX_DROPPED = 100  # that a receipt keeps of what was dropped; the answer names all


@dataclass(frozen=True, slots=True)
class Context:
    """An assembled context with its explanation."""

    assembled: Assembled
    token_budget: int
    left_out: Sequence[str]
    trace: Sequence[LayerTrace]
    receipt_id: UUID | None


def assemble_context(*, caller: Caller, wanted: ContextRequest) -> Context:
    """Return what an agent should know before it answers: facts, episodes, memories and more, within the budget.

    Facts are complete whatever the budget is. A layer that fails is named in `left_out`. Why each item is in, or is
    not, is kept in a receipt that holds no text. Raises MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    started = time.perf_counter()
    recall = begin_recall(caller=caller, wanted=wanted)
    kept, left = select(gather_blocks(recall, LAYERS), min_confidence=recall.settings.min_confidence)
    fill = partial(assemble, budget=recall.budget, count=count_tokens)
    assembled = settle_warning(recall, fill, kept)
    shown = {item.id for block in assembled.blocks for item in block.items}  # questions in short among them
    assembled = replace(assembled, dropped=[*assembled.dropped, *(each for each in left if each.item.id not in shown)])
    receipt = _build_receipt(wanted, assembled, recall)
    receipt.token_budget, receipt.latency_ms = recall.budget, round((time.perf_counter() - started) * 1000, 2)
    stored = run_layer("receipt", lambda: _store_receipt(caller, receipt))  # a database that is full still answers
    if stored is None:
        recall.leave_out("receipt")
    return Context(assembled, recall.budget, recall.left_out, recall.trace, stored)


def begin_recall(*, caller: Caller, wanted: ContextRequest) -> Recall:
    """Return what layers gather for a request, with the query's vector in the making."""
    embedding = begin_query_vector(search_text(wanted.query), caller=caller)
    with workspace_scope(caller):
        place = resolve_conversation(caller, wanted.conversation or None)
        calibrations = layer_calibrations(caller)
        reader = with_session(caller, place.conversation)
    chosen = memory_settings(place)
    budget = wanted.token_budget or chosen.token_budget
    return Recall(reader, wanted, place.conversation, chosen, budget, embedding, calibrations=calibrations)


def gather_blocks(recall: Recall, layers: Sequence[Layer]) -> list[Block]:
    """Return what each of the layers finds, in their order."""
    if any(layer.asks_hits for layer in layers):
        recall.search_ahead()
    with closing(recall):
        for layer in layers:
            recall.prefetched[layer.name] = layer.prefetch(recall)
        found = {layer.name: layer.block(recall) for layer in sorted(layers, key=lambda each: each.asks_hits)}
    return [found[layer.name] for layer in layers]


def _store_receipt(caller: Caller, receipt: ContextReceipt) -> UUID:
    with workspace_scope(caller):
        receipt.workspace_id = caller.workspace_id
        receipt.read_spaces = sorted(caller.reach.read)
        receipt.save(force_insert=True)
        if receipt.id.int % PRUNED_EVERY == 0 and is_full(caller=caller, model=ContextReceipt, setting="MAX_RECEIPTS"):
            _prune_receipts(caller)
    return receipt.id


def _prune_receipts(caller: Caller) -> None:
    """Delete the oldest receipts beyond `MAX_RECEIPTS`, a few at a time, so that a reader does not wait for long."""
    everywhere = maintenance_caller(caller.workspace_id, "quotas")  # the limit is one for all spaces together
    with workspace_scope(everywhere):
        receipts = ContextReceipt.objects.of(everywhere).order_by("-created_at", "-id")
        beyond = list(receipts.values_list("id", flat=True)[settings.MAX_RECEIPTS :][:MAX_PRUNED])
        ContextReceipt.objects.of(everywhere).filter(id__in=beyond).delete()


def _build_receipt(request: ContextRequest, context: Assembled, recall: Recall) -> ContextReceipt:
    return ContextReceipt(
        conversation=request.conversation,
        query_sha256=hashlib.sha256(request.query.encode()).hexdigest(),
        method=recall.method,
        tokens_used=context.tokens_used,
        is_over_budget=context.is_over_budget,
        chosen=[
            {"id": item.id, "block": block.name, "reason": item.reason, "score": round(item.score, 6), **_raw(item)}
            for block in context.blocks
            for item in block.items
        ],
        dropped=[
            {"id": each.item.id, "reason": each.reason, "score": round(each.item.score, 6)}
            for each in nlargest(MAX_DROPPED, context.dropped, key=lambda each: each.item.score)
        ],
        left_out=recall.left_out,
    )


def _raw(item: Item) -> dict[str, float]:
    """Return an item's confidence before recalibration, which the next one is fitted on; nothing where it has none."""
    raw = item.confidence if item.raw_confidence is None else item.raw_confidence
    return {} if raw is None else {"raw_confidence": raw}
