"""Indexes begin with the space, since a search is made inside of the spaces that its caller reads."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.db.online_index_operations import ReplaceIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar = [("telemetry", "0005_keys_and_spaces"), ("workspaces", "0012_keys_in_workspace")]

    operations: ClassVar = [
        ReplaceIndex("action", models.Index(fields=["workspace", "space_id", "-id"], name="agent_actions_newest")),
        ReplaceIndex("arrival", models.Index(fields=["workspace", "space_id", "id"], name="agent_arrivals_in_order")),
        ReplaceIndex(
            "pattern",
            models.Index(fields=["workspace", "space_id", "status", "node_type"], name="agent_patterns_by_type"),
        ),
        ReplaceIndex("sequence", models.Index(fields=["workspace", "space_id", "-id"], name="agent_sequences_newest")),
        ReplaceIndex(
            "sequence", models.Index(fields=["workspace", "space_id", "ended_at"], name="agent_sequences_by_time")
        ),
    ]
