-- Named statements of this feature; see `core/db/named_statements.py`.

-- name: sizes
-- Rows are those of the nodes, or of another table that has the columns `id`, `words` and a vector.
-- How many rows are allowed, counted up to a number, and how common each word of a query is among the newest nodes:
-- reading a thousand of them is cheaper than keeping counts of every word up to date with every write.
SELECT
    (SELECT count(*) FROM (SELECT FROM ({allowed}) AS allowed LIMIT %(counted)s) AS counted),
    count(*)
    {counts}
FROM ({newest}) AS newest

-- name: past_versions
-- Allowed rows with the words that they had at an earlier moment.
SELECT id, past_words AS words FROM ({allowed}) AS versions

-- name: newest
-- The newest rows of one space.
SELECT id, words FROM {rows}
 WHERE workspace_id = %(workspace_id)s AND space_id = %(space)s
 ORDER BY id DESC LIMIT %(sample)s

-- name: newest_of_spaces
-- The newest rows of several spaces: the newest of each first, since an index has them in this order.
SELECT each.id, each.words
  FROM unnest(%(spaces)s::uuid[]) AS space
 CROSS JOIN LATERAL (
       SELECT id, words FROM {rows}
        WHERE workspace_id = %(workspace_id)s AND space_id = space
        ORDER BY id DESC LIMIT %(sample)s) AS each
 ORDER BY each.id DESC LIMIT %(sample)s

-- name: compares_all
-- Whether comparing all rows of some spaces costs less than the index of all workspaces. Equal where n rows of N are
-- n = rows_for_index * N / n, so at the square root of both.
WITH most AS (
    SELECT sqrt(%(rows_for_index)s * greatest(reltuples, 0))::int AS number
      FROM pg_class WHERE oid = %(vectors)s::regclass
)
SELECT count(*) <= (SELECT number FROM most)
  FROM (SELECT FROM {vectors} WHERE workspace_id = %(workspace_id)s AND space_id = ANY(%(spaces)s::uuid[])
         LIMIT (SELECT number + 1 FROM most)) AS counted

-- name: none
-- Nothing is compared by meaning.
SELECT NULL::uuid AS id WHERE false

-- name: nearest_allowed
-- The nearest of the allowed nodes, each looked at or in the order of the index.
SELECT allowed.id
  FROM allowed JOIN {vectors} AS embedding ON embedding.{reference} = allowed.id
 WHERE embedding.workspace_id = %(workspace_id)s AND embedding.space_id = ANY(%(spaces)s::uuid[])
   AND embedding.model = %(model)s AND embedding.dimensions = %(dimensions)s
 ORDER BY {first}
 LIMIT %(candidates)s

-- name: allowed_of_nearest
-- The same where most of what has a vector is allowed: that is asked of some nearest ones only, and not of all.
SELECT nearest.id
  FROM (
       SELECT embedding.{reference} AS id, {cosine} AS cosine FROM {vectors} AS embedding
        WHERE embedding.workspace_id = %(workspace_id)s AND embedding.space_id = ANY(%(spaces)s::uuid[])
          AND embedding.model = %(model)s AND embedding.dimensions = %(dimensions)s
        ORDER BY cosine DESC
        LIMIT %(compared)s) AS nearest
  JOIN allowed USING (id)
 ORDER BY nearest.cosine DESC
 LIMIT %(candidates)s

-- name: worded
-- What the keyword arm finds among the allowed nodes.
SELECT id FROM ({allowed}) AS node
 WHERE words @@ to_tsquery('english', %(finding)s)
 ORDER BY {first}, id DESC
 LIMIT %(candidates)s

-- name: ranked
-- What the semantic arm finds among the allowed nodes, and both arms' scores of whatever either of them found. One
-- statement, because the way to the server and back costs as much as its parts.
WITH allowed AS NOT MATERIALIZED (
    {allowed}
),
by_words AS (
    -- Asked again: since the keyword arm looked, a node may have been hidden.
    SELECT id FROM allowed WHERE id = ANY(%(worded)s)
),
by_meaning AS (
    {by_meaning}
)
SELECT
    node.id,
    {worth},
    {cosine},
    (SELECT count(*) FROM by_meaning),
    {coverage}
FROM (SELECT id FROM by_words UNION SELECT id FROM by_meaning) AS found
JOIN {rows} AS node ON node.workspace_id = %(workspace_id)s AND node.id = found.id
LEFT JOIN {vectors} AS embedding
    ON embedding.workspace_id = %(workspace_id)s AND embedding.{reference} = found.id AND embedding.model = %(model)s AND embedding.dimensions = %(dimensions)s
