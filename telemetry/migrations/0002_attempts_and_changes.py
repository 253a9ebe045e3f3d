import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from core.migrations import ForceRowSecurity

# What a step tried is the step without its end. Row security holds for the owner as well, so it steps aside meanwhile.
FILL_ATTEMPTS = r"""
ALTER TABLE agent_sequences NO FORCE ROW LEVEL SECURITY;
UPDATE agent_sequences SET attempts = ARRAY(
    SELECT DISTINCT left(step, length(step) - position(E'\x1f' in reverse(step))) FROM unnest(steps) AS step ORDER BY 1
);
ALTER TABLE agent_sequences FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("telemetry", "0001_initial"),
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "entity",
                    models.CharField(
                        choices=[("sequence", "Sequence"), ("pattern", "Pattern"), ("benchmark", "Benchmark")],
                        max_length=12,
                    ),
                ),
                ("entity_id", models.UUIDField()),
                ("since", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "db_table": "agent_changes",
            },
        ),
        migrations.RemoveIndex(
            model_name="sequence",
            name="agent_sequences_latest",
        ),
        migrations.AddField(
            model_name="sequence",
            name="attempts",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(), blank=True, default=list, size=None
            ),
        ),
        migrations.AddIndex(
            model_name="sequence",
            index=models.Index(fields=["workspace", "-id"], name="agent_sequences_newest"),
        ),
        migrations.AddIndex(
            model_name="sequence",
            index=models.Index(fields=["workspace", "ended_at"], name="agent_sequences_by_time"),
        ),
        migrations.AddField(
            model_name="change",
            name="workspace",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="workspaces.workspace"
            ),
        ),
        migrations.AddIndex(
            model_name="change",
            index=models.Index(fields=["workspace", "id"], name="agent_changes_in_order"),
        ),
        migrations.RunSQL(FILL_ATTEMPTS, migrations.RunSQL.noop),
        ForceRowSecurity("Change"),
    ]
