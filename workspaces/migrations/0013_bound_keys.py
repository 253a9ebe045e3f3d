"""Keys and connected apps that are bound to spaces."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
from django.db import migrations, models

# Code of the former version reads the first columns, whose names stay.
FORWARDS = """
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
BACKWARDS = """
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


def spaces() -> models.Field:
    name = models.CharField(max_length=233)
    return django.contrib.postgres.fields.ArrayField(name, blank=True, db_default=[], default=list)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0012_keys_in_workspace")]

    operations: ClassVar = [
        migrations.AddField("apikey", "spaces", spaces()),
        migrations.AddField("apikey", "is_stamped", models.BooleanField(db_default=False, default=False)),
        migrations.AddField("connectedapp", "spaces", spaces()),
        migrations.RunSQL(FORWARDS, BACKWARDS),
    ]
