"""What people and agents do with a node: add, edit, delete, restore. Memories are governed elsewhere: refused here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from core.clock import utc_now
from core.errors import ConflictError, FieldProblem, InvalidError, NotFoundError, ProductError
from core.text.validators import refuse_secret
from ontology.models import GOVERNED_TYPES, Change, Entity, Node, is_governed_type
from ontology.nodes_and_edges.merge_patch import apply_merge_patch
from ontology.nodes_and_edges.normalisation import render_properties
from ontology.nodes_and_edges.past_versions import EDIT, past_versions
from ontology.nodes_and_edges.provenance import mark_returned
from ontology.nodes_and_edges.selectors import access_node, merge_that_absorbed, note_known_type, object_changes
from ontology.nodes_and_edges.services.change_history import record_changes
from ontology.nodes_and_edges.services.edges import live_connections
from ontology.nodes_and_edges.services.node_writer import NewNode, change_node, create_node
from ontology.nodes_and_edges.validation import refuse_invisible, refuse_unfit_properties
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


class GovernedTypeError(InvalidError):
    """Nodes of type `memory` and `fact` come into being by remembering, which checks what may be remembered."""

    code = "governed_type"


class GovernedNodeError(ConflictError):
    """The node stands for a memory, whose pins, suppressions and scopes hold; it is changed under `memories/{id}`."""

    code = "governed_node"
    title = "This node stands for a memory. Change it under memories/{id}, where its standing is respected."


class MergedError(ConflictError):
    """The node went into another one, with its edges; only undoing that gives them back."""

    code = "merged"
    title = "This node was merged into another one. Undo the merge to bring it back."


class NodeChangedError(ConflictError):
    """The node was changed since it was read for this step."""

    code = "node_changed"
    title = "It has changed since it was shown here. Read it again, then decide."


@dataclass(frozen=True, slots=True)
class NodeReversion:
    """A node that was taken back, and the step to which it is taken back to undo that."""

    node: Node
    undo_step: UUID


@dataclass(frozen=True, slots=True)
class NodeDraft:
    """A node as a caller describes it; `provenance` tells who says so, and out of what."""

    type: str
    name: str
    properties: dict[str, Any] = field(default_factory=dict)
    connection_id: UUID | None = None
    provenance: dict[str, Any] = field(default_factory=dict)

    def validate(self) -> NewNode:
        """Return the node to create. Raises InvalidError (GovernedTypeError, SecretRefusedError),
        ContentTooLargeError."""
        refuse_governed_type(self.type)
        refuse_invisible(self.name, field="name")
        refuse_secret(f"{self.type} {self.name}", field="name")
        refuse_unfit_properties(self.properties)
        return NewNode(
            type=self.type,
            name=self.name,
            body=render_properties(self.properties),
            properties=self.properties,
            connection_id=self.connection_id,
            provenance=self.provenance,
        )


def add_node(*, caller: Caller, draft: NodeDraft) -> Node:
    """Create a node. Raises MissingScopeError without `write`, NotFoundError for an unknown connection, and what
    `NodeDraft.validate` raises."""
    caller.require(Right.WRITE)
    try:
        new = draft.validate()
    except ProductError:
        note_known_type(caller, draft.type)
        raise
    with workspace_scope(caller):
        if new.connection_id and not live_connections(caller, [new.connection_id]):
            raise NotFoundError()
        return create_node(caller=caller, new=new)


def edit_node(
    *,
    caller: Caller,
    node_id: UUID,
    changes: Mapping[str, Any],
    then: Mapping[str, Any] | None = None,
    seen: str = "",
) -> Node:
    """Change type, name or properties (see `apply_merge_patch`) of a live node.

    `then` is the provenance of earlier words that are put back; `seen` is as in `revert_node`. Raises
    MissingScopeError without `write`, NotFoundError, NodeChangedError, GovernedNodeError, GovernedTypeError,
    ContentTooLargeError, SecretRefusedError.
    """
    caller.require(Right.WRITE)
    refuse_governed_type(changes.get("type", ""))
    if "name" in changes:
        refuse_invisible(changes["name"], field="name")
    refuse_secret(f"{changes.get('type', '')} {changes.get('name', '')}", field="name")
    with workspace_scope(caller):
        node = access_node(caller, node_id, lock=True)
        refuse_governed(node)
        if seen:
            _refuse_changed(node, object_changes(caller, node_id).first(), seen=seen)
        there = {"type": node.type, "name": node.name, "properties": node.properties}
        wanted = apply_merge_patch(there, changes)
        if not wanted:
            return node
        before = {name: there[name] for name in wanted}
        if "properties" in wanted:
            refuse_unfit_properties(wanted["properties"])
            wanted["body"] = render_properties(wanted["properties"])
        wanted["provenance"], returned = mark_returned(node.provenance, label=caller.label, kind=caller.kind, then=then)
        change_node(caller=caller, node_id=node_id, expected={"is_deleted": False}, changes=wanted)
        record_changes(caller=caller, entity=Entity.NODE, ids=[node_id], action="edit", before=before | returned)
        return access_node(caller, node_id)


def revert_node(*, caller: Caller, node_id: UUID, step_id: UUID, seen: str = "") -> NodeReversion:
    """Edit a live node so that its type, name and properties are what they were after a step of its history.

    `step_id` is the id of a change, or the node's own for how it was added; `seen` that of the newest change which the
    person was shown, or the node's own. Raises NotFoundError, NodeChangedError where there is a newer one, and what
    `edit_node` raises.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        node = access_node(caller, node_id, lock=True)
        changes = list(object_changes(caller, node_id))
        _refuse_changed(node, changes[0] if changes else None, seen=seen)
        edits = [each for each in changes if each.action == EDIT]
        versions = dict(zip([*(each.id for each in edits), node_id], past_versions(node, edits), strict=True))
        if step_id not in versions:
            raise NotFoundError()
        version, current = versions[step_id], next(iter(versions))
        removed = dict.fromkeys(node.properties.keys() - version.properties.keys())
        wanted = {"type": version.type, "name": version.name, "properties": {**version.properties, **removed}}
        edited = edit_node(caller=caller, node_id=node_id, changes=wanted, then=version.provenance)
        return NodeReversion(edited, undo_step=current)


