"""Two workspaces may have rows of the same id, since twins in the graph have the workspace in their key as well."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from core.db.online_index_operations import RemoveUnique


class Migration(migrations.Migration):
    atomic = False  # each table is locked for its own moment

    dependencies: ClassVar = [("telemetry", "0006_space_indexes")]

    operations: ClassVar = [
        RemoveUnique("action", "action_ids_once"),
        RemoveUnique("sequence", "sequence_ids_once"),
        RemoveUnique("pattern", "pattern_ids_once"),
        RemoveUnique("benchmark", "benchmark_ids_once"),
    ]
