from django.db import migrations, models

# Who annotated is in the audit record, the latest last. Row security holds for the owner as well, so it steps aside.
FILL_KINDS = """
ALTER TABLE agent_patterns NO FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_events NO FORCE ROW LEVEL SECURITY;
UPDATE agent_patterns SET annotated_by_kind = COALESCE((
    SELECT event.actor_kind FROM audit_events AS event
    WHERE event.workspace_id = agent_patterns.workspace_id AND event.action = 'pattern.annotated'
        AND event.object_id = agent_patterns.id::text
    ORDER BY event.id DESC LIMIT 1
), '') WHERE annotated_by <> '';
ALTER TABLE audit_events FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_patterns FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("telemetry", "0002_attempts_and_changes"),
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="pattern",
            name="annotated_by_kind",
            field=models.CharField(blank=True, default="", max_length=10),
            preserve_default=False,
        ),
        migrations.RunSQL(FILL_KINDS, migrations.RunSQL.noop),
    ]
