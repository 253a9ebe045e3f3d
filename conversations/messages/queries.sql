-- Named statements of this feature; see `core/db/named_statements.py`.

-- The settings of the workspace, and its conversation with this id or, where no id matches, this key: that of
-- the space that the caller writes into before one of another that it reads.
-- name: place
SELECT w.config,
       coalesce(
           (SELECT c.id FROM conversations c WHERE c.workspace_id = w.id AND c.id = %(id)s),
           (SELECT c.id FROM conversations c WHERE c.workspace_id = w.id AND c.key = %(key)s
             ORDER BY c.space_id <> %(space)s, c.space_id LIMIT 1))
  FROM workspaces w
 WHERE w.id = %(workspace)s AND NOT w.is_deleted;
