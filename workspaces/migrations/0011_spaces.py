"""The spaces of workspaces that something was written into."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity, workspace_policies


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0010_attempt_counters")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Space",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("shared", "Shared"), ("user", "User"), ("agent", "Agent"), ("custom", "Custom")],
                        max_length=6,
                    ),
                ),
                ("key", models.CharField(blank=True, max_length=233)),
                ("title", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("erased_at", models.DateTimeField(blank=True, null=True)),
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
                "db_table": "spaces",
                "constraints": [models.UniqueConstraint(fields=("workspace", "kind", "key"), name="one_space_per_key")],
            },
        ),
        ForceRowSecurity("Space", workspace_policies()),
    ]
