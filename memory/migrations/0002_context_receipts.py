import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0001_initial"),
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="ContextReceipt",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("conversation", models.CharField(blank=True, max_length=200)),
                ("query_sha256", models.CharField(max_length=64)),
                ("method", models.CharField(max_length=10)),
                ("token_budget", models.PositiveIntegerField()),
                ("tokens_used", models.PositiveIntegerField()),
                ("is_over_budget", models.BooleanField()),
                ("chosen", models.JSONField(default=list)),
                ("dropped", models.JSONField(default=list)),
                (
                    "left_out",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=32), default=list, size=None
                    ),
                ),
                ("latency_ms", models.FloatField()),
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
                "db_table": "context_receipts",
                "indexes": [models.Index(fields=["workspace", "created_at"], name="receipts_oldest")],
            },
        ),
        ForceRowSecurity("ContextReceipt"),
    ]
