-- Named statements of the ontology. In braces goes SQL that our own code made; every value is bound.

-- name: lock_ends
-- The live ones among some nodes, held as they are until the transaction ends: an edge to a node that is being deleted
-- waits for that, and sees it.
SELECT id FROM nodes
 WHERE workspace_id = %(workspace_id)s AND id = ANY(%(ids)s) AND NOT is_deleted
   AND (connection_id IS NULL OR connection_id <> ALL(%(removed)s::uuid[]))
 ORDER BY id FOR SHARE

-- name: lock_connections
-- The live ones among some connections, held as they are until the transaction ends.
SELECT id FROM connections
 WHERE workspace_id = %(workspace_id)s AND id = ANY(%(ids)s) AND NOT is_deleted
 ORDER BY id FOR SHARE

-- name: live_edges_between
-- The live edges of each triple that has some, that of the written space last.
SELECT e.source_id, e.target_id, e.type, e.id
  FROM edges e
  JOIN unnest(%(sources)s::uuid[], %(targets)s::uuid[], %(types)s::text[]) AS wanted (source_id, target_id, type)
    ON e.source_id = wanted.source_id AND e.target_id = wanted.target_id AND e.type = wanted.type
 WHERE e.workspace_id = %(workspace_id)s AND NOT e.is_deleted
 ORDER BY e.space_id = %(space)s

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

-- name: adjacent
-- The live nodes that one live edge leads to from any of some nodes, by their ids. Each node's edges are read in the order
-- of their other ends, and no further than matters: a node with a hundred thousand edges costs no more than one with few.
SELECT DISTINCT id
  FROM unnest(%(ids)s::uuid[]) AS here (node)
 CROSS JOIN LATERAL (
       (SELECT DISTINCT e.target_id AS id
          FROM edges e JOIN nodes n ON n.workspace_id = %(workspace_id)s AND n.id = e.target_id AND NOT n.is_deleted
               AND (n.connection_id IS NULL OR n.connection_id <> ALL(%(removed)s::uuid[]))
         WHERE %(follows_out)s AND e.workspace_id = %(workspace_id)s AND e.source_id = here.node AND NOT e.is_deleted
           AND (e.connection_id IS NULL OR e.connection_id <> ALL(%(removed)s::uuid[]))
         ORDER BY e.target_id LIMIT %(most)s)
       UNION ALL
       (SELECT DISTINCT e.source_id
          FROM edges e JOIN nodes n ON n.workspace_id = %(workspace_id)s AND n.id = e.source_id AND NOT n.is_deleted
               AND (n.connection_id IS NULL OR n.connection_id <> ALL(%(removed)s::uuid[]))
         WHERE %(follows_in)s AND e.workspace_id = %(workspace_id)s AND e.target_id = here.node AND NOT e.is_deleted
           AND (e.connection_id IS NULL OR e.connection_id <> ALL(%(removed)s::uuid[]))
         ORDER BY e.source_id LIMIT %(most)s)
       ) AS ends
 ORDER BY id LIMIT %(most)s

-- name: delete_nodes
-- Delete nodes for good. The ORM would first read everything that may hang on them, memories included; these have none.
DELETE FROM nodes WHERE workspace_id = %(workspace_id)s AND id = ANY(%(ids)s)

-- name: alike_by_name
-- Other live nodes with the same name.
SELECT mine.id, other.id
  FROM nodes mine
 CROSS JOIN LATERAL (
       SELECT id FROM nodes
        WHERE workspace_id = %(workspace_id)s AND name_key = mine.name_key AND id <> mine.id AND NOT is_deleted
        ORDER BY id LIMIT %(most)s
       ) AS other
 WHERE mine.workspace_id = %(workspace_id)s AND mine.id = ANY(%(ids)s) AND NOT mine.is_deleted AND mine.name_key <> ''

-- name: alike_by_words
-- Other live nodes of the same space whose names have the same words in any order, or the same initials and surname.
SELECT mine.id, other.id
  FROM nodes mine
 CROSS JOIN LATERAL (
       (SELECT id FROM nodes
         WHERE workspace_id = %(workspace_id)s AND space_id = mine.space_id AND words_key = mine.words_key
           AND words_key <> '' AND id <> mine.id AND NOT is_deleted
         ORDER BY id LIMIT %(most)s)
        UNION
       (SELECT id FROM nodes
         WHERE workspace_id = %(workspace_id)s AND space_id = mine.space_id AND initials_key = mine.initials_key
           AND initials_key <> '' AND id <> mine.id AND NOT is_deleted
         ORDER BY id LIMIT %(most)s)
       ) AS other
 WHERE mine.workspace_id = %(workspace_id)s AND mine.id = ANY(%(ids)s) AND NOT mine.is_deleted AND mine.words_key <> ''

