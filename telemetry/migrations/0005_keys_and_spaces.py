"""Keys, references and unique constraints begin with the workspace; rows belong to spaces."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from core.migrations import ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces, KeyInWorkspace, ReplaceUnique


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [("telemetry", "0004_name_reporters"), ("workspaces", "0012_keys_in_workspace")]

    operations: ClassVar = [
        KeyInWorkspace("Action"),
        KeyInWorkspace("Arrival"),
        KeyInWorkspace("Intent"),
        KeyInWorkspace("Sequence"),
        KeyInWorkspace("Pattern"),
        KeyInWorkspace("Injection"),
        KeyInWorkspace("Metric"),
        KeyInWorkspace("Benchmark"),
        KeyInWorkspace("Change"),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="benchmark",
                    name="metric",
                    field=models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="points",
                        to="telemetry.metric",
                    ),
                ),
                migrations.AlterField(
                    model_name="injection",
                    name="pattern",
                    field=models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="telemetry.pattern",
                    ),
                ),
                migrations.AlterField(
                    model_name="sequence",
                    name="intent",
                    field=models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="telemetry.intent",
                    ),
                ),
            ]
        ),
        ReferenceInWorkspace("Benchmark", "metric", deferred=True),
        ReferenceInWorkspace("Injection", "pattern", deferred=True),
        ReferenceInWorkspace("Sequence", "intent", deferred=True),
        DivideIntoSpaces("Action"),
        DivideIntoSpaces("Arrival"),
        DivideIntoSpaces("Intent"),
        DivideIntoSpaces("Sequence"),
        DivideIntoSpaces("Pattern"),
        DivideIntoSpaces("Injection"),
        DivideIntoSpaces("Metric"),
        DivideIntoSpaces("Benchmark"),
        DivideIntoSpaces("Change"),
        ReplaceUnique(
            "benchmark", models.UniqueConstraint(fields=("workspace", "metric", "date"), name="one_value_per_day")
        ),
        ReplaceUnique(
            "metric", models.UniqueConstraint(fields=("workspace", "space_id", "name"), name="one_metric_per_name")
        ),
        ReplaceUnique(
            "pattern",
            models.UniqueConstraint(
                fields=("workspace", "space_id", "action_type", "node_type", "error_code"), name="one_pattern_per_key"
            ),
        ),
        ReplaceUnique(
            "sequence",
            models.UniqueConstraint(
                fields=("workspace", "space_id", "reporter", "session", "started_at"), name="sequences_begin_once"
            ),
        ),
        ReplaceUnique("action", models.UniqueConstraint(fields=("id",), name="action_ids_once")),
        ReplaceUnique("sequence", models.UniqueConstraint(fields=("id",), name="sequence_ids_once")),
        ReplaceUnique("pattern", models.UniqueConstraint(fields=("id",), name="pattern_ids_once")),
        ReplaceUnique("benchmark", models.UniqueConstraint(fields=("id",), name="benchmark_ids_once")),
    ]
