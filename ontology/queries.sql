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
