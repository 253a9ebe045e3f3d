"""View models of contexts: their lists, one with its items, how it compares with another, and what a search found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from conversations.models import Conversation
from core.ids import abbreviate_id, parse_id
from core.text import excerpt
from memory.episodes.conversations.view_models import detail_url
from memory.models import ContextReceipt, MemorySource, Run, RunStatus
from memory.recall.budget import OVER_BUDGET
from memory.recall.layers.base import DELETED, ERASED
from memory.recall.receipts.selectors import (
    ContextNames,
    ContextsOfMemory,
    contexts_of_memory,
    most_certain_items,
    name_contexts,
)
from memory.recall.receipts.services.reproduction import CHANGED, Reproduction
from memory.recall.selection import LOW_CONFIDENCE, REPEATED
from memory.recall.selectors import RecalledItem, things_by_id
from workspaces.access.callers import ActorKind
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import build_tabs

REASONS = {
    OVER_BUDGET: "No room in the token budget",
    LOW_CONFIDENCE: "Does not seem to bear on the question",
    REPEATED: "The same words are in it already",
}
BLOCKS = {"nodes": "Related things", "patterns": "What tends to go wrong", "profile": "About the user"}
MISSING = {
    ERASED: "Erased, with its history",
    DELETED: "Deleted",
    CHANGED: "Changed since, and how it read is not kept",
}
METHODS = {"hybrid": "By words and meaning", "keyword": "By words only", "semantic": "By meaning only"}
ACTOR_KINDS = {ActorKind.API_KEY: "key", ActorKind.APP: "app", ActorKind.USER: "person", ActorKind.STAFF: "staff"}
GONE = RecalledItem("No longer there")
MAX_OF_A_MEMORY_SHOWN = 5
MAX_CHARACTERS_OF_A_ROW, MAX_CHARACTERS_OF_A_QUESTION = 400, 120
_PROVENANCE = re.compile(r"^\([^)]{1,40}\) ")  # "(episode) "
# A longer memory is edited on its own page, so that a context of long ones stays small.
MAX_CHARACTERS_EDITED_HERE = 600
_WORDS, _MEANING = re.compile(r"words \((\d+)\)"), re.compile(r"meaning \((\d+)\)")


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One thing in a context, or one that was dropped: what it says, where it is from, and where each arm put it."""

    id: str
    text: str
    kind: str = ""
    url: str = ""
    origin: str = ""
    origin_url: str = ""
    words: str = ""
    meaning: str = ""
    score: float | None = None
    confidence: float | None = None
    reason: str = ""
    is_memory: bool = False
    is_suppressed: bool = False
    is_forgotten: bool = False
    is_statement: bool = False
    is_closed: bool = False
    is_replaced: bool = False
    whole: str = ""

    @property
    def is_out(self) -> bool:
        """Whether no context holds it any more."""
        return self.is_suppressed or self.is_forgotten or self.is_closed or self.is_replaced


@dataclass(frozen=True, slots=True)
class ContextBlock:
    """A heading of a context with what stands below it; `tokens` is None for a receipt that does not say."""

    name: str
    label: str
    tokens: int | None
    items: Sequence[ContextItem] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class TokenShare:
    """What a block takes of the budget, as `explain/_shares.html` draws it: from `start`, of `top`, in tokens."""

    label: str
    tokens: int
    start: int
    shade: int


@dataclass(frozen=True, slots=True)
class ContextLine:
    """A context of a list, with the run that followed it.

    `held` is what bears most on its question, where neither that nor a conversation is known.
    """

    receipt: ContextReceipt
    url: str
    actor: str
    actor_kind: str
    question: str
    conversation: str
    conversation_name: str
    conversation_url: str
    items: int
    run: Run | None
    run_url: str
    held: str = ""

    @property
    def subject(self) -> str:
        """What it was for: the question, or else the conversation."""
        return excerpt(self.question, limit=MAX_CHARACTERS_OF_A_QUESTION) or self.conversation_name


@dataclass(frozen=True, slots=True)
class MissingLine:
    """A line of a context that could not be written again: of which thing, and why."""

    id: str
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReproducedText:
    """A context that was written again, as `explain/_reproduced.html` shows it."""

    sentence: str
    text: str
    sha256: str
    is_identical: bool
    missing: Sequence[MissingLine]


def explain_tabs(seat: ConsoleContext, current: str) -> list[dict[str, Any]]:
    """Return the tabs of the place Explain."""
    pages = [("Contexts", "explain"), ("Runs", "explain-runs"), ("Search lab", "explain-search"), ("Ask", "ask")]
    return build_tabs(seat, pages, current)


def block_label(name: str) -> str:
    return BLOCKS.get(name, name.capitalize())


def receipt_url(seat: ConsoleContext, receipt_id: UUID) -> str:
    return reverse("receipt", args=[seat.workspace.slug, receipt_id])


