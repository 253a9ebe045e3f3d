"""Taking back steps in the history of a node or an edge, through the services that made them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.errors import ConflictError
from ontology.models import Change, Entity
from ontology.nodes_and_edges.past_versions import earlier_provenances, edit_values, entity_edits, find_unfit_value
from ontology.nodes_and_edges.selectors import access_edge, access_node
from ontology.nodes_and_edges.services.edges import delete_edge, edit_edge, restore_edge
from ontology.nodes_and_edges.services.node_editor import delete_node, edit_node, restore_node
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

EDIT, DELETE, RESTORE = "edit", "delete", "restore"
# Steps that can be taken back here; merges have an undoing of their own.
INVERTIBLE_CHANGES = frozenset({EDIT, DELETE, RESTORE})


class UnreadableChangeError(ConflictError):
    """A change that was imported does not say what was before it."""

    code = "unreadable_change"
    title = "A change in this history came with an import and cannot be read. Edit the thing instead."


def invert_changes(*, caller: Caller, changes: Sequence[Change]) -> None:
    """Take changes of one node or edge back, the newest first; others than edits, deletions and their undoing stay.

    Raises NotFoundError, UnreadableChangeError, and what the steps back raise: DuplicateEdgeError, EndDeletedError, …
    """
    with workspace_scope(caller):
        for change in sorted(changes, key=lambda each: each.pk, reverse=True):
            if change.action in INVERTIBLE_CHANGES:
                _INVERSES[change.entity, change.action](caller, change)


def _edit_node_back(caller: Caller, change: Change) -> None:
    node = access_node(caller, change.entity_id, lock=True)
    then = earlier_provenances(node, _edits(caller, change))[change.id]
    changes = _as_patch(edit_values(change), node.properties)
    edit_node(caller=caller, node_id=node.id, changes=changes, then=then)


def _edit_edge_back(caller: Caller, change: Change) -> None:
    edge = access_edge(caller, change.entity_id, lock=True)
    then = earlier_provenances(edge, _edits(caller, change))[change.id]
    changes = _as_patch(edit_values(change), edge.properties)
    edit_edge(caller=caller, edge_id=edge.id, changes=changes, then=then)


def _edits(caller: Caller, change: Change) -> list[Change]:
    """Return the edits of what a change is about, newest first. Raises UnreadableChangeError."""
    edits = entity_edits(caller, [change.entity_id])[change.entity_id]
    if any(find_unfit_value(edit.before) for edit in edits):
        raise UnreadableChangeError()
    return edits


def _as_patch(before: Mapping[str, Any], there: Mapping[str, Any]) -> dict[str, Any]:
    """Return the merge patch that makes fields what they were: a property that was added is named with a null."""
    if "properties" not in before:
        return dict(before)
    added = {name: None for name in there if name not in before["properties"]}
    return {**before, "properties": {**before["properties"], **added}}


def _delete_node(caller: Caller, change: Change) -> None:
    delete_node(caller=caller, node_id=change.entity_id)


def _restore_node(caller: Caller, change: Change) -> None:
    restore_node(caller=caller, node_id=change.entity_id)


def _delete_edge(caller: Caller, change: Change) -> None:
    delete_edge(caller=caller, edge_id=change.entity_id)


def _restore_edge(caller: Caller, change: Change) -> None:
    restore_edge(caller=caller, edge_id=change.entity_id)


_INVERSES: dict[tuple[str, str], Callable[[Caller, Change], None]] = {
    (Entity.NODE, EDIT): _edit_node_back,
    (Entity.NODE, DELETE): _restore_node,
    (Entity.NODE, RESTORE): _delete_node,
    (Entity.EDGE, EDIT): _edit_edge_back,
    (Entity.EDGE, DELETE): _restore_edge,
    (Entity.EDGE, RESTORE): _delete_edge,
}
