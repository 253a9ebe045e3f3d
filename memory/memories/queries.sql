-- Named statements of this feature; see `core/db/named_statements.py`.

-- name: space_counts
-- How much is in each of some spaces, counted up to a number, and when something was last written there. Each part
-- reads one index from its beginning, so that a page of a list takes one statement however large the spaces are.
SELECT space.id,
       (SELECT count(*)
          FROM (SELECT FROM memories JOIN nodes ON nodes.id = memories.node_id AND NOT nodes.is_deleted
                 WHERE memories.workspace_id = %(workspace_id)s AND memories.space_id = space.id
                   AND nodes.workspace_id = %(workspace_id)s LIMIT %(counted)s) AS memory),
       (SELECT count(*)
          FROM (SELECT FROM conversations
                 WHERE workspace_id = %(workspace_id)s AND space_id = space.id LIMIT %(counted)s) AS conversation),
       GREATEST(
           (SELECT created_at FROM nodes
             WHERE workspace_id = %(workspace_id)s AND space_id = space.id ORDER BY id DESC LIMIT 1),
           (SELECT last_message_at FROM conversations
             WHERE workspace_id = %(workspace_id)s AND space_id = space.id AND last_message_at IS NOT NULL
             ORDER BY last_message_at DESC LIMIT 1),
           (SELECT occurred_at FROM agent_actions
             WHERE workspace_id = %(workspace_id)s AND space_id = space.id ORDER BY id DESC LIMIT 1)
       )
  FROM unnest(%(spaces)s::uuid[]) AS space (id)