def run_url(seat: ConsoleContext, run: Run) -> str:
    return reverse("explain-run", args=[seat.workspace.slug, run.id])


def list_url(seat: ConsoleContext, **narrow: str) -> str:
    return f"{reverse('explain', args=[seat.workspace.slug])}?{urlencode(narrow)}"


def context_lines(
    seat: ConsoleContext, receipts: Sequence[ContextReceipt], runs: Mapping[UUID, Run]
) -> list[ContextLine]:
    names = name_contexts(seat.caller, receipts)
    nameless = [each for each in receipts if not each.conversation and each.id not in names.questions]
    leading = most_certain_items(seat.caller, nameless) if nameless else {}
    things = things_by_id(seat.caller, set(leading.values()))
    held = {receipt: _write_held(things.get(item)) for receipt, item in leading.items()}
    return [_context_line(seat, each, runs.get(each.id), names, held.get(each.id, "")) for each in receipts]


def _write_held(thing: RecalledItem | None) -> str:
    is_there = thing is not None and not (thing.is_suppressed or thing.is_forgotten)
    return excerpt(_PROVENANCE.sub("", thing.text), limit=MAX_CHARACTERS_OF_A_QUESTION) if thing and is_there else ""


def _context_line(
    seat: ConsoleContext, receipt: ContextReceipt, run: Run | None, names: ContextNames, held: str
) -> ContextLine:
    return ContextLine(
        receipt,
        receipt_url(seat, receipt.id),
        *_name_actor(receipt),
        names.questions.get(receipt.id, ""),
        receipt.conversation,
        names.conversations.get(receipt.conversation) or abbreviate_id(receipt.conversation),
        list_url(seat, conversation=receipt.conversation) if receipt.conversation else "",
        len(receipt.chosen_ids),
        run,
        run_url(seat, run) if run else "",
        held,
    )


def receipt_blocks(
    seat: ConsoleContext,
    receipt: ContextReceipt,
    things: Mapping[str, RecalledItem],
    origins: Mapping[UUID, MemorySource],
) -> list[ContextBlock]:
    """Return what was in the context, in the order of its text."""
    tokens = {each["name"]: each["tokens"] for each in receipt.blocks}
    return [
        ContextBlock(name, block_label(name), tokens.get(name), [_item(seat, item, things, origins) for item in group])
        for name, group in groupby(receipt.chosen, key=lambda item: str(item["block"]))
    ]


def receipt_dropped(
    seat: ConsoleContext, receipt: ContextReceipt, things: Mapping[str, RecalledItem]
) -> list[tuple[str, list[ContextItem]]]:
    """Return what was dropped, by reason."""
    found = sorted(receipt.dropped, key=lambda item: (item["reason"], -item["score"]))
    return [
        (REASONS.get(reason, reason.capitalize()), [_item(seat, item, things, {}) for item in group])
        for reason, group in groupby(found, key=lambda item: str(item["reason"]))
    ]


def build_reproduction(
    seat: ConsoleContext, reproduced: Reproduction, things: Mapping[str, RecalledItem]
) -> ReproducedText:
    """Return a context that was written again, with what could not be; `things` are those of it that are there."""
    missing = [
        MissingLine(
            each.id, item_url(seat, each.id, things[each.id]) if each.id in things else "", MISSING[each.reason]
        )
        for each in reproduced.missing
    ]
    lines = "1 line" if len(missing) == 1 else f"{len(missing):,} lines"
    if reproduced.is_identical:
        sentence = "Reproduced, byte for byte."
    elif missing:
        sentence = f"Not the same: {lines} cannot be written again."
    else:
        sentence = "Not the same, though each line is."
    return ReproducedText(sentence, reproduced.text, reproduced.text_sha256, reproduced.is_identical, missing)


def build_token_shares(blocks: Sequence[ContextBlock]) -> list[TokenShare]:
    """Return what each block takes; nothing where the receipt does not say."""
    shares, start = [], 0
    for place, block in enumerate(each for each in blocks if each.tokens):
        shares.append(TokenShare(block.label, block.tokens or 0, start, place % 6))
        start += block.tokens or 0
    return shares


def _name_actor(receipt: ContextReceipt) -> tuple[str, str]:
    """Return who asked for a context, and what kind of actor that is."""
    kind = ACTOR_KINDS.get(ActorKind(receipt.actor_kind), "") if receipt.actor_kind in set(ActorKind) else ""
    return receipt.actor_label or "Not noted", kind


