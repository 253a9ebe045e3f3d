from django.db import migrations

from core.migrations import AddPolicies, Policy, context_value

# A presented key may see the membership of the person who made it, in the workspace of the key.
PRESENTED = Policy(
    "presented",
    "(workspace_id, user_id) IN (SELECT workspace_id, created_by_id FROM api_keys "
    f"WHERE secret_hash = {context_value('secret_hash', 'text')})",
    "SELECT",
)
# `maker_role` is NULL when that person left the workspace, or their account is not active any more. Code of the former
# version reads the first seven columns, whose names stay.
FORWARDS = """
DROP FUNCTION org.presented_key(text);
CREATE FUNCTION org.presented_key(digest text) RETURNS TABLE (
    id uuid, workspace_id uuid, name varchar, scopes varchar[], revoked_at timestamptz, expires_at timestamptz,
    last_used_at timestamptz, is_of_person boolean, maker_role varchar
)
LANGUAGE plpgsql SECURITY INVOKER ROWS 1 AS $$
BEGIN
    PERFORM set_config('rls.secret_hash', digest, true);
    RETURN QUERY
        SELECT k.id, k.workspace_id, k.name, k.scopes, k.revoked_at, k.expires_at, k.last_used_at,
               k.created_by_id IS NOT NULL, m.role
          FROM org.api_keys k
          JOIN org.workspaces w ON w.id = k.workspace_id
          LEFT JOIN org.users u ON u.id = k.created_by_id AND u.is_active
          LEFT JOIN org.memberships m ON m.workspace_id = k.workspace_id AND m.user_id = u.id
         WHERE k.secret_hash = digest AND NOT w.is_deleted;
    PERFORM set_config('rls.secret_hash', '', true);
END
$$
"""
BACKWARDS = """
DROP FUNCTION org.presented_key(text);
CREATE FUNCTION org.presented_key(digest text) RETURNS SETOF org.api_keys
LANGUAGE plpgsql SECURITY INVOKER ROWS 1 AS $$
BEGIN
    PERFORM set_config('rls.secret_hash', digest, true);
    RETURN QUERY
        SELECT k.*
          FROM org.api_keys k
          JOIN org.workspaces w ON w.id = k.workspace_id
         WHERE k.secret_hash = digest AND NOT w.is_deleted;
    PERFORM set_config('rls.secret_hash', '', true);
END
$$
"""


class Migration(migrations.Migration):
    dependencies = [("workspaces", "0007_invitations")]

    operations = [AddPolicies("Membership", [PRESENTED]), migrations.RunSQL(FORWARDS, BACKWARDS)]
