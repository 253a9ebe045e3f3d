import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0005_slots"),
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="UserMemory",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("user", models.CharField(max_length=200)),
                ("content", models.TextField()),
                ("updated_by", models.CharField(blank=True, max_length=200)),
                ("updated_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
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
                "verbose_name_plural": "user memories",
                "db_table": "user_memories",
                "constraints": [models.UniqueConstraint(fields=("workspace", "user"), name="one_memory_per_user")],
            },
        ),
        ForceRowSecurity("UserMemory"),
    ]
