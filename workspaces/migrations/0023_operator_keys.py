"""Keys of operators, who make workspaces by script."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0022_external_identities")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="OperatorKey",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=120)),
                ("hint", models.CharField(max_length=24)),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={"db_table": "operator_keys"},
        ),
        migrations.CreateModel(
            name="OperatorEvent",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("action", models.CharField(max_length=64)),
                ("object_id", models.CharField(blank=True, max_length=64)),
                ("address", models.CharField(blank=True, max_length=64)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                (
                    "key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="workspaces.operatorkey"
                    ),
                ),
            ],
            options={"db_table": "operator_events"},
        ),
        migrations.CreateModel(
            name="WorkspaceFounding",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("made_id", models.UUIDField(unique=True)),
                ("api_key_id", models.UUIDField(null=True)),
                ("call", models.CharField(blank=True, max_length=64)),
                ("request_sha256", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                (
                    "key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="workspaces.operatorkey"
                    ),
                ),
            ],
            options={
                "db_table": "workspace_foundings",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("call", ""), _negated=True),
                        fields=("key", "call"),
                        name="one_workspace_per_call",
                    )
                ],
            },
        ),
    ]
