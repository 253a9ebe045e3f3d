"""The one provider through which nodes are written: the row, its place in the outbox and its vector stay in step.

Every function here runs inside the caller's open `workspace_scope`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Case, F, Value, When

from core.clock import utc_now
from core.stores.queue import nudge_after_commit
from llm.embedding.services.vector_store import delete_own_vectors
from ontology.models import GOVERNED_TYPES, Node, NodeEmbedding, NodeType
from ontology.nodes_and_edges.normalisation import name_key
from ontology.nodes_and_edges.services.outbox import MATCH_TASK, announce_histories, announce_node_edges, announce_nodes
from ontology.nodes_and_edges.services.type_editor import register_types
from telemetry.actions.call_targets import note_targets
from telemetry.live.services.changes import note_change
from workspaces.access.callers import Caller
from workspaces.access.quotas import refuse_full
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import enter_space
from workspaces.http.idempotency import purge_responses

# Changes of these fields mean a new text, and therefore a new vector.
TEXT_FIELDS = frozenset({"name", "body"})
# … and of these, that another node may be the same thing. Memories have neither.
NAMING_FIELDS = frozenset({"name", "properties"})
ROWS_AT_ONCE = 2_000
# Authors of what was extracted from messages, which any agent may have appended to be cited by itself.
AUTHORS_UNKNOWN = ("extraction", "consolidation")


@dataclass(frozen=True, slots=True)
class NewNode:
    """What a node is made of. `importance_score` is 0 to 1; `valid_…` and `expires_at` bound its recall.

    `author_id` is whose words they are, where that is not the caller.
    """

    type: str
    name: str = ""
    body: str = ""
    properties: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    connection_id: UUID | None = None
    importance_score: float = 0.5
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    created_at: datetime = field(default_factory=utc_now)
    updated_at: datetime = field(default_factory=utc_now)
    author_id: str = ""


def create_node(*, caller: Caller, new: NewNode) -> Node:
    """Insert one node; see `create_nodes`."""
    return create_nodes(caller=caller, new=[new])[0]


def create_nodes(*, caller: Caller, new: Sequence[NewNode]) -> list[Node]:
    """Insert nodes, register their types, and wake the relay and the embedder after the commit.

    Raises QuotaExceededError.
    """
    refuse_full(caller=caller, model=Node, setting="MAX_NODES")
    enter_space(caller)
    register_types(NodeType, caller.workspace_id, (one.type for one in new))
    nodes: list[Node] = Node.objects.bulk_create(
        [
            Node(
                workspace_id=caller.workspace_id,
                type=one.type,
                name=one.name,
                name_key=name_key(one.name),
                body=one.body,
                properties=one.properties,
                provenance=one.provenance,
                author_id=one.author_id or caller.id,
                connection_id=one.connection_id,
                needs_matching=one.type not in GOVERNED_TYPES,
                importance_score=one.importance_score,
                valid_from=one.valid_from,
                valid_to=one.valid_to,
                expires_at=one.expires_at,
                created_at=one.created_at,
                updated_at=one.updated_at,
            )
            for one in new
        ],
        batch_size=ROWS_AT_ONCE,
    )
    announce_nodes(caller.workspace_id, [node.id for node in nodes], with_new_text=True)
    note_targets((node.id, node.type) for node in nodes)
    things = [node.id for node in nodes if node.type not in GOVERNED_TYPES]  # a memory is noted with its revision
    note_change(caller=caller, layer="ontology", type="node", ids=things, action="create")
    if any(node.needs_matching for node in nodes):
        nudge_after_commit(MATCH_TASK, caller.workspace_id)
    return nodes


def change_node(*, caller: Caller, node_id: UUID, expected: dict[str, Any], changes: dict[str, Any]) -> bool:
    """Change a node if it still is as `expected`; False when another writer was first. See `change_nodes`."""
    return bool(change_nodes(caller=caller, node_ids=[node_id], expected=expected, changes=changes))


def change_nodes(
    *, caller: Caller, node_ids: Sequence[UUID], expected: dict[str, Any], changes: dict[str, Any]
) -> list[UUID]:
    """Change those of the nodes that still are as `expected`; return which.

    The version rises with every change. A new text drops the vector at once, so that nothing is found by what a node
    said before. Edges disappear with a node that is deleted and are back with it when it is restored; answers that may
    tell of it are gone for good.
    """
    has_new_text = not TEXT_FIELDS.isdisjoint(changes)
    if has_new_text:
        changes = {**changes, "needs_embedding": True}
        if caller.is_agent:  # which wrote the text that is there now, and may not lift it by citing it
            changes["author_id"] = caller.id
        if not caller.is_trusted:  # what was cited are the words of another author
            kept = When(author_id=caller.id, then=F("independent_references"))
            changes["independent_references"] = Case(kept, default=0)
    if "name" in changes:
        changes = {**changes, "name_key": name_key(changes["name"])}
    needs_matching = not NAMING_FIELDS.isdisjoint(changes)
    if needs_matching:
        changes = {**changes, "needs_matching": True}
    mine = Node.objects.of(caller).filter(id__in=node_ids)
    locked = mine.filter(**expected).order_by("id").select_for_update(no_key=True)
    changed = list(locked.values_list("id", flat=True))
    if not changed:
        return []
    mine.filter(id__in=changed).update(**changes, version=F("version") + 1, updated_at=utc_now())
    if has_new_text:
        NodeEmbedding.objects.of(caller).filter(node_id__in=changed).delete()
        delete_own_vectors(caller, changed)
    if "type" in changes:
        register_types(NodeType, caller.workspace_id, [changes["type"]])
    announce_nodes(caller.workspace_id, changed, with_new_text=has_new_text)
    if needs_matching:
        nudge_after_commit(MATCH_TASK, caller.workspace_id)
    if changes.get("is_deleted"):
        purge_responses(caller=caller)
    if changes.get("is_deleted") is False:
        # After their ends, without which the graph has no place for them.
        announce_node_edges(caller.workspace_id, changed)
        announce_histories(caller.workspace_id, changed)
    return changed


def count_references(*, caller: Caller, node_ids: list[UUID]) -> None:
    """Count one more reference to each node, as an independent one unless the caller is an agent that wrote the node.

    A caller who may create facts needs no self-citation to lift what it wrote: its references are independent.
    What is cited of a space that the caller only reads is not counted there: its other readers would see that it
    was used. Rows are locked in the order of their ids, so that two runs cannot deadlock.
    """
    own = Case(When(author_id__in=[caller.id, *AUTHORS_UNKNOWN], then=0), default=1)
    independent = Value(1) if caller.is_trusted else own
    with workspace_scope(caller):
        cited = Node.objects.of(caller).filter(id__in=node_ids, space_id=caller.reach.written).order_by("id")
        locked = list(cited.select_for_update(no_key=True).values_list("id", flat=True))
        Node.objects.of(caller).filter(id__in=locked).update(
            reference_count=F("reference_count") + 1,
            independent_references=F("independent_references") + independent,
            last_referenced_at=utc_now(),
        )
