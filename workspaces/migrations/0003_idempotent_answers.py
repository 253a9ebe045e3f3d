import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    dependencies = [
        ("workspaces", "0002_connected_apps"),
    ]

    operations = [
        migrations.CreateModel(
            name="IdempotentAnswer",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("call", models.CharField(max_length=64)),
                ("request_sha256", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("answer", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "idempotent_answers",
                "indexes": [models.Index(fields=["workspace", "created_at"], name="answers_oldest")],
                "constraints": [models.UniqueConstraint(fields=("workspace", "call"), name="one_answer_per_call")],
            },
        ),
        ForceRowSecurity("IdempotentAnswer"),
    ]
