"""View models of contexts that were tried and not given to an agent: one run again, and what the search lab found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any
from uuid import UUID

from core.text import excerpt
from memory.models import MemorySource
from memory.recall.budget import Dropped, Item
from memory.recall.receipts.services.rerun import Rerun
from memory.recall.receipts.view_models import (
    GONE,
    MAX_CHARACTERS_OF_A_ROW,
    METHODS,
    REASONS,
    ContextBlock,
    ContextItem,
    TokenShare,
    arm_places,
    block_label,
    build_token_shares,
    item_origin,
    item_url,
)
from memory.recall.schemas import ContextResponse
from memory.recall.selectors import RecalledItem
from memory.recall.services.context import Context
from workspaces.access.selectors import ConsoleContext

# Of what was dropped, the best.
MAX_DROPPED_SHOWN = 200


@dataclass(frozen=True, slots=True)
class PreviewedContext:
    """A context as it would be: its text, its blocks with their items, where the tokens went, what was folded."""

    text: str
    blocks: Sequence[ContextBlock]
    shares: Sequence[TokenShare]
    tokens_used: int
    token_budget: int
    dropped: Sequence[tuple[str, Sequence[ContextItem]]]
    left_out: Sequence[str]
    method: str
    steps: Sequence[dict[str, Any]]
    total_ms: float
    raw_json: str = ""

    @property
    def number(self) -> int:
        return sum(len(block.items) for block in self.blocks)

    @property
    def number_dropped(self) -> int:
        return sum(len(items) for _, items in self.dropped)


@dataclass(frozen=True, slots=True)
class ComparedContext:
    """A context next to the one of a receipt: what came in, what went out, what stayed."""

    query: str
    now: PreviewedContext
    added: Sequence[ContextItem]
    removed: Sequence[ContextItem]
    kept: Sequence[ContextItem]

    @property
    def sentence(self) -> str:
        if not self.added and not self.removed:
            return "The same things are in it."
        return f"+{len(self.added)} in, −{len(self.removed)} out, {len(self.kept)} as before"


def named_ids(context: Context) -> set[str]:
    """Return the ids of everything that a context holds, and of what it dropped and the page shows."""
    held = {item.id for block in context.assembled.blocks for item in block.items}
    return held | {each.item.id for each in _best_dropped(context.assembled.dropped)}


def build_preview(
    seat: ConsoleContext,
    context: Context,
    things: Mapping[str, RecalledItem],
    origins: Mapping[UUID, MemorySource],
    *,
    is_raw: bool = False,
) -> PreviewedContext:
    """Return a context as templates show it; `is_raw` adds it as JSON."""
    found = context.assembled
    blocks = [
        ContextBlock(
            block.name,
            block_label(block.name),
            block.tokens,
            [preview_item(seat, item, things, origins) for item in block.items],
        )
        for block in found.blocks
    ]
    dropped = [
        (REASONS.get(reason, reason.capitalize()), [preview_item(seat, each.item, things, origins) for each in group])
        for reason, group in groupby(_best_dropped(found.dropped), key=lambda each: each.reason)
    ]
    ends = list(accumulate(step.milliseconds for step in context.trace))
    steps = [
        {
            "layer": step.layer.capitalize(),
            "ms": step.milliseconds,
            "start": end - step.milliseconds,
            "found": step.found,
            "left_out": "It failed or took too long." if step.is_left_out else "",
        }
        for step, end in zip(context.trace, ends, strict=True)
    ]
    return PreviewedContext(
        found.text,
        blocks,
        build_token_shares(blocks),
        found.tokens_used,
        context.token_budget,
        dropped,
        context.left_out,
        METHODS.get(context.method, "Not at all"),
        steps,
        ends[-1] if ends else 0.0,
        json.dumps(ContextResponse.of(context).as_json(), indent=2, ensure_ascii=False) if is_raw else "",
    )


def preview_item(
    seat: ConsoleContext, item: Item, things: Mapping[str, RecalledItem], origins: Mapping[UUID, MemorySource]
) -> ContextItem:
    """Return one thing of a context that was tried: what it says there, and how it was found."""
    thing = things.get(item.id, GONE)
    origin, origin_url = item_origin(seat, item.id, thing, origins)
    words, meaning = arm_places(item.reason)
    # A section of a profile reads here alone; what others name is shown without the marks that agents get.
    text = item.opening or item.line if thing is GONE or ":" in item.id else thing.text
    return ContextItem(
        id=item.id,
        text=excerpt(text.strip().removeprefix("- "), limit=MAX_CHARACTERS_OF_A_ROW),
        kind=thing.memory_kind,
        url=item_url(seat, item.id, thing),
        origin=origin,
        origin_url=origin_url,
        words=words,
        meaning=meaning,
        score=item.score,
        confidence=item.confidence,
        reason=item.reason.capitalize(),
        is_memory=bool(thing.memory_kind) and not thing.is_forgotten,
        is_suppressed=thing.is_suppressed,
        is_forgotten=thing.is_forgotten,
    )


def build_comparison(
    seat: ConsoleContext, rerun: Rerun, now: PreviewedContext, before: Sequence[ContextBlock]
) -> ComparedContext:
    """Return what running a context again changes, with each thing as it reads now."""
    known = {item.id: item for block in before for item in block.items}
    known |= {item.id: item for _, items in now.dropped for item in items if item.id not in known}
    known |= {item.id: item for block in now.blocks for item in block.items}
    added, removed, kept = (
        [known[each] for each in ids if each in known] for ids in (rerun.added, rerun.removed, rerun.kept)
    )
    return ComparedContext(rerun.query, now, added, removed, kept)


def _best_dropped(dropped: Sequence[Dropped]) -> list[Dropped]:
    """Return what the page shows of what was dropped, by reason, the best first."""
    return sorted(dropped, key=lambda each: (each.reason, -each.item.score))[:MAX_DROPPED_SHOWN]
