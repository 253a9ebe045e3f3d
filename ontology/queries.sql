-- Named statements of the ontology. In braces goes SQL that our own code made; every value is bound.

-- name: sizes
-- Whether more nodes are allowed than a search compares one by one, and how common each word of a query is among the
-- newest nodes: reading a thousand of them is cheaper than keeping counts of every word up to date with every write.
SELECT
    EXISTS (SELECT FROM ({allowed}) AS allowed OFFSET %(exact_up_to)s),
    count(*)
    {counts}
FROM (
    SELECT words FROM nodes WHERE workspace_id = %(workspace_id)s ORDER BY id DESC LIMIT %(sample)s
) AS newest

-- name: ranked
-- What each arm finds among the allowed nodes, and both arms' scores of whatever either of them found. One statement,
-- because the way to the server and back costs as much as its parts.
WITH allowed AS NOT MATERIALIZED (
    {allowed}
),
by_words AS (
    SELECT id FROM allowed AS node
    WHERE words @@ to_tsquery('english', %(finding)s)
    ORDER BY {first_words}, id DESC
    LIMIT %(candidates)s
),
by_meaning AS (
    SELECT id
    FROM allowed JOIN node_embeddings AS embedding ON embedding.node_id = allowed.id
    WHERE embedding.workspace_id = %(workspace_id)s
        AND embedding.model = %(model)s AND embedding.dimensions = %(dimensions)s
    ORDER BY {first_meaning}
    LIMIT %(candidates)s
)
SELECT
    node.id,
    {worth},
    {cosine},
    (SELECT count(*) FROM by_words),
    (SELECT count(*) FROM by_meaning)
FROM (SELECT id FROM by_words UNION SELECT id FROM by_meaning) AS found
JOIN nodes AS node ON node.workspace_id = %(workspace_id)s AND node.id = found.id
LEFT JOIN node_embeddings AS embedding
    ON embedding.node_id = found.id AND embedding.model = %(model)s AND embedding.dimensions = %(dimensions)s

-- name: lock_ends
-- The live ones among some nodes, held as they are until the transaction ends: an edge to a node that is being deleted
-- waits for that, and sees it.
SELECT id FROM nodes
 WHERE workspace_id = %(workspace_id)s AND id = ANY(%(ids)s) AND NOT is_deleted
 ORDER BY id FOR SHARE

-- name: lock_connections
-- The live ones among some connections, held as they are until the transaction ends.
SELECT id FROM connections
 WHERE workspace_id = %(workspace_id)s AND id = ANY(%(ids)s) AND NOT is_deleted
 ORDER BY id FOR SHARE

-- name: live_edges_between
-- The live edge of each triple that has one.
SELECT e.source_id, e.target_id, e.type, e.id
  FROM edges e
  JOIN unnest(%(sources)s::uuid[], %(targets)s::uuid[], %(types)s::text[]) AS wanted (source_id, target_id, type)
    ON e.source_id = wanted.source_id AND e.target_id = wanted.target_id AND e.type = wanted.type
 WHERE e.workspace_id = %(workspace_id)s AND NOT e.is_deleted

-- name: announce_edges_of
-- Enter every live edge of some nodes into the outbox.
INSERT INTO graph_outbox (workspace_id, entity, entity_id, source_id, target_id, created_at)
SELECT workspace_id, 'edge', id, source_id, target_id, clock_timestamp()
  FROM edges
 WHERE workspace_id = %(workspace_id)s AND NOT is_deleted
   AND (source_id = ANY(%(ids)s) OR target_id = ANY(%(ids)s))

-- name: queue_nodes
-- Enter every live node of the workspace into the outbox.
INSERT INTO graph_outbox (workspace_id, entity, entity_id, created_at)
SELECT workspace_id, 'node', id, clock_timestamp()
  FROM nodes WHERE workspace_id = %(workspace_id)s AND NOT is_deleted

-- name: queue_edges
-- Enter every live edge of the workspace into the outbox.
INSERT INTO graph_outbox (workspace_id, entity, entity_id, source_id, target_id, created_at)
SELECT workspace_id, 'edge', id, source_id, target_id, clock_timestamp()
  FROM edges WHERE workspace_id = %(workspace_id)s AND NOT is_deleted

-- name: beside
-- The live nodes that one live edge leads to from any of some nodes.
SELECT DISTINCT n.id
  FROM (SELECT target_id AS id FROM edges
         WHERE %(follows_out)s AND workspace_id = %(workspace_id)s AND source_id = ANY(%(ids)s) AND NOT is_deleted
         UNION ALL
        SELECT source_id FROM edges
         WHERE %(follows_in)s AND workspace_id = %(workspace_id)s AND target_id = ANY(%(ids)s) AND NOT is_deleted
       ) AS ends
  JOIN nodes n ON n.id = ends.id AND n.workspace_id = %(workspace_id)s AND NOT n.is_deleted
 ORDER BY n.id LIMIT %(most)s

-- name: delete_nodes
-- Delete nodes for good. The ORM would first read everything that may hang on them, memories included; these have none.
DELETE FROM nodes WHERE workspace_id = %(workspace_id)s AND id = ANY(%(ids)s)
