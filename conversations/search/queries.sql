-- Searching: the word index, the vectors and the messages. Everything is filtered by the workspace as well as by row
-- security, so that the indexes that begin with it are used. Most rows come back as long values, one for each column,
-- because unpacking thousands of rows would take longer than finding them.

-- name: messages
SELECT *
  FROM messages
 WHERE workspace_id = %(workspace)s AND id = ANY(%(ids)s::uuid[]);

-- Which of some messages there are, and when each was said, in microseconds since 1970.
-- name: message_times
SELECT coalesce(string_agg(uuid_send(id), ''), ''),
       coalesce(string_agg(int8send((extract(epoch FROM created_at) * 1000000)::bigint), ''), '')
  FROM messages
 WHERE workspace_id = %(workspace)s AND id = ANY(%(ids)s::uuid[]);

-- How messages of one space begin.
-- name: beginnings
SELECT uuid_send(id), left(content, %(characters)s)
  FROM messages
 WHERE workspace_id = %(workspace)s AND space_id = %(space)s AND id = ANY(%(messages)s::uuid[]);

-- Sheets of one conversation, up to a number of them, in order.
-- name: sheets_of_conversation
SELECT coalesce(string_agg(uuid_send(message_id), ''), ''),
       coalesce(string_agg(traits, ''), ''),
       coalesce(string_agg(postings, ''), '')
  FROM (SELECT message_id, traits, postings
          FROM message_words
         WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s AND version = %(version)s
         ORDER BY said_at, message_id
         LIMIT %(most)s) AS sheets;

-- Which blocks there are, and which sheets no block has taken in yet: at one moment, so that nothing is in both. Neither
-- ever change, so a process keeps what it has read of them.
-- name: word_index
SELECT (SELECT coalesce(string_agg(uuid_send(id), '' ORDER BY id), '')
          FROM word_blocks
         WHERE workspace_id = %(workspace)s AND space_id = ANY(%(spaces)s::uuid[]) AND version = %(version)s),
       (SELECT coalesce(string_agg(uuid_send(message_id), ''), '')
          FROM message_words
         WHERE workspace_id = %(workspace)s AND space_id = ANY(%(spaces)s::uuid[]) AND block_id IS NULL AND version = %(version)s);

-- name: sheets
SELECT uuid_send(conversation_id), said_at, uuid_send(message_id), traits, postings
  FROM message_words
 WHERE workspace_id = %(workspace)s AND message_id = ANY(%(messages)s::uuid[]);

-- name: blocks
SELECT uuid_send(id), ids, traits
  FROM word_blocks
 WHERE workspace_id = %(workspace)s AND id = ANY(%(blocks)s::uuid[])
 ORDER BY id;

-- name: buckets
SELECT bucket, uuid_send(block_id), postings
  FROM word_buckets
 WHERE workspace_id = %(workspace)s AND space_id = ANY(%(spaces)s::uuid[]) AND bucket = ANY(%(buckets)s);

-- Every vector of a conversation, compared.
-- name: cosines_of_conversation
SELECT coalesce(string_agg(uuid_send(e.message_id), ''), ''),
       coalesce(string_agg(float8send(1 - (e.vector <=> %(vector)s::halfvec)), ''), '')
  FROM message_words w
  JOIN {vectors} e ON e.workspace_id = w.workspace_id AND e.message_id = w.message_id
 WHERE w.workspace_id = %(workspace)s AND w.conversation_id = %(conversation)s
   AND e.workspace_id = %(workspace)s AND e.model = %(model)s AND e.dimensions = %(dimensions)s;

-- Every vector of the spaces that are read, compared.
-- name: cosines_of_workspace
SELECT coalesce(string_agg(uuid_send(message_id), ''), ''),
       coalesce(string_agg(float8send(1 - (vector <=> %(vector)s::halfvec)), ''), '')
  FROM {vectors} AS e
 WHERE workspace_id = %(workspace)s AND space_id = ANY(%(spaces)s::uuid[])
   AND model = %(model)s AND dimensions = %(dimensions)s;

-- The nearest vectors of a large workspace, by the index (for which the type must name its dimensions).
-- name: nearest
SELECT coalesce(string_agg(uuid_send(message_id), ''), ''),
       coalesce(string_agg(float8send(1 - distance), ''), '')
  FROM (SELECT message_id, vector::halfvec(384) <=> %(vector)s::halfvec(384) AS distance
          FROM message_embeddings
         WHERE workspace_id = %(workspace)s AND space_id = ANY(%(spaces)s::uuid[])
           AND model = %(model)s AND dimensions = 384
         ORDER BY vector::halfvec(384) <=> %(vector)s::halfvec(384)
         LIMIT %(most)s) AS nearest;

-- The vectors of some messages, compared.
-- name: cosines_of
SELECT coalesce(string_agg(uuid_send(message_id), ''), ''),
       coalesce(string_agg(float8send(1 - (vector <=> %(vector)s::halfvec)), ''), '')
  FROM {vectors} AS e
 WHERE workspace_id = %(workspace)s AND message_id = ANY(%(messages)s::uuid[])
   AND model = %(model)s AND dimensions = %(dimensions)s;

-- What was said an hour or more after some messages by the same user in their space, of some others, and how near it comes to each of them and
-- to the question.
-- name: said_later
SELECT a.id, l.id, 1 - (le.vector <=> ae.vector), 1 - (le.vector <=> %(vector)s::halfvec), left(l.content, %(characters)s)
  FROM messages a
  JOIN {vectors} ae ON ae.workspace_id = a.workspace_id AND ae.message_id = a.id
  JOIN messages l ON l.workspace_id = a.workspace_id AND l.space_id = a.space_id
   AND l.name = a.name AND l.created_at > a.created_at + interval '1 hour'
  JOIN {vectors} le ON le.workspace_id = l.workspace_id AND le.message_id = l.id
 WHERE a.workspace_id = %(workspace)s AND a.id = ANY(%(answers)s::uuid[])
   AND l.id = ANY(%(messages)s::uuid[]) AND l.role = 'user'
   AND ae.model = %(model)s AND ae.dimensions = %(dimensions)s AND le.model = %(model)s AND le.dimensions = %(dimensions)s
   AND 1 - (le.vector <=> ae.vector) >= %(near)s;
