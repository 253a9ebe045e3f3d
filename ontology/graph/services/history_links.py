"""Which nodes actions are about by now, and the edges of the graph that say so.

An action names the nodes that it touched for good. One that went into another is that other, as long as the merge
stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from django.db import connection

from core.stores.graph import Graph, GraphStatement
from ontology.models import Node
from ontology.nodes_and_edges.services.outbox import SQL
from telemetry.models import Action
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

PAGE = 5_000

# An action and a node that it touched.
Link = tuple[UUID, UUID]


def standing_nodes(caller: Caller, ids: Collection[UUID]) -> Mapping[UUID, UUID]:
    """Return what each of some nodes is by now: the one that it went into, or itself; for an open scope."""
    found = {identity: identity for identity in ids}
    with connection.cursor() as cursor:
        cursor.execute(SQL["absorbing_nodes"], {"workspace_id": caller.workspace_id, "ids": list(ids)})
        return {**found, **dict(cursor.fetchall())}


def node_families(caller: Caller, ids: Collection[UUID]) -> Mapping[UUID, set[UUID]]:
    """Return for each of some nodes itself and those that went into it; for an open scope."""
    found = {identity: {identity} for identity in ids}
    with connection.cursor() as cursor:
        cursor.execute(SQL["absorbed_nodes"], {"workspace_id": caller.workspace_id, "ids": list(ids)})
        for root, identity in cursor.fetchall():
            found[root].add(identity)
    return found


def project_histories(
    caller: Caller, graph: Graph, statements: Mapping[str, GraphStatement], node_ids: Collection[UUID]
) -> None:
    """Bring the edges between live nodes and the actions that touched them to what the rows say."""
    with workspace_scope(caller):
        live = list(Node.objects.of(caller).filter(id__in=node_ids, is_deleted=False).values_list("id", flat=True))
        expected = _expected_links(caller, live)
    rows = [{"node": str(identity)} for identity in live]
    found = {
        (UUID(row["id"]), UUID(row["node"]))
        for row in graph.read(statements["list_touches_of_nodes"], workspace_id=caller.workspace_id, rows=rows)
    }
    for statement, links in (("unlink_touched", found - expected), ("link_touched", expected - found)):
        for part in _split(links):
            written = [{"id": str(action), "node": str(node)} for action, node in part]
            graph.write(statements[statement], workspace_id=caller.workspace_id, rows=written)


def differing_histories(caller: Caller, graph: Graph, statements: Mapping[str, GraphStatement]) -> tuple[UUID, ...]:
    """Return the live nodes that the graph has other edges to, from the actions that it has, than the rows say."""
    differing: set[UUID] = set()
    for page in _action_pages(caller, graph, statements["list_actions"]):
        with workspace_scope(caller):
            expected = _links_of_actions(caller, page)
        rows = [{"id": str(identity)} for identity in page]
        touches = graph.read(statements["list_touches_of_actions"], workspace_id=caller.workspace_id, rows=rows)
        differing |= {node for _, node in expected ^ {(UUID(row["id"]), UUID(row["node"])) for row in touches}}
    return tuple(sorted(differing))


def _expected_links(caller: Caller, live: Sequence[UUID]) -> set[Link]:
    roots: dict[UUID, UUID] = {
        member: root for root, members in node_families(caller, live).items() for member in members
    }
    with connection.cursor() as cursor:
        cursor.execute(SQL["touching_actions"], {"workspace_id": caller.workspace_id, "ids": list(roots)})
        return {(action, roots[node]) for action, node in cursor.fetchall()}


def _links_of_actions(caller: Caller, ids: Sequence[UUID]) -> set[Link]:
    touched: dict[UUID, list[UUID]] = dict(Action.objects.of(caller).filter(id__in=ids).values_list("id", "node_ids"))
    standing = standing_nodes(caller, {node for nodes in touched.values() for node in nodes})
    there = Node.objects.of(caller).filter(id__in=set(standing.values()), is_deleted=False)
    live = set(there.values_list("id", flat=True))
    links = {(action, standing[node]) for action, nodes in touched.items() for node in nodes}
    return {(action, node) for action, node in links if node in live}


def _action_pages(caller: Caller, graph: Graph, statement: GraphStatement) -> Iterator[list[UUID]]:
    after = ""
    while page := graph.read(statement, workspace_id=caller.workspace_id, after=after, limit=PAGE):
        yield [UUID(row["id"]) for row in page]
        after = page[-1]["id"]


def _split(links: Iterable[Link]) -> Iterator[Sequence[Link]]:
    ordered = sorted(links)
    return (ordered[start : start + PAGE] for start in range(0, len(ordered), PAGE))
