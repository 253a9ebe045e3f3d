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


class VerdictKind(StrEnum):
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
OF_MEMORIES = (
    VerdictKind.FACT,
    VerdictKind.KEEP,
    VerdictKind.EDIT,
    VerdictKind.MERGE,
    VerdictKind.SUPPRESS,
    VerdictKind.FORGET,
)
VERDICTS: dict[ItemKind, tuple[VerdictKind, ...]] = {
    **dict.fromkeys(MEMORY_KINDS, OF_MEMORIES),
    ItemKind.PROPOSAL: (VerdictKind.ACCEPT, VerdictKind.EDIT, VerdictKind.REJECT),
    ItemKind.CONTRADICTION: (VerdictKind.NEWER, VerdictKind.BOTH, VerdictKind.OLDER),
    ItemKind.PATTERN: (VerdictKind.KEEP, VerdictKind.SUPPRESS),
    ItemKind.MERGE: (VerdictKind.MERGE, VerdictKind.APART),
}
# One key for each verdict; no two of a kind share one.
KEYS: dict[VerdictKind, str] = {
    VerdictKind.FACT: "f",
    VerdictKind.KEEP: "z",
    VerdictKind.EDIT: "e",
    VerdictKind.MERGE: "m",
    VerdictKind.SUPPRESS: "s",
    VerdictKind.FORGET: "x",
    VerdictKind.ACCEPT: "f",
    VerdictKind.REJECT: "x",
    VerdictKind.NEWER: "f",
    VerdictKind.OLDER: "x",
    VerdictKind.BOTH: "z",
    VerdictKind.APART: "z",
}


@dataclass(frozen=True, slots=True)
class ItemKey:
    """An item of the queue, as addresses and forms name it: `suggestion:<id>`."""

    kind: ItemKind
    id: UUID

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"


def parse_seen_item(text: str) -> tuple[ItemKey | None, str]:
    """Return the item that the check box of a row names, and behind it the hash of what the row showed."""
    kind, _, rest = text.partition(":")
    identity, _, seen = rest.partition(":")
    return parse_item(f"{kind}:{identity}"), seen


def parse_item(text: str) -> ItemKey | None:
    """Return the item that a text names; None where it names none."""
    kind, _, identity = text.partition(":")
    try:
        return ItemKey(ItemKind(kind), UUID(identity))
    except ValueError:
        return None