-- name: alike_by_meaning
-- The live nodes whose vectors are nearest, by the same model, memories left out.
SELECT mine.node_id, other.node_id, 1 - (other.vector <=> mine.vector)
  FROM {vectors} mine
 CROSS JOIN LATERAL (
       SELECT e.node_id, e.vector
         FROM {vectors} e
         JOIN nodes n ON n.id = e.node_id AND n.workspace_id = %(workspace_id)s
        WHERE e.workspace_id = %(workspace_id)s AND e.model = mine.model AND e.dimensions = mine.dimensions
          AND e.node_id <> mine.node_id AND NOT n.is_deleted AND n.type <> ALL(%(governed)s)
        ORDER BY e.vector <=> mine.vector LIMIT %(most)s
       ) AS other
 WHERE mine.workspace_id = %(workspace_id)s AND mine.node_id = ANY(%(ids)s)

-- name: alike_by_neighbours
-- Nodes that have at least two neighbours in common with these, not counting neighbours that everybody has.
WITH mine AS (
    SELECT source_id AS id, target_id AS middle FROM edges
     WHERE workspace_id = %(workspace_id)s AND source_id = ANY(%(ids)s) AND NOT is_deleted
     UNION
    SELECT target_id, source_id FROM edges
     WHERE workspace_id = %(workspace_id)s AND target_id = ANY(%(ids)s) AND NOT is_deleted
),
calm AS (
    SELECT middle FROM (SELECT DISTINCT middle FROM mine) AS middles
     WHERE (SELECT count(*) FROM (
                SELECT FROM edges WHERE workspace_id = %(workspace_id)s AND source_id = middle LIMIT %(busy)s) AS few)
         + (SELECT count(*) FROM (
                SELECT FROM edges WHERE workspace_id = %(workspace_id)s AND target_id = middle LIMIT %(busy)s) AS few)
         < %(busy)s
),
theirs AS (
    SELECT source_id AS id, target_id AS middle FROM edges JOIN calm ON target_id = middle
     WHERE workspace_id = %(workspace_id)s AND NOT is_deleted
     UNION
    SELECT target_id, source_id FROM edges JOIN calm ON source_id = middle
     WHERE workspace_id = %(workspace_id)s AND NOT is_deleted
)
SELECT mine.id, theirs.id, count(*) AS shared
  FROM mine JOIN theirs USING (middle)
 WHERE mine.id <> theirs.id
 GROUP BY mine.id, theirs.id HAVING count(*) >= 2
 ORDER BY shared DESC, mine.id, theirs.id LIMIT %(most)s

-- name: degrees
-- How many edges nodes have, counted no further than matters.
SELECT wanted.id,
       (SELECT count(*) FROM (SELECT FROM edges WHERE workspace_id = %(workspace_id)s AND source_id = wanted.id
                                 AND NOT is_deleted LIMIT %(busy)s) AS few)
     + (SELECT count(*) FROM (SELECT FROM edges WHERE workspace_id = %(workspace_id)s AND target_id = wanted.id
                                 AND NOT is_deleted LIMIT %(busy)s) AS few)
  FROM unnest(%(ids)s::uuid[]) AS wanted (id)

-- name: visible_degrees
-- How many visible edges live nodes have. Node by node, as the indexes go: a join of edges with both their ends took a
-- quarter of a minute among a thousand nodes of which the planner had no statistics yet.
SELECT mine.id,
       (SELECT count(*) FROM edges e
         WHERE e.workspace_id = %(workspace_id)s AND e.source_id = mine.id AND NOT e.is_deleted
           AND EXISTS (SELECT FROM nodes n WHERE n.workspace_id = %(workspace_id)s AND n.id = e.target_id AND NOT n.is_deleted))
     + (SELECT count(*) FROM edges e
         WHERE e.workspace_id = %(workspace_id)s AND e.target_id = mine.id AND NOT e.is_deleted
           AND EXISTS (SELECT FROM nodes n WHERE n.workspace_id = %(workspace_id)s AND n.id = e.source_id AND NOT n.is_deleted))
  FROM nodes mine
 WHERE mine.workspace_id = %(workspace_id)s AND mine.id = ANY(%(ids)s) AND NOT mine.is_deleted

