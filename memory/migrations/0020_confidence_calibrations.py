"""What confidence is worth in contexts of a workspace, by what its runs cited."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.db.online_index_operations import KeyInWorkspace
from core.migrations import ForceRowSecurity, workspace_policies


class Migration(migrations.Migration):
    atomic = False  # the key's index is built without a lock

    dependencies: ClassVar = [
        ("memory", "0019_references_to_what_replaced"),
        ("workspaces", "0017_erasure_of_spaces"),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="ConfidenceCalibration",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("layer", models.CharField(choices=[("memories", "Memories"), ("nodes", "Nodes")], max_length=16)),
                ("slope", models.FloatField()),
                ("intercept", models.FloatField()),
                ("cited", models.PositiveIntegerField()),
                ("uncited", models.PositiveIntegerField()),
                ("fitted_at", models.DateTimeField(default=core.clock.utc_now)),
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
                "db_table": "confidence_calibrations",
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "layer"), name="one_calibration_per_layer"),
                    models.CheckConstraint(condition=models.Q(("slope__gt", 0)), name="calibration_rises"),
                ],
            },
        ),
        ForceRowSecurity("ConfidenceCalibration", workspace_policies()),
        KeyInWorkspace("ConfidenceCalibration"),
    ]
