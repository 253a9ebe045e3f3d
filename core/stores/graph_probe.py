"""A sample of the graph that tells whether its store can be read: the statement, and where its samples begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol
from uuid import UUID, uuid4


class _Row(Protocol):
    """A row of the driver or of an answer in JSON."""

    def __getitem__(self, key: str, /) -> Any: ...


# Reads records, the index of ids and relationships of at most 20 twins, whatever workspace they belong to, and returns
# no more of them than whether each is found by its id. It takes milliseconds, however large the graph is.
PROBE = """
MATCH (n:OntologyNode) WHERE n.id >= $start
WITH n LIMIT 20
OPTIONAL MATCH (m:OntologyNode {id: n.id})
OPTIONAL MATCH (n)-[e:ONTOLOGY_EDGE]->(t:OntologyNode)
WITH n, m, e, t LIMIT 200
RETURN n.version AS version, n.workspace_id IS NOT NULL AND m.id IS NOT NULL AS is_found, e.id AS edge, t.id AS target
"""


# Two nodes and an edge of no workspace. A damaged store may read as an empty one; without them it is not believed.
SENTINELS: dict[str, Any] = {"first": str(UUID(int=1)), "second": str(UUID(int=2)), "nowhere": str(UUID(int=0))}
WRITE_SENTINELS = """
MERGE (a:OntologyNode {id: $first}) SET a.workspace_id = $nowhere, a.version = 1
MERGE (b:OntologyNode {id: $second}) SET b.workspace_id = $nowhere, b.version = 1
MERGE (a)-[e:ONTOLOGY_EDGE {id: $first}]->(b)
RETURN e.id AS edge
"""
READ_SENTINELS = """
MATCH (a:OntologyNode {id: $first}) WHERE a.workspace_id = $nowhere
MATCH (a)-[:ONTOLOGY_EDGE]->(t:OntologyNode) WHERE t.id = $second
MATCH (b:OntologyNode {id: $second})
MATCH (b)<-[:ONTOLOGY_EDGE]-(s:OntologyNode) WHERE s.id = $first
RETURN t.id AS target, s.id AS source
"""


def sample_starts(count: int) -> Iterator[str]:
    """Yield the lower bounds of samples: one from the first id on, the others at random places."""
    yield ""
    for _ in range(count - 1):
        yield str(uuid4())


def is_intact(rows: Iterable[_Row]) -> bool:
    """Whether every sampled twin was found by its id; a damaged index finds none of them."""
    return all(row["is_found"] for row in rows)
