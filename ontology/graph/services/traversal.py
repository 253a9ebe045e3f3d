"""Going along edges: neighbours, impact, paths. The graph answers where it can, PostgreSQL where it cannot.

Ids that come back from the graph are read again from PostgreSQL, under row security.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from core.clock import utc_now
from core.errors import NotFoundError
from core.stores.graph import BoltGraph, GraphUnavailableError, graph
from core.thread_timeouts import DeadlineError, run_with_timeout
from ontology.graph.services.projection import CYPHER
from ontology.graph.traversal_bfs import Adjacency, Direction, FoundPath, reach, shortest_path
from ontology.models import Edge, Entity, GraphOutbox, Node
from ontology.nodes_and_edges.pending_removals import connections_in_removal
from ontology.nodes_and_edges.services.outbox import SQL
from telemetry.actions.call_targets import note_targets
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

log = logging.getLogger(__name__)

MAX_NODES = 1_000  # that a neighbourhood has
MAX_EDGES = 5_000  # that are answered with one
MAX_VISITED = 20_000  # nodes that the search for a path looks at
EVERYTHING = 2**31 - 1
GRAPH_SECONDS = 1.0  # that the graph may take for one level; PostgreSQL needs milliseconds

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A node, and how many edges away it is."""

    node: Node
    distance: int


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes with their distance from `start`, nearest first, and the edges among all of them and the start.

    `is_truncated`: there is more than was asked for, or more edges than are answered at once.
    """

    start: Node
    nodes: Sequence[Neighbour]
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

    @property
    def length(self) -> int:
        """In edges."""
        return len(self.edges)


@dataclass(frozen=True, slots=True)
class Ground:
    """What there is to know before a walk: its live ends, what it may not go over, and whether the graph will do."""

    ends: Mapping[UUID, Node]
    hidden: frozenset[UUID]
    graph_is_current: bool


@dataclass(frozen=True, slots=True)
class PostgresAdjacency:
    """The rows themselves, one indexed statement for a level, for an open scope."""

    caller: Caller

    def adjacent_ids(self, ids: Collection[UUID], *, direction: Direction, most: int) -> Sequence[UUID]:
        given: dict[str, Any] = {
            "workspace_id": self.caller.workspace_id,
            "ids": list(ids),
            "follows_out": direction != Direction.IN,
            "follows_in": direction != Direction.OUT,
            "most": most,
            "removed": connections_in_removal(self.caller),
        }
        with connection.cursor() as cursor:
            cursor.execute(SQL["adjacent"], given)
            return [identity for (identity,) in cursor.fetchall()]


@dataclass(frozen=True, slots=True)
class GraphAdjacency:
    """The projection. Raises GraphUnavailableError, soon: a caller waits for the answer."""

    caller: Caller
    graph: BoltGraph

    def adjacent_ids(self, ids: Collection[UUID], *, direction: Direction, most: int) -> Sequence[UUID]:
        given = [str(identity) for identity in ids]
        statement = CYPHER[f"adjacent_{direction}"]
        try:
            rows = run_with_timeout(
                GRAPH_SECONDS,
                lambda: self.graph.glance(statement, workspace_id=self.caller.workspace_id, ids=given, most=most),
                pool="graph",
            )
        except DeadlineError as error:
            self.graph.leave_alone()
            raise GraphUnavailableError() from error
        return [UUID(row["id"]) for row in rows]


def neighbours(
    *, caller: Caller, node_id: UUID, depth: int = 1, direction: Direction = Direction.BOTH, limit: int = MAX_NODES
) -> Neighbourhood:
    """Return what lies within `depth` edges of a live node, at most `limit` nodes. Raises NotFoundError."""
    started = time.perf_counter()
    ground = _survey(caller, [node_id])
    reached, method = _walk(
        caller,
        ground,
        lambda terrain: reach(
            terrain, node_id, depth=depth, direction=direction, most=limit, hidden=ground.hidden - {node_id}
        ),
    )
    with workspace_scope(caller):
        found = Node.objects.of(caller).recallable(utc_now()).filter(id__in=list(reached.distances))
        nodes = [Neighbour(node, reached.distances[node.id]) for node in found.defer("words")]
        edges = _edges_among(caller, [node_id, *(near.node.id for near in nodes)])
    nodes.sort(key=lambda near: (near.distance, near.node.id))
    is_truncated = not reached.is_complete or len(edges) > MAX_EDGES
    return Neighbourhood(ground.ends[node_id], nodes, edges[:MAX_EDGES], is_truncated, method, _milliseconds(started))


def find_path(*, caller: Caller, start_id: UUID, end_id: UUID, max_depth: int = 4) -> Path:
    """Return a shortest path of at most `max_depth` edges, whichever way they point. Raises NotFoundError for either
    end."""
    started = time.perf_counter()
    ground = _survey(caller, [start_id, end_id])

    def search(terrain: Adjacency) -> FoundPath:
        hidden = ground.hidden - {start_id, end_id}
        return shortest_path(terrain, start_id, end_id, max_depth=max_depth, most=MAX_VISITED, hidden=hidden)

    found, method = _walk(caller, ground, search)
    with workspace_scope(caller):
        nodes, edges = _trace_path(caller, found)
        if found.levels and not nodes and method == "graph":
            # An edge went away while we were looking; only the rows know another way.
            found, method = search(PostgresAdjacency(caller)), "postgres"
            nodes, edges = _trace_path(caller, found)
    return Path(nodes, edges, not found.is_complete, method, _milliseconds(started))


def _survey(caller: Caller, ends: Sequence[UUID]) -> Ground:
    caller.require(Right.READ)
    with workspace_scope(caller):
        live = Node.objects.of(caller).live().filter(id__in=ends).defer("words")
        found = {node.id: node for node in live}
        if len(found) < len(set(ends)):
            raise NotFoundError()
        note_targets((node.id, node.type) for node in found.values())
        return Ground(found, frozenset(_hidden_nodes(caller)), _graph_is_current(caller))


def _walk(caller: Caller, ground: Ground, walk: Callable[[Adjacency], Answer]) -> tuple[Answer, str]:
    """Walk over the graph; over the rows where it does not answer, or has not seen every change yet."""
    if ground.graph_is_current:
        try:
            return walk(GraphAdjacency(caller, graph())), "graph"
        except GraphUnavailableError:
            log.debug("graph_passed_over a traversal of workspace %s goes over the rows", caller.workspace_id)
    with workspace_scope(caller):
        return walk(PostgresAdjacency(caller)), "postgres"


def _graph_is_current(caller: Caller) -> bool:
    """Return whether the outbox is empty: what waits there is in the rows and not in the graph; a search would find it,
    so must a traversal. The graph has what goes with a deleted connection until its rows are gone."""
    if connections_in_removal(caller):
        return False
    waiting = GraphOutbox.objects.of(caller).filter(entity__in=Entity.values)
    return not waiting.exists()


def _hidden_nodes(caller: Caller) -> list[UUID]:
    """Live nodes with edges that may not be recalled now: the graph has them, since it knows no clock."""
    hidden = Node.objects.of(caller).hidden(utc_now())
    edges = Edge.objects.of(caller).filter(is_deleted=False)
    has_edges = Exists(edges.filter(source=OuterRef("id"))) | Exists(edges.filter(target=OuterRef("id")))
    return list(hidden.filter(has_edges).values_list("id", flat=True))


def _edges_among(caller: Caller, ids: Sequence[UUID]) -> list[Edge]:
    found = Edge.objects.of(caller).live().filter(source__in=ids, target__in=ids)
    return list(found.order_by("id")[: MAX_EDGES + 1])


def _trace_path(caller: Caller, found: FoundPath) -> tuple[list[Node], list[Edge]]:
    """One path along the levels, by the rows: of several, always the one with the smallest ids."""
    if not found.levels:
        return [], []
    here = min(found.levels[0])
    steps: list[UUID] = [here]
    edges: list[Edge] = []
    # From the end of the way, every node of a level leads on; from its start, some may be dead ends.
    for level in _prune_levels(caller, found.levels)[1:]:
        edge = _find_edge(caller, here, level)
        if edge is None:
            return [], []
        here = edge.target_id if edge.source_id == here else edge.source_id
        edges.append(edge)
        steps.append(here)
    there = Node.objects.of(caller).live().filter(id__in=steps).defer("words")
    nodes = {node.id: node for node in there}
    return [nodes[step] for step in steps if step in nodes], edges


def _prune_levels(caller: Caller, levels: Sequence[frozenset[UUID]]) -> list[frozenset[UUID]]:
    """Each level without the nodes from which no edge leads into the next one."""
    kept = [levels[-1]]
    for level in reversed(levels[:-1]):
        following = PostgresAdjacency(caller).adjacent_ids(kept[0], direction=Direction.BOTH, most=EVERYTHING)
        kept.insert(0, level.intersection(following))
    return kept


def _find_edge(caller: Caller, here: UUID, level: frozenset[UUID]) -> Edge | None:
    edges = (
        Edge.objects.of(caller).visible().filter(Q(source=here, target__in=level) | Q(target=here, source__in=level))
    )
    return min(
        edges,
        key=lambda edge: (edge.target_id if edge.source_id == here else edge.source_id, edge.id),
        default=None,
    )


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
