"""Comparing the graph and the vectors with the rows, and bringing them in line."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from core.stores.graph import Graph
from llm.embedding.selectors import read_embedders
from llm.models import WorkspaceEmbedding
from ontology.graph.services.history_links import differing_histories
from ontology.graph.services.projection import CYPHER
from ontology.graph.services.telemetry_projection import CYPHER as TELEMETRY_CYPHER
from ontology.models import Edge, Entity, GraphOutbox, Node
from ontology.nodes_and_edges.services.outbox import announce_histories
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope

PAGE = 5_000
ROWS_AT_ONCE = 2_000

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True, order=True)
class EdgeLink:
    """An edge by the ends between which the graph has it, or should have it."""

    id: UUID
    source: UUID
    target: UUID


@dataclass(frozen=True, slots=True)
class EdgeDrift:
    """How the relationships of the graph differ from the visible edges of one workspace."""

    missing: tuple[EdgeLink, ...] = ()
    superfluous: tuple[EdgeLink, ...] = ()
    outdated: tuple[EdgeLink, ...] = ()
    compared: int = 0


@dataclass(frozen=True, slots=True)
class Drift:
    """How the graph differs from Postgres in one workspace: ids that are missing, superfluous or of another version.

    `lost_vectors` are nodes that have no vector and do not wait for one, `histories` those whose edges from the actions
    of agents are others than the rows say.
    """

    missing: tuple[UUID, ...] = ()
    superfluous: tuple[UUID, ...] = ()
    outdated: tuple[UUID, ...] = ()
    compared: int = 0
    edges: EdgeDrift = EdgeDrift()
    lost_vectors: tuple[UUID, ...] = ()
    histories: tuple[UUID, ...] = ()

    @property
    def is_none(self) -> bool:
        edges = self.edges
        return not (
            *self.missing,
            *self.superfluous,
            *self.outdated,
            *edges.missing,
            *edges.superfluous,
            *edges.outdated,
            *self.lost_vectors,
            *self.histories,
        )


def graph_drift(*, workspace_id: UUID, graph: Graph) -> Drift:
    """Compare node by node and edge by edge. Entries that still wait in the outbox show up as drift."""
    caller = maintenance_caller(workspace_id, "doctor")
    with workspace_scope(caller):
        live = Node.objects.filter(workspace_id=workspace_id, is_deleted=False)
        nodes = {identity: (kind, version) for identity, kind, version in live.values_list("id", "type", "version")}
        visible = Edge.objects.visible().filter(workspace_id=workspace_id)
        edges = {
            EdgeLink(identity, source, target): (kind, version)
            for identity, source, target, kind, version in visible.values_list(
                "id", "source_id", "target_id", "type", "version"
            )
        }
        lost = Node.objects.filter(workspace_id=workspace_id, needs_embedding=False)
        if own := read_embedders(caller).own:
            made = WorkspaceEmbedding.objects.filter(workspace_id=workspace_id, model=own.vector_model)
            lost = lost.exclude(id__in=made.filter(source="nodes").values("row_id"))
        else:
            lost = lost.filter(embedding=None)
        lost_vectors = tuple(lost.order_by("id").values_list("id", flat=True))
    twins = {UUID(row["id"]): (row["type"], row["version"]) for row in _pages(workspace_id, graph, "list_nodes")}
    links = {
        EdgeLink(UUID(row["id"]), UUID(row["source"]), UUID(row["target"])): (row["type"], row["version"])
        for row in _pages(workspace_id, graph, "list_edges")
    }
    return Drift(
        *_compare_rows(nodes, twins),
        edges=EdgeDrift(*_compare_rows(edges, links)),
        lost_vectors=lost_vectors,
        histories=differing_histories(maintenance_caller(workspace_id, "doctor"), graph, TELEMETRY_CYPHER),
    )


def repair_drift(*, workspace_id: UUID, drift: Drift, graph: Graph) -> int:
    """Queue what is missing or wrong, and remove twins that nothing stands for; return how many nodes and edges."""
    caller = maintenance_caller(workspace_id, "doctor")
    # A twin of a newer version than its row would refuse the row: it is removed first, and its edges with it.
    wrong = {*drift.superfluous, *drift.outdated}
    graph.write(CYPHER["remove_nodes"], workspace_id=workspace_id, rows=[{"id": str(identity)} for identity in wrong])
    unwanted = (*drift.edges.superfluous, *drift.edges.outdated)
    rows = [{"id": str(link.id), "source": str(link.source), "target": str(link.target)} for link in unwanted]
    graph.write(CYPHER["remove_edges"], workspace_id=workspace_id, rows=rows)
    with workspace_scope(caller):
        Node.objects.filter(workspace_id=workspace_id, id__in=drift.lost_vectors).update(needs_embedding=True)
        links = {*drift.edges.missing, *unwanted, *_edge_links(caller, wrong)}
        queued = _queue(caller, [*drift.missing, *wrong], sorted(links))
        announce_histories(workspace_id, sorted({*drift.histories, *drift.missing, *wrong}))
        return queued


def _compare_rows(
    truth: Mapping[Key, Any], twins: Mapping[Key, Any]
) -> tuple[tuple[Key, ...], tuple[Key, ...], tuple[Key, ...], int]:
    def sort_keys(keys: Any) -> tuple[Key, ...]:
        return tuple(sorted(keys))

    return (
        sort_keys(truth.keys() - twins.keys()),
        sort_keys(twins.keys() - truth.keys()),
        sort_keys(key for key in truth.keys() & twins.keys() if truth[key] != twins[key]),
        len(truth),
    )


def _edge_links(caller: Caller, node_ids: set[UUID]) -> Iterator[EdgeLink]:
    live = Edge.objects.of(caller).filter(is_deleted=False)
    for end in ("source_id", "target_id"):
        found = live.filter(**{f"{end}__in": node_ids}).values_list("id", "source_id", "target_id")
        yield from (EdgeLink(*row) for row in found)


def _queue(caller: Caller, nodes: list[UUID], links: list[EdgeLink]) -> int:
    entries = [
        GraphOutbox(workspace_id=caller.workspace_id, entity=Entity.NODE, entity_id=identity) for identity in nodes
    ]
    entries += [
        GraphOutbox(
            workspace_id=caller.workspace_id,
            entity=Entity.EDGE,
            entity_id=link.id,
            source_id=link.source,
            target_id=link.target,
        )
        for link in links
    ]
    GraphOutbox.objects.bulk_create(entries, batch_size=ROWS_AT_ONCE)
    return len(entries)


def _pages(workspace_id: UUID, graph: Graph, statement: str) -> Iterator[dict[str, Any]]:
    """Yield every row of a statement that answers page by page, in the order of its key."""
    after = ""
    while page := graph.read(CYPHER[statement], workspace_id=workspace_id, after=after, limit=PAGE):
        yield from page
        after = page[-1]["id"]
