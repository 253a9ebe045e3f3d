"""A graph store of an earlier version, in which ids were unique in the whole store, gets keys of workspaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from core.stores.graph import graph
from embedded import Home
from ontology.graph.services.projection import CYPHER
from tests.embedded.programs import Said
from tests.embedded.test_graph_damage import product_on, running

pytestmark = pytest.mark.slow

FIRST, SECOND = UUID(int=7), UUID(int=8)
TWIN = {"id": str(UUID(int=100)), "type": "person", "importance": 0.5, "version": 3}
OTHER = {"id": str(UUID(int=101)), "type": "person", "importance": 0.5, "version": 3}
EDGE = {"id": str(UUID(int=200)), "source": TWIN["id"], "target": OTHER["id"], "type": "knows", "version": 1}
EARLIER = (
    "CREATE CONSTRAINT ontology_node_id IF NOT EXISTS FOR (n:OntologyNode) REQUIRE n.id IS UNIQUE",
    "CREATE INDEX ontology_node_workspace IF NOT EXISTS FOR (n:OntologyNode) ON (n.workspace_id)",
    *(
        f"CREATE CONSTRAINT mem_{kind}_id IF NOT EXISTS FOR (n:`_mem:{kind}`) REQUIRE n.id IS UNIQUE"
        for kind in ("action", "sequence", "pattern", "benchmark")
    ),
)


def put(workspace_id: UUID) -> None:
    graph().write(CYPHER["put_nodes"], workspace_id=workspace_id, rows=[TWIN, OTHER])
    graph().write(CYPHER["put_edges"], workspace_id=workspace_id, rows=[EDGE])


def listed(workspace_id: UUID, what: str) -> list[str]:
    rows = graph().read(CYPHER[what], workspace_id=workspace_id, after="", limit=10)
    return [row["id"] for row in rows]


def test_what_is_there_stays_and_the_same_ids_come_in_for_another_workspace(tmp_path: Path, settings: Any) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    with running(home, Said()) as server, product_on(server, settings):
        for statement in EARLIER:
            _run(statement)
        _run(
            "CREATE (a:OntologyNode {workspace_id: $ws, id: $a, version: 3, type: 'person', importance: 0.5}) "
            "CREATE (b:OntologyNode {workspace_id: $ws, id: $b, version: 3, type: 'person', importance: 0.5}) "
            "CREATE (a)-[:ONTOLOGY_EDGE {id: $e, type: 'knows', version: 1}]->(b)",
            ws=str(FIRST),
            a=TWIN["id"],
            b=OTHER["id"],
            e=EDGE["id"],
        )

    said = Said()
    with running(home, said) as server, product_on(server, settings):
        assert not list(home.path.glob("graph.damaged-*")), said.lines
        graph().probe()
        put(SECOND)
        put(FIRST)
        for workspace_id in (FIRST, SECOND):
            assert listed(workspace_id, "list_nodes") == [TWIN["id"], OTHER["id"]]
            assert listed(workspace_id, "list_edges") == [EDGE["id"]]

        graph().write(CYPHER["remove_nodes"], workspace_id=FIRST, rows=[{"id": TWIN["id"]}])
        assert (listed(FIRST, "list_nodes"), listed(FIRST, "list_edges")) == ([OTHER["id"]], [])
        assert listed(SECOND, "list_edges") == [EDGE["id"]]
        constraints = _run("SHOW CONSTRAINTS")
        graph().probe()

    unique = {(*one["labelsOrTypes"], *one["properties"]) for one in constraints if one["type"] == "UNIQUENESS"}
    kinds = ("OntologyNode", "_mem:action", "_mem:sequence", "_mem:pattern", "_mem:benchmark")
    assert unique == {(kind, "workspace_id", "id") for kind in kinds}


def _run(statement: str, **parameters: Any) -> list[dict[str, Any]]:
    """Run a statement of no workspace, as an earlier version did."""
    with graph()._driver.session(database=graph()._database) as session:
        return [record.data() for record in session.run(statement, parameters)]
