from django.db import migrations

# The authors of memories move to their nodes, and names of keys and apps get their kind, as the first revision of the
# memory recorded it. Row security holds for the owner as well, so it is lifted meanwhile.
SIGN = """
ALTER TABLE nodes NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_revisions NO FORCE ROW LEVEL SECURITY;
UPDATE nodes SET author_id = memories.author_id FROM memories WHERE memories.node_id = nodes.id;
UPDATE memories SET author = left(memories.author, 184) || signed.note
  FROM (SELECT DISTINCT memory_id, actor_id,
               CASE actor_kind WHEN 'api_key' THEN ' (API key)' ELSE ' (connected app)' END AS note
          FROM memory_revisions WHERE action = 'remember' AND actor_kind IN ('api_key', 'app')) AS signed
 WHERE signed.memory_id = memories.node_id AND signed.actor_id = memories.author_id;
SET CONSTRAINTS ALL IMMEDIATE;  -- a table with checks to come cannot be altered
ALTER TABLE memory_revisions FORCE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
ALTER TABLE nodes FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0007_author_kinds"),
        ("ontology", "0010_count_independent_references"),
    ]

    operations = [migrations.RunSQL(SIGN, migrations.RunSQL.noop)]
