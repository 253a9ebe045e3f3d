"""Keeping receipts of contexts: what they say, how many there are, how long they stay."""

from __future__ import annotations

from datetime import datetime, timedelta
from heapq import nlargest
from uuid import UUID

from django.conf import settings

from core.db.row_insert import insert_row
from core.ids import parse_id
from core.space_ids import SHARED
from core.text import looks_like_secret
from memory.models import ContextReceipt
from memory.recall.budget import Assembled, Item
from memory.recall.layers.base import Recall
from memory.recall.receipts.query_digest import hash_query
from memory.recall.receipts.text_layout import describe_layout, hash_text
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.quotas import is_full
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.settings.retention import retention_settings

# One receipt in this many, chosen by the random end of its id, deletes what is beyond the limit.
PRUNED_EVERY, MAX_PRUNED = 64, 1_000
MAX_DROPPED = 100  # that a receipt keeps of what was dropped; the answer names all
DELETED_AT_ONCE = 1_000


def build_receipt(recall: Recall, context: Assembled) -> ContextReceipt:
    """Return the receipt of a context that was assembled, which says why it holds what it holds."""
    request, moments = recall.request, recall.request.moments
    chosen = [(block.name, item) for block in context.blocks for item in block.items]
    receipt = ContextReceipt(
        conversation=request.conversation,
        query_sha256=hash_query(request.query),
        asked={
            "user": request.user,
            "node_ids": [str(identity) for identity in request.node_ids],
            "as_of": moments.as_of.isoformat() if moments.as_of else None,
            "known_at": moments.known_at.isoformat() if moments.known_at else None,
        },
        method=recall.method,
        token_budget=recall.budget,
        tokens_used=context.tokens_used,
        is_over_budget=context.is_over_budget,
        blocks=[{"name": block.name, "tokens": block.tokens} for block in context.blocks],
        chosen=[
            {"id": item.id, "block": name, "reason": item.reason, "score": round(item.score, 6), **_raw(item)}
            for name, item in chosen
        ],
        chosen_ids=list(dict.fromkeys(identity for _, item in chosen if (identity := parse_id(item.id)))),
        dropped=[
            {"id": each.item.id, "reason": each.reason, "score": round(each.item.score, 6)}
            for each in nlargest(MAX_DROPPED, context.dropped, key=lambda each: each.item.score)
        ],
        left_out=recall.left_out,
        text_sha256=hash_text(context.text),
        layout=describe_layout(context.blocks),
    )
    if _keeps_text(recall):
        receipt.question, receipt.text = request.query, context.text
    return receipt


def store_receipt(caller: Caller, receipt: ContextReceipt) -> UUID:
    """Keep a receipt in the caller's space, and now and then delete what is beyond `MAX_RECEIPTS`."""
    with workspace_scope(caller):
        receipt.workspace_id = caller.workspace_id
        receipt.read_spaces = sorted(caller.reach.read)
        receipt.actor_kind, receipt.actor_id, receipt.actor_label = caller.kind, caller.id, caller.label[:200]
        insert_row(receipt)
        if receipt.id.int % PRUNED_EVERY == 0 and is_full(caller=caller, model=ContextReceipt, setting="MAX_RECEIPTS"):
            _prune_receipts(caller)
    return receipt.id


def delete_expired_receipts(*, caller: Caller, now: datetime) -> int:
    """Delete receipts that are older than `retention.receipts`, with the texts that they keep; return their number."""
    before = now - timedelta(days=retention_settings(current_workspace(caller)).receipts)
    deleted = 0
    while True:
        with workspace_scope(caller):
            old = ContextReceipt.objects.of(caller).filter(created_at__lt=before).order_by("created_at")
            ids = list(old.values_list("id", flat=True)[:DELETED_AT_ONCE])
            ContextReceipt.objects.of(caller).filter(id__in=ids).delete()
        deleted += len(ids)
        if len(ids) < DELETED_AT_ONCE:
            return deleted


def _prune_receipts(caller: Caller) -> None:
    """Delete the oldest receipts beyond `MAX_RECEIPTS`, a few at a time, so that a reader does not wait for long."""
    everywhere = maintenance_caller(caller.workspace_id, "quotas")  # the limit is one for all spaces together
    with workspace_scope(everywhere):
        receipts = ContextReceipt.objects.of(everywhere).order_by("-created_at", "-id")
        beyond = list(receipts.values_list("id", flat=True)[settings.MAX_RECEIPTS :][:MAX_PRUNED])
        ContextReceipt.objects.of(everywhere).filter(id__in=beyond).delete()


def _keeps_text(recall: Recall) -> bool:
    """Return whether the workspace and the call want the text, and erasing its space erases all of it.

    A text out of a second user's or agent's space, or of a session, would outlive that space in this one.
    """
    reach, request = recall.caller.reach, recall.request
    is_wanted = recall.settings.keep_contexts and request.keeps_text
    is_of_its_space = set(reach.read) <= {reach.written, SHARED}
    return is_wanted and is_of_its_space and not looks_like_secret(request.query)


def _raw(item: Item) -> dict[str, float]:
    """Return an item's confidence before recalibration, which the next one is fitted on; nothing where it has none."""
    raw = item.confidence if item.raw_confidence is None else item.raw_confidence
    return {} if raw is None else {"raw_confidence": raw}
