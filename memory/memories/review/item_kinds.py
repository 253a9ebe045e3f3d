"""Kinds of items in the review queue, and the verdicts that each takes, with their keys. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class ItemKind(StrEnum):
    """What an item is, in the order of the queue: what is kept from agents comes first, what only ages last."""

    PENDING = "pending"
    PROPOSAL = "proposal"
    CONTRADICTION = "contradiction"
    PATTERN = "pattern"
    MERGE = "merge"
    SUGGESTION = "suggestion"
    STALE = "stale"


class ReviewState(StrEnum):
    """Where a memory stands in review: without a verdict, waiting by policy, or decided."""

    OPEN = ""
    PENDING = "pending"
    DECIDED = "decided"


class Verdict(StrEnum):
    """What a person says of an item."""

    FACT = "fact"
    KEEP = "keep"
    EDIT = "edit"
    MERGE = "merge"
    SUPPRESS = "suppress"
    FORGET = "forget"
    ACCEPT = "accept"
    REJECT = "reject"
    NEWER = "newer"
    OLDER = "older"
    BOTH = "both"
    APART = "apart"


# The first of two people has asked for a fact; recorded next to verdicts, and not one of them.
ASK = "ask"
MEMORY_KINDS = frozenset({ItemKind.PENDING, ItemKind.SUGGESTION, ItemKind.STALE})
OF_MEMORIES = (Verdict.FACT, Verdict.KEEP, Verdict.EDIT, Verdict.MERGE, Verdict.SUPPRESS, Verdict.FORGET)
VERDICTS: dict[ItemKind, tuple[Verdict, ...]] = {
    **dict.fromkeys(MEMORY_KINDS, OF_MEMORIES),
    ItemKind.PROPOSAL: (Verdict.ACCEPT, Verdict.EDIT, Verdict.REJECT),
    ItemKind.CONTRADICTION: (Verdict.NEWER, Verdict.BOTH, Verdict.OLDER),
    ItemKind.PATTERN: (Verdict.KEEP, Verdict.SUPPRESS),
    ItemKind.MERGE: (Verdict.MERGE, Verdict.APART),
}
# One key for each verdict; no two of a kind share one.
KEYS: dict[Verdict, str] = {
    Verdict.FACT: "f",
    Verdict.KEEP: "z",
    Verdict.EDIT: "e",
    Verdict.MERGE: "m",
    Verdict.SUPPRESS: "s",
    Verdict.FORGET: "x",
    Verdict.ACCEPT: "f",
    Verdict.REJECT: "x",
    Verdict.NEWER: "f",
    Verdict.OLDER: "x",
    Verdict.BOTH: "z",
    Verdict.APART: "z",
}


@dataclass(frozen=True, slots=True)
class ItemKey:
    """An item of the queue, as addresses and forms name it: `suggestion:<id>`."""

    kind: ItemKind
    id: UUID

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"


def parse_item(text: str) -> ItemKey | None:
    """Return the item that a text names; None where it names none."""
    kind, _, identity = text.partition(":")
    try:
        return ItemKey(ItemKind(kind), UUID(identity))
    except ValueError:
        return None
