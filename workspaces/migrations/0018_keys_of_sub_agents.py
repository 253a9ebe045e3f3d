"""Keys of sub-agents, which are given no memory of users."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

# Code of the former version reads the first columns, whose names stay.
FORWARDS = """
DROP FUNCTION org.presented_key(text);
CREATE FUNCTION org.presented_key(digest text) RETURNS TABLE (
    id uuid, workspace_id uuid, name varchar, scopes varchar[], revoked_at timestamptz, expires_at timestamptz,
    last_used_at timestamptz, is_of_person boolean, maker_role varchar, spaces varchar[], is_stamped boolean,
    is_of_sub_agent boolean
)
LANGUAGE plpgsql SECURITY INVOKER ROWS 1 AS $$
BEGIN
    PERFORM set_config('rls.secret_hash', digest, true);
    RETURN QUERY
        SELECT k.id, k.workspace_id, k.name, k.scopes, k.revoked_at, k.expires_at, k.last_used_at,
               k.created_by_id IS NOT NULL, m.role, k.spaces, k.is_stamped,
               k.is_of_sub_agent
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
CREATE FUNCTION org.presented_key(digest text) RETURNS TABLE (
    id uuid, workspace_id uuid, name varchar, scopes varchar[], revoked_at timestamptz, expires_at timestamptz,
    last_used_at timestamptz, is_of_person boolean, maker_role varchar, spaces varchar[], is_stamped boolean
)
LANGUAGE plpgsql SECURITY INVOKER ROWS 1 AS $$
BEGIN
    PERFORM set_config('rls.secret_hash', digest, true);
    RETURN QUERY
        SELECT k.id, k.workspace_id, k.name, k.scopes, k.revoked_at, k.expires_at, k.last_used_at,
               k.created_by_id IS NOT NULL, m.role, k.spaces, k.is_stamped
          FROM org.api_keys k
          JOIN org.workspaces w ON w.id = k.workspace_id
          LEFT JOIN org.users u ON u.id = k.created_by_id AND u.is_active
          LEFT JOIN org.memberships m ON m.workspace_id = k.workspace_id AND m.user_id = u.id
         WHERE k.secret_hash = digest AND NOT w.is_deleted;
    PERFORM set_config('rls.secret_hash', '', true);
END
$$
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0017_erasure_of_spaces")]

    operations: ClassVar = [
        migrations.AddField("apikey", "is_of_sub_agent", models.BooleanField(db_default=False, default=False)),
        migrations.RunSQL(FORWARDS, BACKWARDS),
    ]
