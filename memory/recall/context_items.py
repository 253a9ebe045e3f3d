"""Nodes as items of a context: what is read of them, what they weigh, their line and their provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from core.score_fusion import Fused
from memory.memories.weights import effective_weight
from memory.models import Kind, Memory
from memory.recall.budget import BY_WORTH, Item
from memory.recall.calibration import IDENTITY, Calibration
from memory.recall.prompt_format import edge_lines, memory_line, node_line
from memory.recall.provenance import Provenance, SourceClass, memory_provenance, node_provenance
from memory.recall.selection import comparable
from ontology.models import Edge
from ontology.nodes_and_edges.edge_sentences import edge_sentence

# What an edge is worth next to the node that brings it, and what a node is worth in this that the caller named.
WORTH_OF_AN_EDGE, WORTH_OF_A_NAMED = 0.9, 0.5
WORDS_FOR_ARM = {"keyword": "words", "semantic": "meaning"}

# Where `NodeRow` comes from, in the order of its fields; the last three are not read for the facts.
MEMORY_COLUMNS = (
    "id",
    "type",
    "name",
    "body",
    "independent_references",
    "memory__manual_weight",
    "memory__source",
    "memory__author",
    "memory__author_kind",
    "memory__edited_by",
    "memory__edited_by_kind",
)
COLUMNS = (*MEMORY_COLUMNS, "provenance", "connection__name", "valid_from")
KINDS = frozenset(Kind.values)  # `values` makes its list again at every use


class NodeRow(NamedTuple):
    """What a context says of a node, and what it weighs; no model instances, since forty of them take 3 ms."""

    id: UUID
    type: str
    name: str
    body: str
    independent_references: int
    manual_weight: float | None
    source: str | None
    author: str | None
    author_kind: str | None
    edited_by: str | None
    edited_by_kind: str | None
    kept_provenance: Mapping[str, Any] = MappingProxyType({})
    connection_name: str | None = None
    valid_from: datetime | None = None

    @property
    def provenance(self) -> Provenance:
        if self.type not in KINDS:
            return node_provenance(self.kept_provenance, connection=self.connection_name or "")
        return memory_provenance(
            source=self.source or "",
            author=self.author or "",
            author_kind=self.author_kind or "",
            edited_by=self.edited_by or "",
            edited_by_kind=self.edited_by_kind or "",
        )

    @property
    def weight(self) -> float:
        return effective_weight(manual=self.manual_weight or 0.0, references=self.independent_references)


def arms_reason(found: Fused) -> str:
    """Return why a search found something, with its place in each arm."""
    return f"found by {' and '.join(f'{WORDS_FOR_ARM[arm]} ({place.rank})' for arm, place in found.places.items())}"


@dataclass(frozen=True, slots=True)
class RankedNode:
    """A node that the query found, and how."""

    node: NodeRow
    found: Fused
    calibration: Calibration = IDENTITY

    @property
    def raw_confidence(self) -> float:
        return self.found.confidence or 0.0

    @property
    def confidence(self) -> float:
        return self.calibration.apply(self.raw_confidence)

    @property
    def reason(self) -> str:
        return arms_reason(self.found)


def memory_item(
    known: NodeRow,
    reason: str,
    score: float,
    *,
    confidence: float | None = None,
    raw_confidence: float | None = None,
    is_of_nearest: bool = False,
    since: datetime | None = None,
) -> Item:
    """Return a memory or fact as an item; `score` is 0 to 1, `since` from when on one holds that replaced another."""
    by, identity = known.provenance, str(known.id)
    since_day = since.date() if since else None
    stated_day = known.valid_from.date() if known.valid_from and not since else None
    days = {"since": since_day, "stated": stated_day}
    return Item(
        identity,
        memory_line(identity, known.body, by, **days),
        reason,
        score,
        source=by.source,
        author=by.author,
        confidence=confidence,
        words=comparable(known.body),
        raw_confidence=raw_confidence,
        is_of_nearest=is_of_nearest,
        parts={name: day.isoformat() for name, day in days.items() if day},
    )


def memory_words(memory: Memory) -> Item:
    """Return a memory as an item by which the same words are known again in other layers."""
    text = memory.node.body
    return Item(str(memory.pk), text, "", words=comparable(text))


def node_item(
    known: NodeRow,
    reason: str,
    score: float = 1.0,
    *,
    tier: int = BY_WORTH,
    confidence: float | None = None,
    raw_confidence: float | None = None,
) -> Item:
    """Return any other node as an item; `score` is 0 to 1."""
    by = known.provenance
    return Item(
        str(known.id),
        node_line(known, by),
        reason,
        score,
        source=by.source,
        author=by.author,
        tier=tier,
        confidence=confidence,
        passage=str(known.id),
        words=comparable(f"{known.name} {known.body}"),
        raw_confidence=raw_confidence,
    )


def edge_provenance(edge: Edge) -> Provenance:
    """Return whose an edge is: of those who wrote it and its ends, the first who is not a person if there is one."""
    parts = [node_provenance(each.provenance) for each in (edge, edge.source, edge.target)]
    return next((by for by in parts if by.source != SourceClass.PERSON), parts[0])


def edge_item(edge: Edge, node: Item) -> Item:
    """Return an edge as an item that is read behind one of its nodes, and is worth less than that."""
    by, sentence = edge_provenance(edge), edge_sentence(edge)
    opening, line = edge_lines(node.id, sentence, by)
    return Item(
        str(edge.id),
        line,
        f"edge of what was {node.reason}",
        WORTH_OF_AN_EDGE * (WORTH_OF_A_NAMED if node.confidence is None else node.score),
        source=by.source,
        author=by.author,
        confidence=node.confidence,
        opening=opening,
        passage=node.id,
        words=comparable(sentence),
        raw_confidence=node.raw_confidence,
        parts={"node": node.id},
    )
