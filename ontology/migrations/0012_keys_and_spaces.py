"""Keys, references and unique constraints begin with the workspace; rows belong to spaces."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.db.online_index_operations import KeyInWorkspace, ReplaceUnique
from core.migrations import ReferenceInWorkspace, ReplacePolicies, workspace_policies
from core.space_migrations import DivideIntoSpaces


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [("ontology", "0011_leases_of_every_kind"), ("workspaces", "0012_keys_in_workspace")]

    operations: ClassVar = [
        KeyInWorkspace("Connection", replaces="connections_in_workspace"),
        KeyInWorkspace("Node", replaces="nodes_in_workspace"),
        KeyInWorkspace("NodeEmbedding"),
        KeyInWorkspace("Edge", replaces="edges_in_workspace"),
        KeyInWorkspace("MergeCandidate"),
        KeyInWorkspace("Merge"),
        KeyInWorkspace("NodeType"),
        KeyInWorkspace("EdgeType"),
        KeyInWorkspace("Change"),
        KeyInWorkspace("GraphOutbox"),
        ReferenceInWorkspace("Node", "connection"),
        ReferenceInWorkspace("Edge", "source", cascades=True),
        ReferenceInWorkspace("Edge", "target", cascades=True),
        ReferenceInWorkspace("Edge", "connection"),
        ReferenceInWorkspace("MergeCandidate", "first", cascades=True),
        ReferenceInWorkspace("MergeCandidate", "second", cascades=True),
        ReferenceInWorkspace("Merge", "kept", cascades=True),
        ReferenceInWorkspace("Merge", "absorbed", cascades=True),
        ReferenceInWorkspace("NodeEmbedding", "node", deferred=True),
        ReplacePolicies("GraphOutbox", workspace_policies()),
        DivideIntoSpaces("Connection"),
        DivideIntoSpaces("Node"),
        DivideIntoSpaces("NodeEmbedding"),
        DivideIntoSpaces("Edge"),
        DivideIntoSpaces("MergeCandidate"),
        DivideIntoSpaces("Merge"),
        DivideIntoSpaces("NodeType"),
        DivideIntoSpaces("EdgeType"),
        DivideIntoSpaces("Change"),
        ReplaceUnique(
            "connection",
            models.UniqueConstraint(
                condition=models.Q(("is_deleted", False)),
                fields=("workspace", "space_id", "name"),
                name="one_connection_per_name",
            ),
        ),
        ReplaceUnique(
            "edgetype", models.UniqueConstraint(fields=("workspace", "space_id", "name"), name="one_edge_type_per_name")
        ),
        ReplaceUnique(
            "nodetype", models.UniqueConstraint(fields=("workspace", "space_id", "name"), name="one_type_per_name")
        ),
        ReplaceUnique("node", models.UniqueConstraint(fields=("id",), name="node_ids_once")),
        ReplaceUnique("edge", models.UniqueConstraint(fields=("id",), name="edge_ids_once")),
    ]
