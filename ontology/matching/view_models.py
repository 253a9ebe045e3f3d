"""View models of merges: pairs of candidates, and lines of merges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from ontology.matching.forms import CHOICE
from ontology.models import Merge, MergeCandidate, Node
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
    compare_url: str

    @property
    def differing(self) -> set[str]:
        """The names of the properties that both have, and of which merging at once would lose a value."""
        first, second = ({one["label"]: one["value"] for one in half.properties} for half in self.halves)
        return {name for name in first.keys() & second.keys() - {"aliases"} if first[name] != second[name]}

    @property
    def are_namesakes(self) -> bool:
        """Then the buttons cannot tell them apart by name."""
        return self.candidate.first.name.split() == self.candidate.second.name.split()


@dataclass(frozen=True, slots=True)
class MergeValue:
    """What one of two nodes has under a property; `text` is None where it has nothing."""

    node_id: UUID
    text: str | None
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class MergeProperty:
    """A property of two nodes that are about to be merged; both values are kept where it is the list of aliases."""

    name: str
    field: str
    values: tuple[MergeValue, MergeValue]
    is_joined: bool

    @property
    def needs_choice(self) -> bool:
        """Only one of two different values can stay."""
        first, second = (value.text for value in self.values)
        return not self.is_joined and first is not None and second is not None and first != second

    @property
    def is_same(self) -> bool:
        return self.values[0].text == self.values[1].text


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two nodes next to each other, before they are merged."""

    rows: tuple[NodeRowView, NodeRowView]
    properties: Sequence[MergeProperty]

    @property
    def are_of_one_type(self) -> bool:
        first, second = self.rows
        return first.node.type == second.node.type

    @property
    def choices(self) -> int:
        return sum(one.needs_choice for one in self.properties)


@dataclass(frozen=True, slots=True)
class OtherNode:
    """A node that another one may be merged with, and where they are compared."""

    row: NodeRowView
    compare_url: str
    reasons: str = ""


@dataclass(frozen=True, slots=True)
class MergeLine:
    """One merge that holds."""

    merge: Merge
    kept: str
    kept_url: str
    absorbed: str


def build_pairs(seat: ConsoleContext, candidates: Sequence[MergeCandidate], edges: Mapping[UUID, int]) -> list[Pair]:
    """Return pairs of the merge queue as the page shows them."""
    nodes = [node for candidate in candidates for node in (candidate.first, candidate.second)]
    rows = build_rows(seat, nodes, edges)  # of all at once, which asks for the types once
    halves = [Half(row, build_properties(row.node)) for row in rows]
    return [
        Pair(
            candidate,
            (first, second),
            describe_reasons(candidate),
            compare_url(seat, candidate.first_id, candidate.second_id),
        )
        for candidate, first, second in zip(candidates, halves[::2], halves[1::2], strict=True)
    ]


def describe_reasons(candidate: MergeCandidate) -> str:
    """Return why two nodes may be one, in words."""
    return ", ".join(REASONS.get(each["reason"], each["reason"]) for each in candidate.reasons)


def compare_url(seat: ConsoleContext, first: UUID, second: UUID) -> str:
    """Return the address of the page on which two nodes are merged by hand."""
    given = urlencode({"nodes": [str(first), str(second)]}, doseq=True)
    return f"{reverse('ontology-merge-nodes', args=[seat.workspace.slug])}?{given}"


def build_comparison(seat: ConsoleContext, nodes: tuple[Node, Node], edges: Mapping[UUID, int]) -> Comparison:
    """Return two nodes with all of their properties, those first whose values differ. The first node's are chosen."""
    texts = [{one["label"]: one["value"] for one in build_properties(node)} for node in nodes]
    properties = [
        MergeProperty(
            name,
            f"{CHOICE}{name}",
            (
                MergeValue(nodes[0].id, texts[0].get(name), is_chosen=True),
                MergeValue(nodes[1].id, texts[1].get(name), is_chosen=False),
            ),
            is_joined=name == "aliases",
        )
        for name in dict.fromkeys((*nodes[0].properties, *nodes[1].properties))
    ]
    first, second = build_rows(seat, nodes, edges)
    return Comparison((first, second), sorted(properties, key=lambda one: not one.needs_choice))


def build_others(
    seat: ConsoleContext, node: Node, others: Iterable[Node], edges: Mapping[UUID, int], reasons: Mapping[UUID, str]
) -> list[OtherNode]:
    """Return nodes to merge with, each with why it may be the same where that is known."""
    return [
        OtherNode(row, compare_url(seat, node.id, row.node.id), reasons.get(row.node.id, ""))
        for row in build_rows(seat, others, edges)
    ]


def merge_lines(seat: ConsoleContext, merges: Iterable[Merge]) -> list[MergeLine]:
    """Merges that can be undone."""
    return [MergeLine(one, node_title(one.kept), node_url(seat, one.kept), node_title(one.absorbed)) for one in merges]