def delete_node(*, caller: Caller, node_id: UUID) -> Node:
    """Delete a node softly, which hides its edges; one that is deleted stays as it is.

    Raises MissingScopeError without `write`, NotFoundError, GovernedNodeError.
    """
    return _set_deleted(caller, node_id, is_deleted=True, action="delete")


def restore_node(*, caller: Caller, node_id: UUID) -> Node:
    """Bring a deleted node back, and its edges with it.

    Raises MissingScopeError without `write`, NotFoundError, GovernedNodeError, MergedError.
    """
    return _set_deleted(caller, node_id, is_deleted=False, action="restore")


def _refuse_changed(node: Node, newest: Change | None, *, seen: str) -> None:
    """Raise NodeChangedError where the newest change of a node, or its own id, is not what was `seen`."""
    if seen and str(newest.id if newest else node.id) != seen:
        raise NodeChangedError()


def refuse_governed_type(kind: str) -> None:
    """Raise GovernedTypeError for the types of memories, however they are written."""
    if is_governed_type(kind):
        problem = FieldProblem("type", "governed_type", "Memories and facts are remembered: POST memories.")
        raise GovernedTypeError(
            f"A node of type '{kind}' is remembered: POST memories, or the page Memory.", problems=(problem,)
        )


def refuse_governed(node: Node) -> None:
    """Raise GovernedNodeError for a node that stands for a memory."""
    if node.type in GOVERNED_TYPES:
        raise GovernedNodeError(f"This node stands for a memory. Change it under memories/{node.id}.")


def _set_deleted(caller: Caller, node_id: UUID, *, is_deleted: bool, action: str) -> Node:
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        node = access_node(caller, node_id, lock=True, with_deleted=True)
        refuse_governed(node)
        if not is_deleted and (merge := merge_that_absorbed(caller, node_id)):
            raise MergedError(f"This node was merged into {merge.kept_id}. Undo the merge {merge.id} to bring it back.")
        changes = {"is_deleted": is_deleted, "deleted_at": utc_now() if is_deleted else None}
        if change_node(caller=caller, node_id=node_id, expected={"is_deleted": not is_deleted}, changes=changes):
            record_changes(
                caller=caller, entity=Entity.NODE, ids=[node_id], action=action, before={"is_deleted": not is_deleted}
            )
        return access_node(caller, node_id, with_deleted=True)
