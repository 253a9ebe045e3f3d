import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0001_initial"),
        ("memory", "0002_context_receipts"),
    ]

    operations = [
        migrations.CreateModel(
            name="MemoryEpisode",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("summary", models.TextField()),
                (
                    "source_message_ids",
                    django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None),
                ),
                ("turn_count", models.PositiveIntegerField()),
                ("period_start", models.DateTimeField()),
                ("period_end", models.DateTimeField()),
                ("is_deleted", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="episodes",
                        to="conversations.conversation",
                    ),
                ),
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
                "db_table": "memory_episodes",
                "indexes": [
                    models.Index(fields=["conversation", "-period_end", "-id"], name="episodes_newest"),
                ],
            },
        ),
        ForceRowSecurity("MemoryEpisode"),
    ]
