"""Indexes begin with the space, since a search is made inside of the spaces that its caller reads."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.indexes
from django.db import migrations, models

from core.db.online_index_operations import ReplaceIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar = [("ontology", "0012_keys_and_spaces"), ("workspaces", "0012_keys_in_workspace")]

    operations: ClassVar = [
        ReplaceIndex("edge", models.Index(fields=["workspace", "space_id", "type", "-id"], name="edges_by_type")),
        ReplaceIndex(
            "mergecandidate",
            models.Index(
                condition=models.Q(("kept_apart_at", None)),
                fields=["workspace", "space_id", "-score"],
                name="candidates_best_first",
            ),
        ),
        ReplaceIndex("node", models.Index(fields=["workspace", "space_id", "-id"], name="nodes_newest")),
        ReplaceIndex("node", models.Index(fields=["workspace", "space_id", "type", "-id"], name="nodes_by_type")),
        ReplaceIndex(
            "node",
            models.Index(
                condition=models.Q(("is_deleted", False), ("suppressed_at", None)),
                fields=["workspace", "space_id", "type", "id"],
                include=("valid_from", "valid_to", "expires_at"),
                name="nodes_recallable",
            ),
        ),
        ReplaceIndex(
            "node",
            django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(models.F("workspace"), name="uuid_ops"),
                django.contrib.postgres.indexes.OpClass(models.F("space_id"), name="uuid_ops"),
                models.F("words"),
                fastupdate=False,
                name="nodes_words",
            ),
        ),
        ReplaceIndex("node", models.Index(fields=["workspace", "space_id", "name_key"], name="nodes_by_name")),
        ReplaceIndex(
            "node",
            models.Index(
                condition=models.Q(("is_deleted", False), ("reference_count", 0)),
                fields=["workspace", "space_id", "type", "created_at"],
                name="nodes_never_referenced",
            ),
        ),
        ReplaceIndex(
            "nodeembedding",
            models.Index(fields=["workspace", "space_id", "model"], name="node_embeddings_by_workspace"),
        ),
    ]
