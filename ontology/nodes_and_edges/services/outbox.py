"""Announcing changes, in the transaction that makes them: to the graph and to the embedder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from uuid import UUID

from django.db import connection

from core.db.named_statements import named_statements
from core.stores.queue import nudge_after_commit
from llm.embedding.services.backlog import nudge_embedding
from ontology.models import Edge, Entity, GraphOutbox, Projected

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


def announce_histories(workspace_id: UUID, node_ids: Iterable[UUID]) -> None:
    """Enter nodes whose agent history the graph has to compare with the rows: they are back, or are one by now."""
    _enter(GraphOutbox(workspace_id=workspace_id, entity=Projected.HISTORY, entity_id=one) for one in node_ids)
    nudge_after_commit(PROJECT_TASK, workspace_id)


def _enter(entries: Iterable[GraphOutbox]) -> None:
    GraphOutbox.objects.bulk_create(entries, batch_size=2_000)
