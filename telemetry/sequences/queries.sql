-- Statements of the sequencer. Every one runs inside a workspace's scope and names the workspace as well.

-- name: take_arrivals
-- The oldest arrivals, taken away; the transaction that sequences them gives them back if it fails.
-- An array and not IN: a planner that has not heard how many there are would read the list again for every row.
DELETE FROM agent_arrivals
 WHERE workspace_id = %(workspace)s
   AND id = ANY (ARRAY(SELECT id FROM agent_arrivals WHERE workspace_id = %(workspace)s ORDER BY id LIMIT %(most)s))
RETURNING reporter, session, first_at, last_at;

-- name: sequences_near
-- The sequences that arrivals fall into, or follow or precede by no more than the gap.
SELECT DISTINCT s.reporter, s.session, s.started_at, s.ended_at, s.id
  FROM unnest(%(reporter)s::text[], %(session)s::text[], %(first_at)s::timestamptz[], %(last_at)s::timestamptz[])
       AS arrived(reporter, session, first_at, last_at)
  JOIN agent_sequences s
    ON s.workspace_id = %(workspace)s AND s.reporter = arrived.reporter AND s.session = arrived.session
   AND s.started_at <= arrived.last_at + %(gap)s AND s.ended_at >= arrived.first_at - %(gap)s;

-- name: actions_within
-- The actions of windows of sessions, in the order of the windows and then of time: one text for each window, since
-- a row for each action and a value for each field take several times as long to send and to read. Each is looked up by
-- its session (LATERAL): a join may read the whole workspace instead, and does so again for every batch.
SELECT wanted.place, found.packed
  FROM unnest(%(reporter)s::text[], %(session)s::text[], %(first_at)s::timestamptz[], %(last_at)s::timestamptz[])
       WITH ORDINALITY AS wanted(reporter, session, first_at, last_at, place)
 CROSS JOIN LATERAL (
       SELECT string_agg(concat_ws(E'\x1f', (date_part('epoch', occurred_at) * 1000000)::bigint,
                                   translate(agent, E'\x1e\x1f', ''), action_type, tool, node_type, outcome, error_code,
                                   is_trusted),
                         E'\x1e' ORDER BY occurred_at, id) AS packed
         FROM agent_actions
        WHERE workspace_id = %(workspace)s AND session = wanted.session AND reporter = wanted.reporter
          AND occurred_at BETWEEN wanted.first_at AND wanted.last_at) found
 WHERE found.packed IS NOT NULL  -- the actions of an arrival may be deleted already
 ORDER BY wanted.place;

-- name: insert_intents
INSERT INTO agent_intents (id, workspace_id, summary, needs_embedding, model)
SELECT row.id, %(workspace)s, row.summary, true, ''
  FROM unnest(%(id)s::uuid[], %(summary)s::text[]) AS row(id, summary)
    ON CONFLICT (workspace_id, id) DO NOTHING;

-- name: put_sequences
-- Add sequences and change those that are there, and tell which; one that would not change is left alone.
WITH put AS (
INSERT INTO agent_sequences AS known (id, workspace_id, reporter, is_trusted, session, agent, started_at, ended_at,
                                      outcome, action_count, failure_count, duration_ms, steps, attempts, intent_id)
SELECT row.id, %(workspace)s, row.reporter, row.is_trusted, row.session, row.agent, row.started_at, row.ended_at,
       row.outcome, row.action_count, row.failure_count, row.duration_ms, string_to_array(row.steps, E'\x1e'),
       string_to_array(row.attempts, E'\x1e'), row.intent_id
  FROM unnest(%(id)s::uuid[], %(reporter)s::text[], %(is_trusted)s::bool[], %(session)s::text[], %(agent)s::text[],
              %(started_at)s::timestamptz[], %(ended_at)s::timestamptz[], %(outcome)s::text[], %(action_count)s::int[],
              %(failure_count)s::int[], %(duration_ms)s::bigint[], %(steps)s::text[], %(attempts)s::text[],
              %(intent_id)s::uuid[])
       AS row(id, reporter, is_trusted, session, agent, started_at, ended_at, outcome, action_count, failure_count,
              duration_ms, steps, attempts, intent_id)
    ON CONFLICT (workspace_id, id) DO UPDATE
   SET is_trusted = excluded.is_trusted, agent = excluded.agent, started_at = excluded.started_at,
       ended_at = excluded.ended_at, outcome = excluded.outcome, action_count = excluded.action_count, failure_count = excluded.failure_count,
       duration_ms = excluded.duration_ms, steps = excluded.steps, attempts = excluded.attempts,
       intent_id = excluded.intent_id
 WHERE (known.is_trusted, known.agent, known.started_at, known.ended_at, known.outcome, known.action_count,
        known.failure_count, known.steps)
       IS DISTINCT FROM
       (excluded.is_trusted, excluded.agent, excluded.started_at, excluded.ended_at, excluded.outcome,
        excluded.action_count, excluded.failure_count, excluded.steps)
RETURNING id
)
INSERT INTO agent_changes (workspace_id, entity, entity_id, since)
SELECT %(workspace)s, 'sequence', put.id, news.since
  FROM put JOIN unnest(%(id)s::uuid[], %(since)s::timestamptz[]) AS news(id, since) ON news.id = put.id;

-- name: forget_intents
-- Intents that no sequence has any more: a sequence that grew left them behind.
DELETE FROM agent_intents i
 WHERE workspace_id = %(workspace)s AND NOT EXISTS (SELECT FROM agent_sequences WHERE intent_id = i.id);
