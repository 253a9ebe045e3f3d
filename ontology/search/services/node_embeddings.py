"""Vectors of nodes, made of their names and bodies."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from core.stores.queue import nudge_after_commit
from llm.embedding.table_registry import EmbeddedTable
from ontology.models import GOVERNED_TYPES, Node, NodeEmbedding
from ontology.nodes_and_edges.services.outbox import MATCH_TASK
from workspaces.access.callers import Caller


def _text(node: Node) -> str:
    return f"{node.name}\n{node.body}".strip()


def _queue_matching(caller: Caller, ids: Sequence[UUID]) -> None:
    """Nodes that have a vector are compared by meaning, too."""
    ungoverned = Node.objects.of(caller).filter(id__in=ids).exclude(type__in=GOVERNED_TYPES)
    if ungoverned.update(needs_matching=True):
        nudge_after_commit(MATCH_TASK, caller.workspace_id)


NODE_VECTORS = EmbeddedTable(
    rows=Node,
    columns=("name", "body"),
    text=_text,
    vectors=NodeEmbedding,
    reference="node",
    version="version",
    stored=_queue_matching,
)
