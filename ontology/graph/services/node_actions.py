"""What agents did to a node: in the graph one edge away, and lately in the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from core.errors import NotFoundError
from core.stores.graph import GraphUnavailableError, graph
from ontology.graph.services.telemetry_projection import CYPHER
from ontology.models import Node
from ontology.nodes_and_edges.selectors import access_node
from telemetry.actions.selectors import workspace_actions
from telemetry.models import Action
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

ACTIONS_LOOKED_AT = 5_000


@dataclass(frozen=True, slots=True)
class ActionsShown:
    """What agents did to a node, the latest first; not complete where only the newest actions were looked through."""

    actions: Sequence[Action]
    is_complete: bool = True


def agent_history(*, caller: Caller, node_id: UUID, limit: int) -> list[Action]:
    """Return what agents did to a node, the latest first: one edge in the graph, read again from PostgreSQL.

    Raises NotFoundError for a node that is not there, MissingScopeError without `read`, GraphUnavailableError.
    """
    caller.require(Right.READ)
    access_node(caller, node_id)
    found = graph().glance(CYPHER["agent_history"], workspace_id=caller.workspace_id, id=str(node_id), limit=limit)
    with workspace_scope(caller):
        rows = Action.objects.of(caller).filter(id__in=[row["id"] for row in found])
        return list(rows.order_by("-occurred_at", "-id"))


def recent_node_actions(caller: Caller, node: Node, *, most: int) -> ActionsShown:
    """Return what agents did to a node lately.

    No index knows the targets of actions: the newest ones are looked through, and the graph is asked for older ones,
    since there they are one edge away.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        newest = workspace_actions(caller).values("id")[:ACTIONS_LOOKED_AT]
        found = list(workspace_actions(caller).filter(id__in=newest, node_ids__contains=[node.id])[:most])
        has_older = workspace_actions(caller)[ACTIONS_LOOKED_AT : ACTIONS_LOOKED_AT + 1].exists()
    if len(found) == most or not has_older:
        return ActionsShown(found)
    try:
        earlier = agent_history(caller=caller, node_id=node.id, limit=most)
    except (GraphUnavailableError, NotFoundError):  # a deleted node has no twin
        return ActionsShown(found, is_complete=False)
    both = {action.id: action for action in (*found, *earlier)}
    return ActionsShown(sorted(both.values(), key=lambda one: (one.occurred_at, one.id), reverse=True)[:most])
