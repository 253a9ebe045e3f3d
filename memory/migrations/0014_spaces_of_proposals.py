"""Proposals belong to the space that they are offered to."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.db.online_index_operations import KeyInWorkspace, ReplaceIndex, ReplaceUnique
from core.space_migrations import DivideIntoSpaces


class Migration(migrations.Migration):
    atomic = False  # as all that builds indexes without a lock; each operation may run again after it was stopped

    dependencies: ClassVar = [("memory", "0013_proposals")]

    operations: ClassVar = [
        KeyInWorkspace("Proposal"),
        DivideIntoSpaces("Proposal"),
        ReplaceUnique(
            "proposal",
            models.UniqueConstraint(
                fields=("workspace", "space_id", "origin_id"),
                condition=models.Q(("status", "pending")),
                name="one_pending_proposal",
            ),
        ),
        ReplaceIndex(
            "proposal",
            models.Index(fields=["workspace", "space_id", "status", "-id"], name="proposals_newest"),
        ),
    ]
