// Statements over the graph projection. Twins hold structure only: ids, types and versions, never text.
// Every node and relationship that a statement touches is bound to $workspace_id. Only what Neo4j 5 accepts as well.
// A twin's key is its workspace and its id together: two workspaces may have the same ids. One index holds both, and
// finds all twins of a workspace as well; a condition on their ids lets Neo4j use it for that.

// name: put_nodes
// Create or update twins. A version that is not newer changes nothing, so that a late or repeated projection does no harm.
UNWIND $rows AS row
MERGE (n:OntologyNode {workspace_id: $workspace_id, id: row.id})
WITH n, row WHERE n.version IS NULL OR n.version < row.version
SET n.type = row.type, n.importance = row.importance, n.version = row.version

// name: remove_nodes
// Remove twins, with whatever hangs on them.
UNWIND $rows AS row
MATCH (n:OntologyNode {workspace_id: $workspace_id, id: row.id})
DETACH DELETE n

// name: put_edges
// Create or update relationships between twins that exist; versions as with nodes.
UNWIND $rows AS row
MATCH (a:OntologyNode {workspace_id: $workspace_id, id: row.source})
MATCH (b:OntologyNode {workspace_id: $workspace_id, id: row.target})
MERGE (a)-[e:ONTOLOGY_EDGE {id: row.id}]->(b)
WITH e, row WHERE e.version IS NULL OR e.version < row.version
SET e.type = row.type, e.version = row.version

// name: remove_edges
// Remove relationships from between the ends that they had.
UNWIND $rows AS row
MATCH (a:OntologyNode {workspace_id: $workspace_id, id: row.source})
MATCH (a)-[e:ONTOLOGY_EDGE {id: row.id}]->(b:OntologyNode) WHERE b.id = row.target AND b.workspace_id = $workspace_id
DELETE e

// name: list_nodes
// Every twin of the workspace after a given id, for the doctor.
MATCH (n:OntologyNode {workspace_id: $workspace_id})
WHERE n.id > $after
RETURN n.id AS id, n.type AS type, n.version AS version
ORDER BY n.id LIMIT $limit

// name: list_edges
// Every relationship of the workspace after a given id, for the doctor.
MATCH (a:OntologyNode {workspace_id: $workspace_id})-[e:ONTOLOGY_EDGE]->(b:OntologyNode {workspace_id: $workspace_id})
WHERE a.id > '' AND e.id > $after
RETURN e.id AS id, a.id AS source, b.id AS target, e.type AS type, e.version AS version
ORDER BY e.id LIMIT $limit

// name: adjacent_both
// The twins that one relationship leads to from any of some twins, whichever way it points.
UNWIND $ids AS start
MATCH (a:OntologyNode {workspace_id: $workspace_id, id: start})
MATCH (a)-[:ONTOLOGY_EDGE]-(b:OntologyNode) WHERE b.workspace_id = $workspace_id
RETURN DISTINCT b.id AS id
ORDER BY id LIMIT $most

// name: adjacent_out
// The twins that one relationship leads to from any of some twins, going with it.
UNWIND $ids AS start
MATCH (a:OntologyNode {workspace_id: $workspace_id, id: start})
MATCH (a)-[:ONTOLOGY_EDGE]->(b:OntologyNode) WHERE b.workspace_id = $workspace_id
RETURN DISTINCT b.id AS id
ORDER BY id LIMIT $most

// name: adjacent_in
// The twins that one relationship leads to from any of some twins, going against it.
UNWIND $ids AS start
MATCH (a:OntologyNode {workspace_id: $workspace_id, id: start})
MATCH (a)<-[:ONTOLOGY_EDGE]-(b:OntologyNode) WHERE b.workspace_id = $workspace_id
RETURN DISTINCT b.id AS id
ORDER BY id LIMIT $most

// name: clear
// Remove some of the workspace's twins; repeated until none is left.
MATCH (n:OntologyNode {workspace_id: $workspace_id}) WHERE n.id > ''
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed

// name: count
// The number of the workspace's twins.
MATCH (n:OntologyNode {workspace_id: $workspace_id})
RETURN count(n) AS number

// name: count_any
// The number of nodes of the workspace under any label. No index helps: it is asked once, after an erasure.
MATCH (n) WHERE n.workspace_id = $workspace_id
RETURN count(n) AS number

// name: clear_any
// Remove some nodes of the workspace under any label, also one that no statement here writes.
MATCH (n) WHERE n.workspace_id = $workspace_id
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
