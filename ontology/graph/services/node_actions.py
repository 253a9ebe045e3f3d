"""What agents did to a node: in the graph one edge away, and lately in the rows."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import OperationalError

from core.stores.graph import GraphUnavailableError, graph
from ontology.graph.services.history_links import node_families
from ontology.graph.services.telemetry_projection import CYPHER
from ontology.models import Node
from ontology.nodes_and_edges.selectors import access_node
from telemetry.actions.selectors import newest_actions, workspace_actions
from telemetry.models import Action
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

log = logging.getLogger(__name__)

ACTIONS_LOOKED_AT = 5_000
# That all actions of a workspace may take, where the graph does not answer: a million take half a second.
SECONDS_OF_ROWS = 5.0


@dataclass(frozen=True, slots=True)
class ActionsShown:
    """What agents did to a node, the latest first; not complete where only the newest actions were looked through."""

    actions: Sequence[Action]
    is_complete: bool = True


def agent_history(*, caller: Caller, node_id: UUID, limit: int) -> list[Action]:
    """Return what agents did to a node, the latest first: one edge in the graph, read again from PostgreSQL.

    Without the graph the rows of the workspace are looked through, for at most five seconds. Raises NotFoundError for a
    node that is not there, MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    access_node(caller, node_id)
    in_graph = _ids_in_graph(caller, node_id, limit)
    if in_graph is None:
        return _history_in_rows(caller, node_id, limit)
    with workspace_scope(caller):
        return list(workspace_actions(caller).filter(id__in=in_graph).order_by("-occurred_at", "-id"))


def _ids_in_graph(caller: Caller, node_id: UUID, limit: int) -> list[UUID] | None:
    """Return the actions one edge away, or None where the graph does not answer."""
    try:
        found = graph().glance(CYPHER["agent_history"], workspace_id=caller.workspace_id, id=str(node_id), limit=limit)
    except GraphUnavailableError:
        log.debug("graph_passed_over the history of a node of workspace %s comes from the rows", caller.workspace_id)
        return None
    return [UUID(row["id"]) for row in found]


def _history_in_rows(caller: Caller, node_id: UUID, limit: int) -> list[Action]:
    with workspace_scope(caller, statement_seconds=SECONDS_OF_ROWS):
        family = node_families(caller, [node_id])[node_id]
        return list(
            workspace_actions(caller).filter(node_ids__overlap=list(family)).order_by("-occurred_at", "-id")[:limit]
        )


def recent_node_actions(caller: Caller, node: Node, *, most: int) -> ActionsShown:
    """Return what agents did to a node lately.

    No index knows the targets of actions: the newest ones are looked through, which the graph may not have yet, and the
    graph knows older ones, since there they are one edge away. Without it, and of a deleted node, which has no twin,
    all are looked through.
    """
    caller.require(Right.READ)
    in_graph = None if node.is_deleted else _ids_in_graph(caller, node.id, most)
    with workspace_scope(caller):
        family = node_families(caller, [node.id])[node.id]
        newest = newest_actions(caller, most=ACTIONS_LOOKED_AT)
        found = list(newest.rows.filter(node_ids__overlap=list(family))[:most])
        earlier = list(workspace_actions(caller).filter(id__in=in_graph or ()))
    if len(found) == most or not newest.has_older:
        return ActionsShown(found)
    if in_graph is None:
        try:
            earlier = _history_in_rows(caller, node.id, most)
        except OperationalError:  # it took too long
            return ActionsShown(found, is_complete=False)
    both = {action.id: action for action in (*found, *earlier)}
    return ActionsShown(sorted(both.values(), key=lambda one: (one.occurred_at, one.id), reverse=True)[:most])
