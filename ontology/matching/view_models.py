"""View models of merges: pairs of candidates, and lines of merges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ontology.models import Merge, MergeCandidate
from ontology.nodes_and_edges.view_models import NodeRowView, build_properties, build_rows, node_title, node_url
from workspaces.access.selectors import ConsoleContext

# Why two nodes may be one.
REASONS = {
    "name": "same name",
    "alias": "one is called like the other",
    "same_words": "same words in the name",
    "initials": "same surname and initial",
    "similar_name": "similar names",
    "vector": "similar meaning",
    "neighbours": "connected with the same",
}


@dataclass(frozen=True, slots=True)
class Half:
    """One node of a pair that may be one."""

    row: NodeRowView
    properties: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two nodes that may be one, and why."""

    candidate: MergeCandidate
    halves: tuple[Half, Half]
    reasons: str

    @property
    def are_namesakes(self) -> bool:
        """Then the buttons cannot tell them apart by name."""
        return self.candidate.first.name.split() == self.candidate.second.name.split()


@dataclass(frozen=True, slots=True)
class MergeLine:
    """One merge that holds."""

    merge: Merge
    kept: str
    kept_url: str
    absorbed: str


def build_pair(seat: ConsoleContext, candidate: MergeCandidate, edges: Mapping[UUID, int]) -> Pair:
    """Return a pair of the merge queue as the page shows it."""
    first, second = build_rows(seat, [candidate.first, candidate.second], edges)
    reasons = ", ".join(REASONS.get(each["reason"], each["reason"]) for each in candidate.reasons)
    halves = (Half(first, build_properties(first.node)), Half(second, build_properties(second.node)))
    return Pair(candidate, halves, reasons)


def merge_lines(seat: ConsoleContext, merges: Iterable[Merge]) -> list[MergeLine]:
    """Merges that can be undone."""
    return [MergeLine(one, node_title(one.kept), node_url(seat, one.kept), node_title(one.absorbed)) for one in merges]
