"""Indexes begin with the space, since a search is made inside of the spaces that its caller reads."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.db.online_index_operations import ReplaceIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar = [
        ("memory", "0010_keys_and_spaces"),
        ("ontology", "0012_keys_and_spaces"),
        ("workspaces", "0012_keys_in_workspace"),
    ]

    operations: ClassVar = [
        ReplaceIndex("memory", models.Index(fields=["workspace", "space_id", "-node"], name="memories_newest")),
        ReplaceIndex(
            "memory",
            models.Index(
                condition=models.Q(("pinned_at", None), _negated=True),
                fields=["workspace", "space_id", "-pinned_at"],
                name="memories_pinned",
            ),
        ),
        ReplaceIndex("run", models.Index(fields=["workspace", "space_id", "-id"], name="runs_newest")),
    ]