def receipt_pairs(
    seat: ConsoleContext, receipt: ContextReceipt, conversation: Conversation | None, run: Run | None
) -> list[dict[str, Any]]:
    """Return what is known of the whole context, as `parts/key_values.html` shows it."""
    if conversation:
        where = {"value": conversation.title or conversation.key, "url": detail_url(seat, conversation)}
    else:
        where = {"value": "Deleted since" if receipt.conversation else "None"}
    followed = {"value": f"{run.agent}, {run.status}", "url": run_url(seat, run)} if run else {"value": "None"}
    actor, actor_kind = _name_actor(receipt)
    asked_by = {"value": f"{actor} ({actor_kind})" if actor_kind else actor}
    if receipt.actor_label:
        asked_by["url"] = list_url(seat, agent=receipt.actor_label)
    return [
        {"label": "Asked by", **asked_by},
        {"label": "Assembled", "at": receipt.created_at},
        {"label": "Conversation", **where},
        {"label": "Run after it", **followed},
        {"label": "Searched", "value": METHODS.get(receipt.method, "Not at all")},
        {"label": "Took", "value": f"{receipt.latency_ms:,.1f} ms"},
        {"label": "Id", "id": receipt.id},
    ]


def item_url(seat: ConsoleContext, identity: str, thing: RecalledItem) -> str:
    """Return the page that shows a thing: its own, or its place in the conversation."""
    if not thing.page:
        return ""
    if thing.conversation is None:
        return reverse(thing.page, args=[seat.workspace.slug, identity])
    return f"{reverse(thing.page, args=[seat.workspace.slug, thing.conversation])}#m-{identity}"


def find_origin(seat: ConsoleContext, source: MemorySource | None) -> tuple[str, str]:
    """Return where a memory was learned, in words, and the address of that message."""
    if source is None:
        return "", ""
    where = source.conversation.title or source.conversation.key
    return f"Said {source.said_at:%-d %b %Y} in {excerpt(where, limit=40)}", (
        f"{detail_url(seat, source.conversation)}#m-{source.message_id}"
    )


def item_origin(
    seat: ConsoleContext, identity: str, thing: RecalledItem, origins: Mapping[UUID, MemorySource]
) -> tuple[str, str]:
    """Return where a memory was learned, or when a statement was said, in words, and the address of that."""
    if thing.said_at:
        return f"Said {thing.said_at:%-d %b %Y}", item_url(seat, identity, thing)
    return find_origin(seat, origins.get(parse_id(identity) or UUID(int=0)))


def arm_places(reason: str) -> tuple[str, str]:
    """Return the places that the arms of the search gave, by words and by meaning; '' where one did not find it."""
    words, meaning = _WORDS.search(reason), _MEANING.search(reason)
    return words[1] if words else "", meaning[1] if meaning else ""


def _item(
    seat: ConsoleContext,
    item: Mapping[str, Any],
    things: Mapping[str, RecalledItem],
    origins: Mapping[UUID, MemorySource],
) -> ContextItem:
    identity = str(item["id"])
    thing = things.get(identity, GONE)
    reason = REASONS.get(item["reason"], str(item["reason"]).capitalize())
    origin, origin_url = item_origin(seat, identity, thing, origins)
    words, meaning = arm_places(str(item["reason"]))
    return ContextItem(
        id=identity,
        text=excerpt(" ".join(thing.text.split()), limit=MAX_CHARACTERS_OF_A_ROW),
        kind=thing.memory_kind,
        url=item_url(seat, identity, thing),
        origin=origin,
        origin_url=origin_url,
        words=words,
        meaning=meaning,
        score=item["score"],
        confidence=item.get("raw_confidence"),
        reason=f"{reason}. Forgotten since" if thing.is_forgotten else reason,
        is_memory=bool(thing.memory_kind) and not thing.is_forgotten,
        is_suppressed=thing.is_suppressed,
        is_forgotten=thing.is_forgotten,
        is_statement=thing.said_at is not None,
        is_closed=thing.is_closed,
        is_replaced=thing.is_replaced,
        whole=thing.text if thing.memory_kind and len(thing.text) <= MAX_CHARACTERS_EDITED_HERE else "",
    )


def memory_contexts(seat: ConsoleContext, memory_id: UUID) -> dict[str, Any]:
    """Return in which contexts a memory was, and how the runs ended that had them, for the page of the memory."""
    found = contexts_of_memory(seat.caller, memory_id, limit=MAX_OF_A_MEMORY_SHOWN)
    return {
        "lines": context_lines(seat, found.newest, found.runs),
        "number": found.number,
        "is_more": found.is_more,
        "outcomes": outcome_sentence(found),
        "url": list_url(seat, memory=str(memory_id)),
    }


def outcome_sentence(found: ContextsOfMemory) -> str:
    """Return how the runs ended that had a memory: "In 41 failed and 2 good runs"."""
    words = {RunStatus.FAILED: "failed", RunStatus.SUCCEEDED: "good", RunStatus.CANCELLED: "cancelled"}
    said = [f"{found.outcomes[status]:,} {word}" for status, word in words.items() if found.outcomes.get(status)]
    runs = "run" if sum(found.outcomes.get(status, 0) for status in words) == 1 else "runs"
    return f"In {' and '.join(said)} {runs}." if said else ""
