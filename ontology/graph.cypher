// Statements over the graph projection. Twins hold structure only: ids, types and versions, never text.

// name: put_nodes
// Create or update twins. A version that is not newer changes nothing, so that a late or repeated projection does no harm.
UNWIND $nodes AS row
MERGE (n:OntologyNode {id: row.id, workspace_id: $workspace_id})
WITH n, row WHERE n.version IS NULL OR n.version < row.version
SET n.type = row.type, n.importance = row.importance, n.version = row.version

// name: remove_nodes
// Remove twins, with whatever hangs on them.
UNWIND $ids AS id
MATCH (n:OntologyNode {id: id, workspace_id: $workspace_id})
DETACH DELETE n

// name: list_nodes
// Every twin of the workspace after a given id, for the doctor.
MATCH (n:OntologyNode {workspace_id: $workspace_id})
WHERE n.id > $after
RETURN n.id AS id, n.type AS type, n.version AS version
ORDER BY n.id LIMIT $limit

// name: clear
// Remove some of the workspace's twins; repeated until none is left.
MATCH (n:OntologyNode {workspace_id: $workspace_id})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
