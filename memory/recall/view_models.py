"""View models of a context's receipt (its blocks, what was dropped, its settings) and of calibrations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from django.urls import reverse

from conversations.models import Conversation
from memory.episodes.conversations.view_models import detail_url
from memory.models import ConfidenceCalibration, ContextReceipt
from memory.recall.budget import OVER_BUDGET
from memory.recall.calibration import Calibration
from memory.recall.selection import LOW_CONFIDENCE, REPEATED
from memory.recall.selectors import RecalledItem
from workspaces.access.selectors import ConsoleContext

REASONS = {
    OVER_BUDGET: "No room in the token budget",
    LOW_CONFIDENCE: "Does not seem to bear on the question",
    REPEATED: "The same words are in it already",
}
BLOCKS = {"nodes": "Related things", "patterns": "What tends to go wrong", "profile": "About the user"}
LAYERS = {"memories": "Memories", "nodes": "Things of the ontology"}
SHOWN_CONFIDENCES = (0.01, 0.3)
GONE = RecalledItem("No longer there")


def receipt_blocks(
    seat: ConsoleContext, receipt: ContextReceipt, things: Mapping[str, RecalledItem]
) -> list[dict[str, Any]]:
    """Return what was in the context, as the arms of `parts/receipt.html`: a block each, in the order of the text."""
    blocks = []
    for name, group in groupby(receipt.chosen, key=lambda item: item["block"]):
        hits = [{"rank": place, "used": True, **_item(seat, item, things)} for place, item in enumerate(group, start=1)]
        blocks.append({"name": BLOCKS.get(name, name.capitalize()), "hits": hits})
    return blocks


def receipt_dropped(
    seat: ConsoleContext, receipt: ContextReceipt, things: Mapping[str, RecalledItem]
) -> list[dict[str, Any]]:
    return [_item(seat, item, things) for item in receipt.dropped]


def receipt_pairs(
    seat: ConsoleContext, receipt: ContextReceipt, conversation: Conversation | None
) -> list[dict[str, Any]]:
    """Return what is known of the whole context, as `parts/key_values.html` shows it."""
    methods = {"hybrid": "By words and meaning", "keyword": "By words only", "semantic": "By meaning only"}
    if conversation:
        where = {"value": conversation.title or conversation.key, "url": detail_url(seat, conversation)}
    else:
        where = {"value": "Deleted since" if receipt.conversation else "None"}
    return [
        {"label": "Id", "id": receipt.id},
        {"label": "Assembled", "at": receipt.created_at},
        {"label": "Conversation", **where},
        {"label": "Searched", "value": methods.get(receipt.method, "Not at all")},
        {"label": "Took", "value": f"{receipt.latency_ms:,.1f} ms"},
    ]


def _item(seat: ConsoleContext, item: Mapping[str, Any], things: Mapping[str, RecalledItem]) -> dict[str, Any]:
    thing = things.get(item["id"], GONE)
    reason = REASONS.get(item["reason"], item["reason"].capitalize())
    return {
        "text": " ".join(thing.text.split()),
        "kind": thing.memory_kind,
        "url": reverse(thing.page, args=[seat.workspace.slug, item["id"]]) if thing.page else "",
        "score": item["score"],
        "reason": f"{reason}. Forgotten since" if thing.is_forgotten else reason,
    }


def calibration_rows(calibrations: Sequence[ConfidenceCalibration]) -> list[dict[str, Any]]:
    """Return a row for each layer that is calibrated: what it rests on, and what two confidences became."""
    return [
        {
            "label": LAYERS[each.layer],
            "cited": each.cited,
            "uncited": each.uncited,
            "became": [Calibration(each.slope, each.intercept).apply(raw) for raw in SHOWN_CONFIDENCES],
            "fitted_at": each.fitted_at,
        }
        for each in calibrations
    ]
