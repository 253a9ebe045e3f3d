-- The statement that stores a batch of actions. It runs inside a workspace's scope and names the workspace as well.

-- name: insert_actions
-- Add actions, and tell the sequencer which sessions they belong to. One statement, one round trip.
WITH added AS (
    INSERT INTO agent_actions (id, workspace_id, reporter, is_trusted, session, agent, action_type, tool,
                               node_type, node_ids, outcome, error_code, latency_ms, occurred_at)
    SELECT row.id, %(workspace)s, row.reporter, row.is_trusted, row.session, row.agent, row.action_type, row.tool,
           row.node_type, row.node_ids::uuid[], row.outcome, row.error_code, row.latency_ms, row.occurred_at
      FROM unnest(%(id)s::uuid[], %(reporter)s::text[], %(is_trusted)s::bool[], %(session)s::text[], %(agent)s::text[],
                  %(action_type)s::text[], %(tool)s::text[], %(node_type)s::text[], %(node_ids)s::text[], %(outcome)s::text[], %(error_code)s::text[],
                  %(latency_ms)s::float8[], %(occurred_at)s::timestamptz[])
           AS row(id, reporter, is_trusted, session, agent, action_type, tool, node_type, node_ids, outcome, error_code,
                  latency_ms, occurred_at)
    RETURNING reporter, session, occurred_at
)
INSERT INTO agent_arrivals (workspace_id, reporter, session, first_at, last_at)
SELECT %(workspace)s, reporter, session, min(occurred_at), max(occurred_at) FROM added GROUP BY reporter, session;
