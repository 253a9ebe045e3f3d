from django.db import migrations, models

# Who wrote each text is in its revisions. Row security holds for the owner as well, so it steps aside meanwhile.
FILL_KINDS = """
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_revisions NO FORCE ROW LEVEL SECURITY;
UPDATE memories SET author_kind = first.actor_kind
FROM memory_revisions AS first WHERE first.memory_id = memories.node_id AND first.action = 'remember';
UPDATE memories SET edited_by = last.actor_label, edited_by_kind = last.actor_kind
FROM (
    SELECT DISTINCT ON (memory_id) memory_id, actor_label, actor_kind FROM memory_revisions
    WHERE action = 'edit' AND before ? 'content' ORDER BY memory_id, id DESC
) AS last WHERE last.memory_id = memories.node_id;
SET CONSTRAINTS ALL IMMEDIATE;  -- a table with checks to come cannot be altered
ALTER TABLE memory_revisions FORCE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
"""


def added(model_name: str, name: str, max_length: int) -> migrations.AddField:
    field = models.CharField(blank=True, default="", max_length=max_length)
    return migrations.AddField(model_name=model_name, name=name, field=field, preserve_default=False)


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_user_memories")]

    operations = [
        added("memory", "author_kind", 10),
        added("memory", "edited_by", 200),
        added("memory", "edited_by_kind", 10),
        added("usermemory", "updated_by_kind", 10),
        migrations.RunSQL(FILL_KINDS, migrations.RunSQL.noop),
    ]
