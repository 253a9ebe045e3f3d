"""Going along edges: neighbours, impact, paths. The graph answers where it can, PostgreSQL where it cannot.

Ids that come back from the graph are read again from PostgreSQL, under row security.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from core.clock import utc_now
from core.deadline import DeadlineError, within
from core.graph import BoltGraph, GraphUnavailableError, graph
from ontology.models import Edge, GraphOutbox, Node
from ontology.selectors import access_node
from ontology.services.announcing import SQL
from ontology.services.projection import CYPHER
from ontology.walking import Direction, Terrain, Way, reach, way
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope

log = logging.getLogger(__name__)

MOST_NODES = 1_000  # that a neighbourhood has
MOST_EDGES = 5_000  # that are answered with one
MOST_VISITED = 20_000  # nodes that the search for a path looks at
EVERYTHING = 2**31 - 1
GRAPH_SECONDS = 1.0  # that the graph may take for one level; PostgreSQL needs milliseconds

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes with their distance from `start`, nearest first, and the edges among all of them and the start.

    `is_truncated`: there is more than was asked for, or more edges than are answered at once.
    """

    start: Node
    nodes: Sequence[tuple[Node, int]]
    edges: Sequence[Edge]
    is_truncated: bool
    method: str
    latency_ms: float


@dataclass(frozen=True, slots=True)
class Path:
    """A shortest way between two nodes, or none within the bound; `is_truncated`: the search gave up before it knew."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]
    is_truncated: bool
    method: str
    latency_ms: float


@dataclass(frozen=True, slots=True)
class PostgresTerrain:
    """The rows themselves, one indexed statement for a level."""

    caller: Caller

    def beside(self, ids: Collection[UUID], *, direction: Direction, most: int) -> Sequence[UUID]:
        given: dict[str, Any] = {
            "workspace_id": self.caller.workspace_id,
            "ids": list(ids),
            "follows_out": direction != Direction.IN,
            "follows_in": direction != Direction.OUT,
            "most": most,
        }
        with workspace_scope(self.caller), connection.cursor() as cursor:
            cursor.execute(SQL["beside"], given)
            return [identity for (identity,) in cursor.fetchall()]


@dataclass(frozen=True, slots=True)
class GraphTerrain:
    """The projection. Raises GraphUnavailableError, soon: somebody waits for the answer."""

    caller: Caller
    graph: BoltGraph

    def beside(self, ids: Collection[UUID], *, direction: Direction, most: int) -> Sequence[UUID]:
        given = [str(identity) for identity in ids]
        statement = CYPHER[f"beside_{direction}"]
        try:
            rows = within(
                GRAPH_SECONDS,
                lambda: self.graph.glance(statement, workspace_id=self.caller.workspace_id, ids=given, most=most),
            )
        except DeadlineError as error:
            self.graph.leave_alone()
            raise GraphUnavailableError() from error
        return [UUID(row["id"]) for row in rows]


def neighbours(
    *, caller: Caller, node_id: UUID, depth: int = 1, direction: Direction = Direction.BOTH, limit: int = MOST_NODES
) -> Neighbourhood:
    """What lies within `depth` edges of a live node, at most `limit` nodes. Raises NotFoundError."""
    started = time.perf_counter()
    start = access_node(caller, node_id)
    hidden = _hidden(caller)
    reached, method = _walked(
        caller, lambda terrain: reach(terrain, node_id, depth=depth, direction=direction, most=limit, hidden=hidden)
    )
    with workspace_scope(caller):
        found = Node.objects.recallable(utc_now()).filter(
            workspace_id=caller.workspace_id, id__in=list(reached.distances)
        )
        nodes = [(node, reached.distances[node.id]) for node in found.defer("words")]
        edges = _edges_among(caller, [node_id, *(node.id for node, _ in nodes)])
    nodes.sort(key=lambda pair: (pair[1], pair[0].id))
    is_truncated = not reached.is_complete or len(edges) > MOST_EDGES
    return Neighbourhood(start, nodes, edges[:MOST_EDGES], is_truncated, method, _milliseconds(started))


def find_path(*, caller: Caller, start_id: UUID, end_id: UUID, max_depth: int = 4) -> Path:
    """A shortest path of at most `max_depth` edges, whichever way they point. Raises NotFoundError for either end."""
    started = time.perf_counter()
    for end in (start_id, end_id):
        access_node(caller, end)
    hidden = frozenset(_hidden(caller)) - {start_id, end_id}

    def search(terrain: Terrain) -> Way:
        return way(terrain, start_id, end_id, max_depth=max_depth, most=MOST_VISITED, hidden=hidden)

    found, method = _walked(caller, search)
    nodes, edges = _traced(caller, found)
    if found.levels and not nodes and method == "graph":
        # An edge went away while we were looking; only the rows know another way.
        found, method = search(PostgresTerrain(caller)), "postgres"
        nodes, edges = _traced(caller, found)
    return Path(nodes, edges, not found.is_complete, method, _milliseconds(started))


def _walked(caller: Caller, walk: Callable[[Terrain], Answer]) -> tuple[Answer, str]:
    """Walk over the graph; over the rows where it does not answer, or has not seen every change yet."""
    caller.require(Right.READ)
    if _graph_is_current(caller):
        try:
            return walk(GraphTerrain(caller, graph())), "graph"
        except GraphUnavailableError:
            log.info("graph_passed_over a traversal of workspace %s was answered by PostgreSQL", caller.workspace_id)
    return walk(PostgresTerrain(caller)), "postgres"


def _graph_is_current(caller: Caller) -> bool:
    """What waits in the outbox is in the rows and not in the graph; a search would find it, so must a traversal."""
    with workspace_scope(caller):
        return not GraphOutbox.objects.filter(workspace_id=caller.workspace_id).exists()


def _hidden(caller: Caller) -> list[UUID]:
    """Live nodes with edges that may not be recalled now: the graph has them, since it knows no clock."""
    with workspace_scope(caller):
        hidden = Node.objects.hidden(utc_now()).filter(workspace_id=caller.workspace_id)
        edges = Edge.objects.filter(workspace_id=caller.workspace_id, is_deleted=False)
        has_edges = Exists(edges.filter(source=OuterRef("id"))) | Exists(edges.filter(target=OuterRef("id")))
        return list(hidden.filter(has_edges).values_list("id", flat=True))


def _edges_among(caller: Caller, ids: Sequence[UUID]) -> list[Edge]:
    found = Edge.objects.live().filter(workspace_id=caller.workspace_id, source__in=ids, target__in=ids)
    return list(found.order_by("id")[: MOST_EDGES + 1])


def _traced(caller: Caller, found: Way) -> tuple[list[Node], list[Edge]]:
    """One path along the levels, by the rows: of several, always the one with the smallest ids."""
    if not found.levels:
        return [], []
    with workspace_scope(caller):
        here = min(found.levels[0])
        steps: list[UUID] = [here]
        edges: list[Edge] = []
        # From the end of the way, every node of a level leads on; from its start, some may be dead ends.
        for level in _leading_on(caller, found.levels)[1:]:
            edge = _edge_into(caller, here, level)
            if edge is None:
                return [], []
            here = edge.target_id if edge.source_id == here else edge.source_id
            edges.append(edge)
            steps.append(here)
        nodes = {node.id: node for node in Node.objects.recallable(utc_now()).filter(id__in=steps).defer("words")}
    return [nodes[step] for step in steps if step in nodes], edges


def _leading_on(caller: Caller, levels: Sequence[frozenset[UUID]]) -> list[frozenset[UUID]]:
    """Each level without the nodes from which no edge leads into the next one."""
    kept = [levels[-1]]
    for level in reversed(levels[:-1]):
        following = PostgresTerrain(caller).beside(kept[0], direction=Direction.BOTH, most=EVERYTHING)
        kept.insert(0, level.intersection(following))
    return kept


def _edge_into(caller: Caller, here: UUID, level: frozenset[UUID]) -> Edge | None:
    edges = Edge.objects.visible().filter(
        Q(source=here, target__in=level) | Q(target=here, source__in=level), workspace_id=caller.workspace_id
    )
    found = sorted(edges, key=lambda edge: (edge.target_id if edge.source_id == here else edge.source_id, edge.id))
    return found[0] if found else None


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
