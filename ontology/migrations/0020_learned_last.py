"""An index for memories in the order in which they were learned: ids of imported ones say when they were imported."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations
from django.db.models import Index, Q

from core.db.online_index_operations import ReplaceIndex


class Migration(migrations.Migration):
    atomic = False  # the index is built while the table is used

    dependencies: ClassVar = [("ontology", "0019_word_keys")]

    operations: ClassVar = [
        ReplaceIndex(
            "node",
            Index(
                fields=["workspace", "space_id", "-created_at", "-id"],
                condition=Q(type__in=["fact", "memory"]),
                name="nodes_learned_last",
            ),
        )
    ]
