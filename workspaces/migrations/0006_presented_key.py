from django.db import migrations

# Runs with the rights and under the policies of whoever calls it; the context is there for this one call.
FORWARDS = """
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
    dependencies = [("workspaces", "0005_workspace_of_a_presented_key")]

    operations = [migrations.RunSQL(FORWARDS, "DROP FUNCTION org.presented_key(text)")]
