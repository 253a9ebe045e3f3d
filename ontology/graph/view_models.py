"""View models of graphs: what `static/js/graph.js` draws, the legend, and the same as rows of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.clock import moment
from ontology.graph.action_words import describe_action
from ontology.graph.services.traversal import Path
from ontology.models import Edge, Node
from ontology.nodes_and_edges.console_selectors import type_marks
from ontology.nodes_and_edges.inverse_names import edge_words, inverse_words
from ontology.nodes_and_edges.type_marks import TypeMark
from ontology.nodes_and_edges.view_models import find_mark, node_title, node_url, summarise_properties
from telemetry.actions.outcomes import Outcome
from telemetry.models import Action
from workspaces.access.selectors import ConsoleContext
from workspaces.http.space_links import KeptSpace


@dataclass(frozen=True, slots=True)
class EdgeEnd:
    """One end of an edge in the table."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One edge of the table."""

    source: EdgeEnd
    words: str
    target: EdgeEnd


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A type in the legend: its mark, and how many of the drawn nodes have it."""

    type: str
    mark: TypeMark
    count: int


@dataclass(frozen=True, slots=True)
class PathStep:
    """A node of a path, and the edge that leads to it from the one before, as it reads in that direction."""

    title: str
    url: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class ActionMoment:
    """What an agent did to a node, in words."""

    action: Action
    words: str

    @property
    def is_good(self) -> bool:
        return self.action.outcome == Outcome.SUCCESS


def build_moments(actions: Iterable[Action]) -> list[ActionMoment]:
    """Return actions as sentences that begin with the agent's name."""
    return [ActionMoment(action, describe_action(action.action_type, action.tool)) for action in actions]


def build_drawing(
    seat: ConsoleContext, nodes: Sequence[Node], edges: Iterable[Edge], *, centre: Node | None = None
) -> dict[str, Any]:
    """Return what the script reads; shape and hue of a type are the same in every graph of the workspace."""
    kept, marks = KeptSpace.of(seat), type_marks(seat.caller)
    return {
        "centre": str(centre.id) if centre else None,
        "nodes": [_node_to_draw(kept, node, node_url(seat, node), find_mark(marks, node.type)) for node in nodes],
        "edges": [
            {
                "id": str(edge.id),
                "source": str(edge.source_id),
                "target": str(edge.target_id),
                "words": edge_words(edge.type),
                "since": moment(edge.created_at),
            }
            for edge in edges
        ],
    }


def build_legend(seat: ConsoleContext, nodes: Iterable[Node]) -> list[LegendEntry]:
    """Return the types of the drawn nodes, the commonest first."""
    marks = type_marks(seat.caller)
    counts = Counter(node.type for node in nodes)
    return [LegendEntry(name, find_mark(marks, name), count) for name, count in counts.most_common()]


def build_edge_rows(seat: ConsoleContext, nodes: Iterable[Node], edges: Iterable[Edge]) -> list[EdgeRow]:
    """Return the edges whose ends are both among the nodes."""
    ends = {node.id: EdgeEnd(node_title(node), node_url(seat, node)) for node in nodes}
    return [
        EdgeRow(ends[edge.source_id], edge_words(edge.type), ends[edge.target_id])
        for edge in edges
        if edge.source_id in ends and edge.target_id in ends
    ]


def build_steps(seat: ConsoleContext, path: Path) -> list[PathStep]:
    """Return a path as a list of nodes, each with the edge by which it was reached."""
    steps: list[PathStep] = []
    for at, node in enumerate(path.nodes):
        words = ""
        if at:
            edge = path.edges[at - 1]
            words = edge_words(edge.type) if edge.target_id == node.id else inverse_words(edge.type)
        steps.append(PathStep(node_title(node), node_url(seat, node), words))
    return steps


def _node_to_draw(kept: KeptSpace, node: Node, url: str, mark: TypeMark) -> dict[str, Any]:
    return {
        "id": str(node.id),
        "title": node_title(node),
        "type": node.type,
        "shape": mark.shape,
        "hue": mark.hue,
        "summary": summarise_properties(node),
        "since": moment(node.created_at),
        "url": kept.address(url),
        "graph_url": kept.address(f"{url}/graph"),
        "expand_url": kept.address(f"{url}/graph/data"),
    }
