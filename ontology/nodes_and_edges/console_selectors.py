"""Reading nodes for console pages: the filtered list, numbers of edges, memories that mention a node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db import connection
from django.db.models import OuterRef, Q, QuerySet

from core.clock import utc_now
from core.db.row_count import RowCount
from ontology.models import GOVERNED_TYPES, Edge, MergeCandidate, Node, NodeType
from ontology.nodes_and_edges.past_versions import NodeMoment
from ontology.nodes_and_edges.selectors import NodeFilter, nodes_matching
from ontology.nodes_and_edges.services.outbox import SQL
from ontology.nodes_and_edges.type_marks import TypeMark, assign_marks
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope

MAX_TYPES = 1_000
MAX_PAIRS_COUNTED = 1_000
MAX_NODES_COUNTED = 1_000  # of one type


def type_marks(caller: Caller) -> dict[str, TypeMark]:
    """Return the shape and hue of each type of node that the workspace ever had."""
    caller.require(Right.READ)
    with reading_scope(caller):
        known = NodeType.objects.of(caller).order_by("created_at", "id")
        return assign_marks(known.values_list("name", flat=True)[:MAX_TYPES])


def type_sizes(caller: Caller) -> dict[str, int]:
    """Return the types of nodes of the catalogue by name, with their live nodes, each counted up to a bound."""
    caller.require(Right.READ)
    with reading_scope(caller):
        live = Node.objects.of(caller).filter(type=OuterRef("name"), is_deleted=False).order_by()
        known = NodeType.objects.of(caller).filter(is_deleted=False).order_by("name")
        counted = known.annotate(number=RowCount(live.values("pk")[: MAX_NODES_COUNTED + 1]))
        return dict(counted.values_list("name", "number"))


def type_names(caller: Caller) -> list[str]:
    """Return the names of the types of nodes of the catalogue."""
    caller.require(Right.READ)
    with reading_scope(caller):
        known = NodeType.objects.of(caller).filter(is_deleted=False)
        return list(known.order_by("name").values_list("name", flat=True).distinct())


def waiting_pairs(caller: Caller) -> int:
    """Return how many pairs of nodes wait in the merge queue, counted up to a bound."""
    caller.require(Right.READ)
    with reading_scope(caller):
        pairs = MergeCandidate.objects.of(caller).filter(kept_apart_at=None)
        live = pairs.filter(first__is_deleted=False, second__is_deleted=False)
        return live.order_by()[:MAX_PAIRS_COUNTED].count()


def listed_nodes(
    caller: Caller, narrow: NodeFilter, *, deleted: bool, moment: NodeMoment | None = None
) -> QuerySet[Node]:
    """Nodes for the list, for an open scope: live or deleted ones; memories only where their type is asked for.

    Of another moment those that were there then, without memories, which have a list of their own.
    """
    nodes = nodes_matching(caller, narrow)
    if moment:
        then = Node.objects.of(caller).filter(narrow.condition(), moment.condition())
        return then.exclude(type__in=GOVERNED_TYPES).defer("words")
    if deleted:
        nodes = Node.objects.of(caller).filter(narrow.condition(), is_deleted=True)
    return nodes if narrow.types else nodes.exclude(type__in=GOVERNED_TYPES)


def edge_counts(caller: Caller, ids: Sequence[UUID]) -> Counter[UUID]:
    """Return how many visible edges each node has."""
    with reading_scope(caller), connection.cursor() as cursor:
        cursor.execute(SQL["visible_degrees"], {"workspace_id": caller.workspace_id, "ids": list(ids)})
        return Counter(dict(cursor.fetchall()))


def node_edges(caller: Caller, node: Node, *, most: int) -> list[Edge]:
    """Return a node's visible edges with their ends, outgoing ones first, by type."""
    caller.require(Right.READ)
    with reading_scope(caller):
        mine = Edge.objects.of(caller).visible().filter(Q(source=node) | Q(target=node))
        edges = list(mine.select_related("source", "target").order_by("type", "-id")[:most])
    return sorted(edges, key=lambda edge: edge.source_id != node.id)


def memories_mentioning(caller: Caller, node: Node, *, most: int) -> list[Node]:
    """Return the nodes of memories and facts whose text has the node's name, word for word, the newest first."""
    caller.require(Right.READ)
    if not node.name:
        return []
    phrase = SearchQuery(node.name, config="english", search_type="phrase")
    with reading_scope(caller):
        memories = Node.objects.of(caller).recallable(utc_now()).filter(type__in=GOVERNED_TYPES, words=phrase)
        return list(memories.exclude(id=node.id).order_by("-id")[:most])
