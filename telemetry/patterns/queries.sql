-- Statements that evaluate patterns. Every one runs inside a workspace's scope and names the workspace as well.

-- name: steps_met
-- How many sequences of the trailing days met an error, by step; successes end in the separator. And how many reporters
-- they have, and how many of them the server has seen itself.
SELECT step, count(*), count(DISTINCT reporter), count(*) FILTER (WHERE is_trusted) FROM agent_sequences, unnest(steps) AS step
 WHERE workspace_id = %(workspace)s AND ended_at >= %(since)s AND step NOT LIKE E'%%\x1f'
 GROUP BY step;

-- name: attempts_made
-- How many sequences of the trailing days tried something.
SELECT attempt, count(*) FROM agent_sequences, unnest(attempts) AS attempt
 WHERE workspace_id = %(workspace)s AND ended_at >= %(since)s
 GROUP BY attempt;

-- name: settle_injections
-- What became of warnings: looked for among the actions of their sequence, up to the next warning about the same. Warning,
-- sequence and actions are of one space; the pattern may be of another that the warned call read, such as shared.
-- A recent one is looked at again, since actions may come late. Each part is looked up for one warning (LATERAL), which
-- leaves no choice but the indexes by session, also while the tables have grown and nobody has counted them yet.
WITH settled AS (
    SELECT i.id, s.id AS sequence_id,
           CASE WHEN done.attempts = 0 THEN 'idle' WHEN done.has_failed THEN 'occurred' ELSE 'avoided' END AS result
      FROM (SELECT *, lead(injected_at) OVER (PARTITION BY space_id, reporter, session, pattern_id ORDER BY injected_at, id) AS next_at
              FROM agent_injections
             WHERE workspace_id = %(workspace)s AND injected_at >= %(since)s
               AND (%(space)s::uuid IS NULL OR space_id = %(space)s::uuid)) i
      JOIN agent_patterns p ON p.workspace_id = %(workspace)s AND p.id = i.pattern_id
      JOIN LATERAL (SELECT id, ended_at FROM agent_sequences
                     WHERE workspace_id = %(workspace)s AND space_id = i.space_id
                       AND session = i.session AND reporter = i.reporter
                       AND started_at <= i.injected_at + %(gap)s AND ended_at >= i.injected_at
                     ORDER BY started_at LIMIT 1) s ON true
      JOIN LATERAL (SELECT count(*) AS attempts,
                           bool_or(outcome <> 'success'
                                   AND COALESCE(NULLIF(error_code, ''), outcome) = p.error_code) AS has_failed
                      FROM agent_actions
                     WHERE workspace_id = %(workspace)s AND space_id = i.space_id
                       AND session = i.session AND reporter = i.reporter
                       AND occurred_at >= i.injected_at AND occurred_at <= s.ended_at
                       AND (i.next_at IS NULL OR occurred_at < i.next_at)
                       AND action_type = p.action_type AND node_type = p.node_type) done ON true
)
UPDATE agent_injections i SET result = settled.result, sequence_id = settled.sequence_id
  FROM settled
 WHERE i.workspace_id = %(workspace)s AND i.id = settled.id
   AND (i.result, i.sequence_id) IS DISTINCT FROM (settled.result, settled.sequence_id);

-- name: count_effects
-- How often each pattern's error came after a warning, and after one that was held out, in the trailing days.
WITH counted AS (
    SELECT p.id, count(i.id) FILTER (WHERE NOT i.is_held_out) AS shown,
           count(i.id) FILTER (WHERE NOT i.is_held_out AND i.result = 'occurred') AS shown_failed,
           count(i.id) FILTER (WHERE i.is_held_out) AS held_out,
           count(i.id) FILTER (WHERE i.is_held_out AND i.result = 'occurred') AS held_out_failed
      FROM agent_patterns p
      LEFT JOIN agent_injections i
        ON i.pattern_id = p.id AND i.injected_at >= %(since)s AND i.result IN ('occurred', 'avoided')
     WHERE p.workspace_id = %(workspace)s
     GROUP BY p.id
)
UPDATE agent_patterns p
   SET shown = counted.shown, shown_failed = counted.shown_failed,
       held_out = counted.held_out, held_out_failed = counted.held_out_failed
  FROM counted
 WHERE p.id = counted.id
   AND (p.shown, p.shown_failed, p.held_out, p.held_out_failed)
       IS DISTINCT FROM (counted.shown, counted.shown_failed, counted.held_out, counted.held_out_failed);
