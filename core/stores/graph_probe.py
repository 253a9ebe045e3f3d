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


# The same for the twins of what agents did.
PROBE_ACTIONS = """
MATCH (a:`_mem:action`) WHERE a.id >= $start
WITH a LIMIT 20
OPTIONAL MATCH (m:`_mem:action` {id: a.id})
OPTIONAL MATCH (a)-[:IN_SEQUENCE]->(s:`_mem:sequence`)
OPTIONAL MATCH (a)-[:TOUCHED]->(n:OntologyNode)
WITH a, m, s, n LIMIT 200
RETURN a.type AS type, a.workspace_id IS NOT NULL AND m.id IS NOT NULL AS is_found, s.id AS sequence, n.id AS node
"""
PROBES = (PROBE, PROBE_ACTIONS)

# Some of each kind, of no workspace. A damaged store may read as an empty one; without them it is not believed.
SENTINELS: dict[str, Any] = {"first": str(UUID(int=1)), "second": str(UUID(int=2)), "nowhere": str(UUID(int=0))}
WRITE_SENTINELS = """
MERGE (a:OntologyNode {id: $first}) SET a.workspace_id = $nowhere, a.version = 1
MERGE (b:OntologyNode {id: $second}) SET b.workspace_id = $nowhere, b.version = 1
MERGE (a)-[e:ONTOLOGY_EDGE {id: $first}]->(b)
MERGE (x:`_mem:action` {id: $first}) SET x.workspace_id = $nowhere
MERGE (s:`_mem:sequence` {id: $first}) SET s.workspace_id = $nowhere
MERGE (p:`_mem:pattern` {id: $first}) SET p.workspace_id = $nowhere
MERGE (m:`_mem:benchmark` {id: $first}) SET m.workspace_id = $nowhere
MERGE (x)-[:IN_SEQUENCE]->(s)
MERGE (x)-[:TOUCHED]->(a)
RETURN e.id AS edge
"""
READ_SENTINELS = """
MATCH (a:OntologyNode {id: $first}) WHERE a.workspace_id = $nowhere
MATCH (a)-[:ONTOLOGY_EDGE]->(t:OntologyNode) WHERE t.id = $second
MATCH (b:OntologyNode {id: $second})
MATCH (b)<-[:ONTOLOGY_EDGE]-(s:OntologyNode) WHERE s.id = $first
MATCH (x:`_mem:action` {id: $first})-[:IN_SEQUENCE]->(q:`_mem:sequence`) WHERE q.id = $first
MATCH (:`_mem:sequence` {id: $first})<-[:IN_SEQUENCE]-(y:`_mem:action`) WHERE y.id = $first
MATCH (x)-[:TOUCHED]->(touched:OntologyNode) WHERE touched.id = $first
MATCH (p:`_mem:pattern` {id: $first}) WHERE p.workspace_id = $nowhere
MATCH (m:`_mem:benchmark` {id: $first}) WHERE m.workspace_id = $nowhere
RETURN t.id AS target, s.id AS source
"""


def sample_starts(count: int) -> Iterator[str]:
    """Yield the lower bounds of samples: one from the first id on, the others at random places."""
    yield ""
    for _ in range(count - 1):
        yield str(uuid4())


def is_intact(rows: Iterable[_Row]) -> bool:
    """Return whether every sampled twin was found by its id; a damaged index finds none of them."""
    return all(row["is_found"] for row in rows)
