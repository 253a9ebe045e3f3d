"""Reading what a picture of several things shows: the nodes of a list, and the edges among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from ontology.models import Edge, Node
from ontology.nodes_and_edges.console_selectors import listed_nodes
from ontology.nodes_and_edges.selectors import NodeFilter
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope

MAX_DRAWN_EDGES = 2_000


def nodes_to_draw(caller: Caller, narrow: NodeFilter, *, most: int) -> list[Node]:
    """Return the newest live nodes of a list, at most `most`."""
    caller.require(Right.READ)
    with reading_scope(caller):
        return list(listed_nodes(caller, narrow, deleted=False).order_by("-id").defer("words")[:most])


def edges_among(caller: Caller, nodes: Iterable[Node]) -> Sequence[Edge]:
    """Return the live edges of which both ends are among these nodes."""
    caller.require(Right.READ)
    ids: list[UUID] = [node.id for node in nodes]
    with reading_scope(caller):
        found = Edge.objects.of(caller).live().filter(source__in=ids, target__in=ids)
        return list(found.order_by("id")[:MAX_DRAWN_EDGES])
