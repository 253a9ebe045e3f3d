"""What replaced a memory or statement is a row of its own workspace, and is found by an index."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.db.online_index_operations import ReplaceIndex
from core.migrations import ReferenceInWorkspace


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [("memory", "0018_what_is_true_now")]

    operations: ClassVar = [
        ReferenceInWorkspace("Memory", "superseded_by", deferred=True),
        ReferenceInWorkspace("EpisodeStatement", "superseded_by", deferred=True),
        ReferenceInWorkspace("EpisodeStatement", "superseded_by_memory", deferred=True),
        ReplaceIndex(
            "memory",
            models.Index(
                condition=models.Q(("superseded_by", None), _negated=True),
                fields=["workspace", "superseded_by"],
                name="memories_superseded",
            ),
        ),
        ReplaceIndex(
            "episodestatement",
            models.Index(
                condition=models.Q(("superseded_by", None), _negated=True),
                fields=["workspace", "superseded_by"],
                name="statements_superseded",
            ),
        ),
        ReplaceIndex(
            "episodestatement",
            models.Index(
                condition=models.Q(("superseded_by_memory", None), _negated=True),
                fields=["workspace", "superseded_by_memory"],
                name="statements_closed_by_memory",
            ),
        ),
    ]
