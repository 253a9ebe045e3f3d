"""Two workspaces may have rows of the same id, since twins in the graph have the workspace in their key as well."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from core.db.online_index_operations import RemoveUnique


class Migration(migrations.Migration):
    atomic = False  # each table is locked for its own moment

    dependencies: ClassVar = [("ontology", "0013_space_indexes")]

    operations: ClassVar = [
        RemoveUnique("node", "node_ids_once"),
        RemoveUnique("edge", "edge_ids_once"),
    ]
