// Statements over the twins of telemetry, which live in the label space `_mem:*`. Twins hold types, codes and numbers.
// An action hangs on the nodes that it touched and on its sequence, a pattern on the nodes that it is about. Bound to
// $workspace_id like all statements.

// name: put_actions
// Actions never change, so that putting one again does no harm.
UNWIND $rows AS row
MERGE (a:`_mem:action` {workspace_id: $workspace_id, id: row.id})
SET a.type = row.type, a.outcome = row.outcome, a.at = row.at

// name: link_touched
// The one edge between a domain node and what agents did to it.
UNWIND $rows AS row
MATCH (a:`_mem:action` {workspace_id: $workspace_id, id: row.id})
MATCH (n:OntologyNode {workspace_id: $workspace_id, id: row.node})
MERGE (a)-[:TOUCHED]->(n)

// name: unlink_touched
// A node that went into another, or out of it again, gives its actions over.
UNWIND $rows AS row
MATCH (a:`_mem:action` {workspace_id: $workspace_id, id: row.id})
MATCH (a)-[r:TOUCHED]->(n:OntologyNode) WHERE n.id = row.node AND n.workspace_id = $workspace_id
DELETE r

// name: list_touches_of_nodes
// The actions on some nodes.
UNWIND $rows AS row
MATCH (n:OntologyNode {workspace_id: $workspace_id, id: row.node})
MATCH (n)<-[:TOUCHED]-(a:`_mem:action`) WHERE a.workspace_id = $workspace_id
RETURN a.id AS id, n.id AS node

// name: list_touches_of_actions
// The nodes of some actions.
UNWIND $rows AS row
MATCH (a:`_mem:action` {workspace_id: $workspace_id, id: row.id})
MATCH (a)-[:TOUCHED]->(n:OntologyNode) WHERE n.workspace_id = $workspace_id
RETURN a.id AS id, n.id AS node

// name: list_actions
// Every action of the workspace after a given id, for the doctor.
MATCH (a:`_mem:action` {workspace_id: $workspace_id})
WHERE a.id > $after
RETURN a.id AS id
ORDER BY a.id LIMIT $limit

// name: link_sequences
// A sequence whose own entry comes later begins here, as an id.
UNWIND $rows AS row
MATCH (a:`_mem:action` {workspace_id: $workspace_id, id: row.id})
MERGE (s:`_mem:sequence` {workspace_id: $workspace_id, id: row.sequence})
MERGE (a)-[:IN_SEQUENCE]->(s)

// name: remove_actions
UNWIND $rows AS row
MATCH (a:`_mem:action` {workspace_id: $workspace_id, id: row.id})
DETACH DELETE a

// name: put_sequences
UNWIND $rows AS row
MERGE (s:`_mem:sequence` {workspace_id: $workspace_id, id: row.id})
SET s.outcome = row.outcome, s.actions = row.actions, s.started_at = row.started_at, s.ended_at = row.ended_at

// name: remove_sequences
UNWIND $rows AS row
MATCH (s:`_mem:sequence` {workspace_id: $workspace_id, id: row.id})
DETACH DELETE s

// name: put_patterns
UNWIND $rows AS row
MERGE (p:`_mem:pattern` {workspace_id: $workspace_id, id: row.id})
SET p.key = row.key, p.status = row.status, p.confidence = row.confidence, p.support = row.support,
    p.suppressed = row.suppressed

// name: unlink_patterns
// What patterns are about is entered anew with each change of them.
UNWIND $rows AS row
MATCH (p:`_mem:pattern` {workspace_id: $workspace_id, id: row.id})
MATCH (p)-[r:ABOUT]->(n:OntologyNode) WHERE n.workspace_id = $workspace_id
DELETE r

// name: link_patterns
UNWIND $rows AS row
MATCH (p:`_mem:pattern` {workspace_id: $workspace_id, id: row.id})
MATCH (n:OntologyNode {workspace_id: $workspace_id, id: row.node})
MERGE (p)-[:ABOUT]->(n)

// name: remove_patterns
UNWIND $rows AS row
MATCH (p:`_mem:pattern` {workspace_id: $workspace_id, id: row.id})
DETACH DELETE p

// name: put_benchmarks
UNWIND $rows AS row
MERGE (b:`_mem:benchmark` {workspace_id: $workspace_id, id: row.id})
SET b.metric = row.metric, b.date = row.date, b.value = row.value, b.sequences = row.sequences

// name: remove_benchmarks
UNWIND $rows AS row
MATCH (b:`_mem:benchmark` {workspace_id: $workspace_id, id: row.id})
DETACH DELETE b

// name: agent_history
// What agents did to a node, the latest first.
MATCH (n:OntologyNode {workspace_id: $workspace_id, id: $id})
MATCH (n)<-[:TOUCHED]-(a:`_mem:action`) WHERE a.workspace_id = $workspace_id
RETURN a.id AS id, a.at AS at
ORDER BY at DESC LIMIT $limit

// name: clear_actions
MATCH (a:`_mem:action` {workspace_id: $workspace_id}) WHERE a.id > ''
WITH a LIMIT $limit
DETACH DELETE a
RETURN count(*) AS removed

// name: clear_sequences
MATCH (s:`_mem:sequence` {workspace_id: $workspace_id}) WHERE s.id > ''
WITH s LIMIT $limit
DETACH DELETE s
RETURN count(*) AS removed

// name: clear_patterns
MATCH (p:`_mem:pattern` {workspace_id: $workspace_id}) WHERE p.id > ''
WITH p LIMIT $limit
DETACH DELETE p
RETURN count(*) AS removed

// name: clear_benchmarks
MATCH (b:`_mem:benchmark` {workspace_id: $workspace_id}) WHERE b.id > ''
WITH b LIMIT $limit
DETACH DELETE b
RETURN count(*) AS removed

// name: count_actions
MATCH (n:`_mem:action` {workspace_id: $workspace_id})
RETURN count(n) AS number

// name: count_sequences
MATCH (n:`_mem:sequence` {workspace_id: $workspace_id})
RETURN count(n) AS number

// name: count_patterns
MATCH (n:`_mem:pattern` {workspace_id: $workspace_id})
RETURN count(n) AS number

// name: count_benchmarks
MATCH (n:`_mem:benchmark` {workspace_id: $workspace_id})
RETURN count(n) AS number