-- name: drop_edges
-- Delete the edges of the absorbed node that would lead from the kept one to itself, or be there twice.
UPDATE edges AS e SET is_deleted = true, deleted_at = %(now)s, updated_at = %(now)s, version = version + 1
 WHERE workspace_id = %(workspace_id)s AND NOT is_deleted
   AND (source_id = %(absorb)s AND target_id = %(keep)s OR source_id = %(keep)s AND target_id = %(absorb)s
        OR (source_id = %(absorb)s OR target_id = %(absorb)s)
           AND EXISTS (SELECT FROM edges k
                        WHERE k.workspace_id = %(workspace_id)s AND NOT k.is_deleted AND k.type = e.type
                          AND k.space_id = e.space_id
                          AND k.source_id = CASE e.source_id WHEN %(absorb)s THEN %(keep)s ELSE e.source_id END
                          AND k.target_id = CASE e.target_id WHEN %(absorb)s THEN %(keep)s ELSE e.target_id END))
RETURNING id

-- name: move_sources
-- Let live edges that begin at the absorbed node begin at the kept one.
UPDATE edges SET source_id = %(keep)s, updated_at = %(now)s, version = version + 1
 WHERE workspace_id = %(workspace_id)s AND source_id = %(absorb)s AND NOT is_deleted
RETURNING id

-- name: move_targets
-- Let live edges that end at the absorbed node end at the kept one.
UPDATE edges SET target_id = %(keep)s, updated_at = %(now)s, version = version + 1
 WHERE workspace_id = %(workspace_id)s AND target_id = %(absorb)s AND NOT is_deleted
RETURNING id

-- name: mark_moved_edges
-- Say of moved edges who moved them, and keep the person who had edited them before. What an agent edited stays as it
-- is, so that nothing grows with the number of merges.
UPDATE edges
   SET provenance = provenance || jsonb_build_object(
           'edited', %(edited)s::jsonb || jsonb_build_object('before', provenance->'edited'))
 WHERE workspace_id = %(workspace_id)s AND id = ANY(%(ids)s::uuid[])
   AND (NOT provenance ? 'edited' OR provenance->'edited'->>'by_kind' = ANY(%(people)s))

-- name: unmark_moved_edges
-- Take that back where it still stands, unless another merge of an agent that stands has moved the edge as well.
UPDATE edges AS e
   SET provenance = CASE
           WHEN moved.mark IS NOT NULL THEN jsonb_set(e.provenance, '{edited,merge}', to_jsonb(moved.mark))
           WHEN jsonb_typeof(e.provenance->'edited'->'before') = 'object'
           THEN jsonb_set(e.provenance, '{edited}', e.provenance->'edited'->'before')
           ELSE e.provenance - 'edited' END
  FROM (SELECT edge_id, (SELECT m.record->>'edge_mark' FROM merges m
                     WHERE m.workspace_id = %(workspace_id)s AND m.undone_at IS NULL AND m.record ? 'edge_mark'
                       AND m.record->>'edge_mark' <> %(merge)s
                       AND (m.record->'moved_out' ? edge_id::text OR m.record->'moved_in' ? edge_id::text)
                     ORDER BY m.id DESC LIMIT 1) AS mark
          FROM unnest(%(ids)s::uuid[]) AS given (edge_id)) AS moved
 WHERE e.workspace_id = %(workspace_id)s AND e.id = moved.edge_id AND e.provenance->'edited'->>'merge' = %(merge)s

-- name: take_over_changes
-- Changes of telemetry become entries of the outbox: the oldest of them, a sequence with those of its actions that are
-- news. The caller holds a lock, so that no change is taken twice.
WITH taken AS (
    DELETE FROM agent_changes
     WHERE workspace_id = %(workspace_id)s
       AND id IN (SELECT id FROM agent_changes WHERE workspace_id = %(workspace_id)s
                   ORDER BY id LIMIT %(most)s)
    RETURNING entity, entity_id, since
), acted AS (
    SELECT DISTINCT action.id
      FROM taken
      JOIN agent_sequences AS sequence
        ON sequence.workspace_id = %(workspace_id)s AND sequence.id = taken.entity_id AND taken.entity = 'sequence'
      JOIN agent_actions AS action
        ON action.workspace_id = %(workspace_id)s AND action.session = sequence.session
       AND action.reporter = sequence.reporter
       AND action.occurred_at BETWEEN taken.since AND sequence.ended_at
)
INSERT INTO graph_outbox (workspace_id, entity, entity_id, created_at)
SELECT %(workspace_id)s, entity, entity_id, now() FROM taken
UNION ALL
SELECT %(workspace_id)s, 'action', id, now() FROM acted

