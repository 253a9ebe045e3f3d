-- Named statements of this feature; see `core/db/named_statements.py`.

-- Tokens of appended messages, added to what of their conversation is not observed yet.
-- name: add_unobserved
INSERT INTO observation_cursors AS known
       (workspace_id, conversation_id, unobserved_tokens, buffered_tokens, observation_tokens, generation,
        reflected_tokens, reflection_method, reflection_failure)
VALUES (%(workspace)s, %(conversation)s, %(tokens)s, 0, 0, 0, 0, '', '')
    ON CONFLICT (workspace_id, conversation_id)
    DO UPDATE SET unobserved_tokens = known.unobserved_tokens + excluded.unobserved_tokens
RETURNING unobserved_tokens, buffered_tokens;
