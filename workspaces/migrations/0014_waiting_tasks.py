"""Tasks that wait until fewer of their kind are queued for their workspace."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

import core.ids
from core.db.online_index_operations import KeyInWorkspace
from core.migrations import ForceRowSecurity, workspace_policies


class Migration(migrations.Migration):
    atomic = False  # the key's index is built without a lock

    dependencies: ClassVar = [("workspaces", "0013_bound_keys")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="WaitingTask",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("task", models.CharField(max_length=120)),
                ("subject", models.CharField(max_length=64)),
                ("arguments", models.JSONField(default=list)),
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
                "db_table": "waiting_tasks",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("workspace", "task", "subject"), name="one_waiting_task_per_subject"
                    )
                ],
            },
        ),
        ForceRowSecurity("WaitingTask", workspace_policies()),
        KeyInWorkspace("WaitingTask"),
    ]