-- name: absorbed_nodes
-- Nodes that went into some nodes, also by way of others, each with the node that it is by now.
WITH RECURSIVE family AS (
    SELECT kept_id AS root, absorbed_id AS id FROM merges
     WHERE workspace_id = %(workspace_id)s AND undone_at IS NULL AND kept_id = ANY(%(ids)s)
     UNION
    SELECT family.root, merge.absorbed_id FROM family JOIN merges merge
        ON merge.workspace_id = %(workspace_id)s AND merge.undone_at IS NULL AND merge.kept_id = family.id
)
SELECT root, id FROM family

-- name: absorbing_nodes
-- What some nodes went into, step by step: each of them with every node on its way.
WITH RECURSIVE way AS (
    SELECT absorbed_id AS id, kept_id AS kept, 1 AS step FROM merges
     WHERE workspace_id = %(workspace_id)s AND undone_at IS NULL AND absorbed_id = ANY(%(ids)s)
     UNION
    SELECT way.id, merge.kept_id, way.step + 1 FROM way JOIN merges merge
        ON merge.workspace_id = %(workspace_id)s AND merge.undone_at IS NULL AND merge.absorbed_id = way.kept
)
SELECT DISTINCT ON (id) id, kept FROM way ORDER BY id, step DESC

-- name: touching_actions
-- Actions that touched some nodes, each with the node. No index knows the targets of actions, since row security would not
-- use it: the actions of the workspace are looked through.
SELECT action.id, touched.node
  FROM agent_actions action, unnest(action.node_ids) AS touched (node)
 WHERE action.workspace_id = %(workspace_id)s AND action.node_ids && %(ids)s::uuid[] AND touched.node = ANY(%(ids)s::uuid[])

-- name: pattern_nodes
-- The nodes that patterns are about, the latest first: those that actions touched which met their error, as far as the
-- newest actions of their space tell.
SELECT pattern.id, found.node
  FROM agent_patterns pattern
 CROSS JOIN LATERAL (
       SELECT node, max(action.id::text) AS latest
         FROM (SELECT id, action_type, node_type, node_ids, outcome, error_code FROM agent_actions
                WHERE workspace_id = %(workspace_id)s AND space_id = pattern.space_id
                ORDER BY id DESC LIMIT %(looked_at)s) AS action,
              unnest(action.node_ids) AS node
        WHERE action.action_type = pattern.action_type AND action.node_type = pattern.node_type
          AND action.outcome <> 'success'
          AND COALESCE(NULLIF(action.error_code, ''), action.outcome) = pattern.error_code
        GROUP BY node ORDER BY latest DESC LIMIT %(most)s) AS found
 WHERE pattern.workspace_id = %(workspace_id)s AND pattern.id = ANY(%(ids)s)

-- name: pattern_type_nodes
-- The newest nodes of the types of patterns, for those whose actions touched none.
SELECT pattern.id, found.id
  FROM agent_patterns pattern
 CROSS JOIN LATERAL (
       SELECT id FROM nodes
        WHERE workspace_id = %(workspace_id)s AND space_id = pattern.space_id AND type = pattern.node_type
          AND NOT is_deleted
        ORDER BY id DESC LIMIT %(most)s) AS found
 WHERE pattern.workspace_id = %(workspace_id)s AND pattern.id = ANY(%(ids)s) AND pattern.node_type <> ''

-- name: queue_telemetry
-- Every row of telemetry that has a twin.
INSERT INTO graph_outbox (workspace_id, entity, entity_id, created_at)
SELECT %(workspace_id)s, 'sequence', id, now() FROM agent_sequences WHERE workspace_id = %(workspace_id)s
UNION ALL
SELECT %(workspace_id)s, 'action', id, now() FROM agent_actions WHERE workspace_id = %(workspace_id)s
UNION ALL
SELECT %(workspace_id)s, 'pattern', id, now() FROM agent_patterns WHERE workspace_id = %(workspace_id)s
UNION ALL
SELECT %(workspace_id)s, 'benchmark', id, now() FROM agent_benchmarks WHERE workspace_id = %(workspace_id)s
