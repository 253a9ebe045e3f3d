"""Telling of changes, in the transaction that makes them: to the graph, to the embedder, and to later readers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection

from core.db.named_statements import named_statements
from core.stores.queue import nudge_after_commit
from llm.embedding.services.backlog import nudge_embedding
from ontology.models import CatalogueEntry, Change, Edge, Entity, GraphOutbox
from workspaces.access.callers import Caller

PROJECT_TASK = "ontology.graph.tasks.project_workspace"
MATCH_TASK = "ontology.matching.tasks.match_workspace"

SQL = named_statements(Path(__file__).parent.parent / "queries.sql")


def announce_nodes(workspace_id: UUID, node_ids: Sequence[UUID], *, with_new_text: bool = False) -> None:
    """Enter nodes into the outbox, and wake the relay (with a new text: the embedder too) after the commit."""
    _enter(GraphOutbox(workspace_id=workspace_id, entity=Entity.NODE, entity_id=identity) for identity in node_ids)
    nudge_after_commit(PROJECT_TASK, workspace_id)
    if with_new_text:
        nudge_embedding(workspace_id)


def announce_edges(workspace_id: UUID, edges: Iterable[Edge]) -> None:
    """Enter edges, with the ends that they have, into the outbox, and wake the relay after the commit."""
    _enter(
        GraphOutbox(
            workspace_id=workspace_id,
            entity=Entity.EDGE,
            entity_id=edge.id,
            source_id=edge.source_id,
            target_id=edge.target_id,
        )
        for edge in edges
    )
    nudge_after_commit(PROJECT_TASK, workspace_id)


def announce_node_edges(workspace_id: UUID, node_ids: Sequence[UUID]) -> None:
    """Enter the live edges of nodes into the outbox: they are back with their ends, or about to be moved."""
    with connection.cursor() as cursor:
        cursor.execute(SQL["announce_edges_of"], {"workspace_id": workspace_id, "ids": list(node_ids)})
    nudge_after_commit(PROJECT_TASK, workspace_id)


def register_types(catalogue: type[CatalogueEntry], workspace_id: UUID, names: Iterable[str]) -> None:
    """Make sure that the catalogue has these types."""
    wanted = sorted(set(names))
    # Two statements instead of an upsert, which would make everybody who uses a type wait for its row.
    catalogue.objects.bulk_create(
        [catalogue(workspace_id=workspace_id, name=name) for name in wanted], ignore_conflicts=True
    )
    catalogue.objects.filter(workspace_id=workspace_id, name__in=wanted, is_deleted=True).update(is_deleted=False)


def record_changes(
    *, caller: Caller, entity: Entity, ids: Iterable[UUID], action: str, before: Mapping[str, Any]
) -> None:
    """Leave one line of history for each node or edge."""
    Change.objects.bulk_create(
        [
            Change(
                workspace_id=caller.workspace_id,
                entity=entity,
                entity_id=identity,
                action=action,
                actor_kind=caller.kind,
                actor_id=caller.id,
                actor_label=caller.label,
                before=dict(before),
            )
            for identity in ids
        ]
    )


def _enter(entries: Iterable[GraphOutbox]) -> None:
    GraphOutbox.objects.bulk_create(entries, batch_size=2_000)
