"""What the ontology's pages read beside single nodes: the list, numbers of edges, who mentions a node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db import connection
from django.db.models import Count, Q, QuerySet

from core.clock import utc_now
from core.errors import NotFoundError
from core.graph import GraphUnavailableError, graph
from ontology.models import GOVERNED_TYPES, Connection, Edge, Merge, Node
from ontology.selectors import NodeFilter, connections_of, merges_of, nodes_matching
from ontology.services.announcing import SQL
from ontology.services.twins import agent_history
from telemetry.models import Action
from telemetry.selectors import actions_of
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope

MOST_CONNECTIONS_SHOWN = 8
MOST_SHOWN = 200
ACTIONS_LOOKED_AT = 5_000


def nodes_shown(caller: Caller, narrow: NodeFilter, *, deleted: bool) -> QuerySet[Node]:
    """Nodes for the list, for an open scope: live or deleted ones; memories only where somebody asks for their type."""
    nodes = nodes_matching(caller, narrow)
    if deleted:
        nodes = Node.objects.filter(narrow.condition(), workspace_id=caller.workspace_id, is_deleted=True)
    return nodes if narrow.types else nodes.exclude(type__in=GOVERNED_TYPES)


def count_up_to(found: QuerySet[Node], most: int) -> int:
    """How many there are; `most` + 1 stands for more."""
    return found.order_by()[: most + 1].count()


def some_connections(caller: Caller) -> list[Connection]:
    """The newest connections, as filters of the list."""
    with workspace_scope(caller):
        return list(connections_of(caller)[:MOST_CONNECTIONS_SHOWN])


@dataclass(frozen=True, slots=True)
class ConnectionShown:
    """A connection and how many nodes came through it; one that is being removed is there until that is done."""

    connection: Connection
    nodes: int = 0

    @property
    def removed(self) -> int:
        """Of what is to be removed; edges that others brought to its nodes go as well, and are not counted here."""
        return min(self.connection.to_remove, self.connection.removed_nodes + self.connection.removed_edges)


def connections_shown(caller: Caller) -> list[ConnectionShown]:
    """The workspace's connections, the newest first, with those whose removal still goes on."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        there = Q(is_deleted=False) | Q(removed_at=None)
        found = list(Connection.objects.filter(there, workspace_id=caller.workspace_id).order_by("-id")[:MOST_SHOWN])
        live = Node.objects.filter(workspace_id=caller.workspace_id, is_deleted=False, connection__in=found)
        counts = dict(live.values_list("connection").annotate(number=Count("id")).order_by())
    return [ConnectionShown(one, counts.get(one.id, 0)) for one in found]


def merges_shown(caller: Caller, *, most: int) -> list[Merge]:
    """The newest merges that hold, with their nodes."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        return list(merges_of(caller).filter(undone_at=None).select_related("kept", "absorbed")[:most])


@dataclass(frozen=True, slots=True)
class ActionsShown:
    """What agents did to a node, the latest first; not complete where only the newest actions were looked through."""

    actions: Sequence[Action]
    is_complete: bool = True


def actions_on(caller: Caller, node: Node, *, most: int) -> ActionsShown:
    """What agents did to a node lately.

    No index knows the targets of actions: the newest ones are looked through, and the graph is asked for older ones,
    since there they are one edge away.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        newest = actions_of(caller).values("id")[:ACTIONS_LOOKED_AT]
        found = list(actions_of(caller).filter(id__in=newest, node_ids__contains=[node.id])[:most])
        has_older = actions_of(caller)[ACTIONS_LOOKED_AT : ACTIONS_LOOKED_AT + 1].exists()
    if len(found) == most or not has_older:
        return ActionsShown(found)
    try:
        told = agent_history(caller=caller, node_id=node.id, graph=graph(), limit=most)
    except (GraphUnavailableError, NotFoundError):  # a deleted node has no twin
        return ActionsShown(found, is_complete=False)
    both = {action.id: action for action in (*found, *told)}
    return ActionsShown(sorted(both.values(), key=lambda one: (one.occurred_at, one.id), reverse=True)[:most])


def edge_counts(caller: Caller, ids: Sequence[UUID]) -> Counter[UUID]:
    """How many visible edges each node has."""
    with workspace_scope(caller), connection.cursor() as cursor:
        cursor.execute(SQL["visible_degrees"], {"workspace_id": caller.workspace_id, "ids": list(ids)})
        return Counter(dict(cursor.fetchall()))


def edges_of(caller: Caller, node: Node, *, most: int) -> list[Edge]:
    """A node's visible edges with their ends, outgoing ones first, by type."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        mine = Edge.objects.visible().filter(Q(source=node) | Q(target=node), workspace_id=caller.workspace_id)
        edges = list(mine.select_related("source", "target").order_by("type", "-id")[:most])
    return sorted(edges, key=lambda edge: edge.source_id != node.id)


def memories_mentioning(caller: Caller, node: Node, *, most: int) -> list[Node]:
    """The nodes of memories and facts whose text has the node's name, word for word, the newest first."""
    caller.require(Right.READ)
    if not node.name:
        return []
    phrase = SearchQuery(node.name, config="english", search_type="phrase")
    with workspace_scope(caller):
        memories = Node.objects.recallable(utc_now()).filter(
            workspace_id=caller.workspace_id, type__in=GOVERNED_TYPES, words=phrase
        )
        return list(memories.exclude(id=node.id).order_by("-id")[:most])
