"""The one provider through which nodes are written: the row, its place in the outbox and its vector stay in step.

Every function here runs inside the caller's open `workspace_scope`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F

from core.clock import utc_now
from core.queue import nudge_after_commit
from ontology.models import GraphOutbox, Node, NodeEmbedding, NodeType
from workspaces.callers import Caller

PROJECT_TASK = "ontology.tasks.project_workspace"
EMBED_TASK = "ontology.tasks.embed_workspace"

# Changes of these fields mean a new text, and therefore a new vector.
TEXT_FIELDS = frozenset({"name", "body"})


@dataclass(frozen=True, slots=True)
class NewNode:
    """What a node is made of. `importance_score` is 0 to 1; the times bound when it may be recalled."""

    type: str
    name: str = ""
    body: str = ""
    properties: dict[str, Any] = field(default_factory=dict)
    importance_score: float = 0.5
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None


def create_node(*, caller: Caller, new: NewNode) -> Node:
    """Insert a node, register its type, and tell the graph and the embedder after the commit."""
    NodeType.objects.bulk_create([NodeType(workspace_id=caller.workspace_id, name=new.type)], ignore_conflicts=True)
    node = Node.objects.create(
        workspace_id=caller.workspace_id,
        type=new.type,
        name=new.name,
        body=new.body,
        properties=new.properties,
        importance_score=new.importance_score,
        valid_from=new.valid_from,
        valid_to=new.valid_to,
        expires_at=new.expires_at,
    )
    _announce(caller.workspace_id, [node.id], has_new_text=True)
    return node


def change_node(*, caller: Caller, node_id: UUID, expected: dict[str, Any], changes: dict[str, Any]) -> bool:
    """Change a node if it still is as `expected`; False when somebody was first. See `change_nodes`."""
    return bool(change_nodes(caller=caller, node_ids=[node_id], expected=expected, changes=changes))


def change_nodes(
    *, caller: Caller, node_ids: Sequence[UUID], expected: dict[str, Any], changes: dict[str, Any]
) -> list[UUID]:
    """Change those of the nodes that still are as `expected`; answer which.

    The version rises with every change. A new text drops the vector at once, so that nothing is found by what a node
    said before.
    """
    has_new_text = not TEXT_FIELDS.isdisjoint(changes)
    if has_new_text:
        changes = {**changes, "needs_embedding": True}
    mine = Node.objects.filter(workspace_id=caller.workspace_id, id__in=node_ids)
    locked = mine.filter(**expected).order_by("id").select_for_update(no_key=True)
    changed = list(locked.values_list("id", flat=True))
    if not changed:
        return []
    mine.filter(id__in=changed).update(**changes, version=F("version") + 1, updated_at=utc_now())
    if has_new_text:
        NodeEmbedding.objects.filter(workspace_id=caller.workspace_id, node_id__in=changed).delete()
    if "type" in changes:
        kind = NodeType(workspace_id=caller.workspace_id, name=changes["type"])
        NodeType.objects.bulk_create([kind], ignore_conflicts=True)
    _announce(caller.workspace_id, changed, has_new_text=has_new_text)
    return changed


def count_references(*, caller: Caller, node_ids: list[UUID]) -> None:
    """One reference more for each node; rows are locked in the order of their ids, so that two runs cannot deadlock."""
    cited = Node.objects.filter(workspace_id=caller.workspace_id, id__in=node_ids).order_by("id")
    locked = cited.select_for_update(no_key=True).values_list("id", flat=True)
    Node.objects.filter(id__in=list(locked)).update(
        reference_count=F("reference_count") + 1, last_referenced_at=utc_now()
    )


def _announce(workspace_id: UUID, node_ids: Sequence[UUID], *, has_new_text: bool) -> None:
    GraphOutbox.objects.bulk_create(
        [GraphOutbox(workspace_id=workspace_id, entity="node", entity_id=identity) for identity in node_ids]
    )
    nudge_after_commit(PROJECT_TASK, workspace_id)
    if has_new_text:
        nudge_after_commit(EMBED_TASK, workspace_id)
