"""A sample of the graph that tells whether its store can be read: the statement, and where its samples begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol
from uuid import UUID, uuid4


class _Row(Protocol):
    """A row of the driver or of an answer in JSON."""

    def __getitem__(self, key: str, /) -> Any: ...


# Reads records, keys and relationships of at most 20 twins, from the workspaces that come after an id, and returns no
# more of them than whether each is found by its key. It takes milliseconds, however large the graph is.
PROBE = """
MATCH (n:OntologyNode) WHERE n.workspace_id >= $start AND n.id > ''
WITH n LIMIT 20
OPTIONAL MATCH (m:OntologyNode {workspace_id: n.workspace_id, id: n.id})
OPTIONAL MATCH (n)-[e:ONTOLOGY_EDGE]->(t:OntologyNode)
WITH n, m, e, t LIMIT 200
RETURN n.version AS version, n.workspace_id IS NOT NULL AND m.id IS NOT NULL AS is_found, e.id AS edge, t.id AS target
"""


# The same for the twins of what agents did.
PROBE_ACTIONS = """
MATCH (a:`_mem:action`) WHERE a.workspace_id >= $start AND a.id > ''
WITH a LIMIT 20
OPTIONAL MATCH (m:`_mem:action` {workspace_id: a.workspace_id, id: a.id})
OPTIONAL MATCH (a)-[:IN_SEQUENCE]->(s:`_mem:sequence`)
OPTIONAL MATCH (a)-[:TOUCHED]->(n:OntologyNode)
WITH a, m, s, n LIMIT 200
RETURN a.type AS type, a.workspace_id IS NOT NULL AND m.id IS NOT NULL AS is_found, s.id AS sequence, n.id AS node
"""
PROBES = (PROBE, PROBE_ACTIONS)

# Some of each kind, of no workspace. A damaged store may read as an empty one; without them it is not believed.
SENTINELS: dict[str, Any] = {"first": str(UUID(int=1)), "second": str(UUID(int=2)), "nowhere": str(UUID(int=0))}
WRITE_SENTINELS = """
MERGE (a:OntologyNode {workspace_id: $nowhere, id: $first}) SET a.version = 1
MERGE (b:OntologyNode {workspace_id: $nowhere, id: $second}) SET b.version = 1
MERGE (a)-[e:ONTOLOGY_EDGE {id: $first}]->(b)
MERGE (x:`_mem:action` {workspace_id: $nowhere, id: $first})
MERGE (s:`_mem:sequence` {workspace_id: $nowhere, id: $first})
MERGE (p:`_mem:pattern` {workspace_id: $nowhere, id: $first})
MERGE (m:`_mem:benchmark` {workspace_id: $nowhere, id: $first})
MERGE (x)-[:IN_SEQUENCE]->(s)
MERGE (x)-[:TOUCHED]->(a)
RETURN e.id AS edge
"""
READ_SENTINELS = """
MATCH (a:OntologyNode {workspace_id: $nowhere, id: $first})
MATCH (a)-[:ONTOLOGY_EDGE]->(t:OntologyNode) WHERE t.id = $second
MATCH (b:OntologyNode {workspace_id: $nowhere, id: $second})
MATCH (b)<-[:ONTOLOGY_EDGE]-(s:OntologyNode) WHERE s.id = $first
MATCH (x:`_mem:action` {workspace_id: $nowhere, id: $first})-[:IN_SEQUENCE]->(q:`_mem:sequence`) WHERE q.id = $first
MATCH (:`_mem:sequence` {workspace_id: $nowhere, id: $first})<-[:IN_SEQUENCE]-(y:`_mem:action`) WHERE y.id = $first
MATCH (x)-[:TOUCHED]->(touched:OntologyNode) WHERE touched.id = $first
MATCH (p:`_mem:pattern` {workspace_id: $nowhere, id: $first})
MATCH (m:`_mem:benchmark` {workspace_id: $nowhere, id: $first})
RETURN t.id AS target, s.id AS source
"""


def sample_starts(count: int) -> Iterator[str]:
    """Yield the lower bounds of samples: one from the first id on, the others at random places."""
    yield ""
    for _ in range(count - 1):
        yield str(uuid4())


def is_intact(rows: Iterable[_Row]) -> bool:
    """Return whether every sampled twin was found by its key; a damaged index finds none of them."""
    return all(row["is_found"] for row in rows)
