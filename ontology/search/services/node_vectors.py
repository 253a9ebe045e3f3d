"""Giving nodes their vectors, in the background, one batch at a time."""

from __future__ import annotations

from uuid import UUID

from core.embedding import Embedder, default_embedder
from core.stores.claims import WHOLE, WorkTurn
from core.stores.queue import nudge_after_commit
from ontology.models import GOVERNED_TYPES, Node, NodeEmbedding
from ontology.nodes_and_edges.services.outbox import MATCH_TASK
from workspaces.access.callers import Caller, system_caller
from workspaces.access.scope import workspace_scope

BATCH = 32


def embed_pending(*, workspace_id: UUID, most: int, turn: WorkTurn = WHOLE) -> int:
    """Embed up to `most` nodes that have no vector of the current model; answer how many got one.

    Without an embedder nothing happens and 0 is answered. The model runs outside of any transaction; a text that
    changed meanwhile keeps waiting for its own turn. Raises EmbedderError.
    """
    embedder = default_embedder()
    if embedder is None:
        return 0
    caller = system_caller(workspace_id, "embedding")
    done = 0
    while done < most and not turn.is_over and (waiting := _waiting(caller, turn, min(BATCH, most - done))):
        _store(caller, embedder, waiting)
        done += len(waiting)
    return done


def is_pending(*, workspace_id: UUID) -> bool:
    """Whether nodes wait for their vectors."""
    with workspace_scope(system_caller(workspace_id, "embedding")):
        return Node.objects.filter(workspace_id=workspace_id, needs_embedding=True).exists()


def mark_other_models(*, workspace_id: UUID) -> int:
    """Queue every node whose vector was made by another model than the current one; answer how many."""
    embedder = default_embedder()
    if embedder is None:
        return 0
    with workspace_scope(system_caller(workspace_id, "embedding")):
        stale = NodeEmbedding.objects.filter(workspace_id=workspace_id).exclude(model=embedder.model)
        return Node.objects.filter(workspace_id=workspace_id, id__in=stale.values("node_id")).update(
            needs_embedding=True
        )


def _waiting(caller: Caller, turn: WorkTurn, most: int) -> list[Node]:
    with workspace_scope(caller):
        waiting = Node.objects.of(caller).filter(needs_embedding=True).order_by(turn.order)
        return list(waiting.only("id", "name", "body", "version")[:most])


def _store(caller: Caller, embedder: Embedder, nodes: list[Node]) -> None:
    vectors = embedder.embed_passages([f"{node.name}\n{node.body}".strip() for node in nodes])
    with workspace_scope(caller):
        current = dict(
            Node.objects.of(caller)
            .filter(id__in=[node.id for node in nodes])
            .order_by("id")
            .select_for_update()
            .values_list("id", "version")
        )
        kept = [
            (node, vector) for node, vector in zip(nodes, vectors, strict=True) if current.get(node.id) == node.version
        ]
        NodeEmbedding.objects.bulk_create(
            [
                NodeEmbedding(
                    workspace_id=caller.workspace_id,
                    node_id=node.id,
                    model=embedder.model,
                    dimensions=embedder.dimensions,
                    vector=vector,
                )
                for node, vector in kept
            ],
            update_conflicts=True,
            unique_fields=["node"],
            update_fields=["model", "dimensions", "vector", "created_at"],
        )
        embedded = Node.objects.filter(id__in=[node.id for node, _ in kept])
        embedded.update(needs_embedding=False)
        if embedded.exclude(type__in=GOVERNED_TYPES).update(needs_matching=True):
            nudge_after_commit(MATCH_TASK, caller.workspace_id)
