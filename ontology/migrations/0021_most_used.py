"""Indexes of the nodes that several runs cited, and of things: a list of either reads no memory any more."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations
from django.db.models import Index, Q

from core.db.online_index_operations import ReplaceIndex


class Migration(migrations.Migration):
    atomic = False  # the indexes are built while the table is used

    dependencies: ClassVar = [("ontology", "0020_learned_last")]

    operations: ClassVar = [
        ReplaceIndex(
            "node",
            Index(
                fields=["workspace", "space_id", "-independent_references"],
                condition=Q(independent_references__gt=0),
                name="nodes_most_used",
            ),
        ),
        ReplaceIndex(
            "node",
            Index(
                fields=["workspace", "space_id", "-id"],
                condition=~Q(type__in=["fact", "memory"]),
                name="nodes_of_things",
            ),
        ),
    ]
