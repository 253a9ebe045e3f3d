"""Keys, references and unique constraints begin with the workspace; rows belong to spaces."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.db.online_index_operations import KeyInWorkspace, ReplaceUnique
from core.migrations import ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces


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
