"""What agents did to a node lately, read from the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import NotFoundError
from core.stores.graph import GraphUnavailableError, graph
from ontology.graph.services.telemetry_projection import agent_history
from ontology.models import Node
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
        told = agent_history(caller=caller, node_id=node.id, graph=graph(), limit=most)
    except (GraphUnavailableError, NotFoundError):  # a deleted node has no twin
        return ActionsShown(found, is_complete=False)
    both = {action.id: action for action in (*found, *told)}
    return ActionsShown(sorted(both.values(), key=lambda one: (one.occurred_at, one.id), reverse=True)[:most])
