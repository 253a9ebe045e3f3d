import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity, ReferenceInWorkspace


def id_field():
    return models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)


def workspace_field():
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="workspaces.workspace"
    )


def moment_field():
    return models.DateTimeField(default=core.clock.utc_now)


def end_field(related_name):
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to="ontology.node",
    )


def connection_field():
    return models.ForeignKey(
        blank=True,
        db_constraint=False,
        db_index=False,
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="ontology.connection",
    )


ENTITIES = [("node", "Node"), ("edge", "Edge")]
NODE_IS_BOUNDED = (
    models.Q(("suppressed_at", None), _negated=True)
    | models.Q(("valid_from", None), _negated=True)
    | models.Q(("valid_to", None), _negated=True)
    | models.Q(("expires_at", None), _negated=True)
)


class Migration(migrations.Migration):
    dependencies = [
        ("ontology", "0002_recall_indexes"),
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Connection",
            fields=[
                ("id", id_field()),
                ("workspace", workspace_field()),
                ("name", models.CharField(max_length=200)),
                ("kind", models.CharField(blank=True, max_length=64)),
                ("is_deleted", models.BooleanField(default=False)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("to_remove", models.PositiveIntegerField(default=0)),
                ("removed_nodes", models.PositiveIntegerField(default=0)),
                ("removed_edges", models.PositiveIntegerField(default=0)),
                ("removed_vectors", models.PositiveIntegerField(default=0)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", moment_field()),
            ],
            options={"db_table": "connections"},
        ),
        migrations.AddConstraint(
            model_name="connection",
            constraint=models.UniqueConstraint(fields=("workspace", "id"), name="connections_in_workspace"),
        ),
        migrations.AddConstraint(
            model_name="connection",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_deleted", False)), fields=("workspace", "name"), name="one_connection_per_name"
            ),
        ),
        # The column was there without a table to point at.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="node", name="connection_id"),
                migrations.AddField(model_name="node", name="connection", field=connection_field()),
            ]
        ),
        migrations.AddField(model_name="node", name="name_key", field=models.CharField(blank=True, max_length=300)),
        migrations.AddField(model_name="node", name="provenance", field=models.JSONField(blank=True, default=dict)),
        migrations.AddIndex(
            model_name="node", index=models.Index(fields=["workspace", "name_key"], name="nodes_by_name")
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(
                condition=models.Q(("connection", None), _negated=True),
                fields=["workspace", "connection"],
                name="nodes_by_connection",
            ),
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(condition=NODE_IS_BOUNDED, fields=["workspace", "id"], name="nodes_with_bounds"),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.CheckConstraint(
                condition=models.Q(("connection", None)) | models.Q(("type__in", ["fact", "memory"]), _negated=True),
                name="memories_have_no_connection",
            ),
        ),
        migrations.CreateModel(
            name="Edge",
            fields=[
                ("id", id_field()),
                ("workspace", workspace_field()),
                ("type", models.CharField(max_length=64)),
                ("source", end_field("edges_out")),
                ("target", end_field("edges_in")),
                ("properties", models.JSONField(blank=True, default=dict)),
                ("provenance", models.JSONField(blank=True, default=dict)),
                ("connection", connection_field()),
                ("is_deleted", models.BooleanField(default=False)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveBigIntegerField(default=1)),
                ("created_at", moment_field()),
                ("updated_at", moment_field()),
            ],
            options={"db_table": "edges"},
        ),
        migrations.AddConstraint(
            model_name="edge",
            constraint=models.UniqueConstraint(fields=("workspace", "id"), name="edges_in_workspace"),
        ),
        migrations.AddConstraint(
            model_name="edge",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_deleted", False)),
                fields=("workspace", "source", "target", "type"),
                name="one_live_edge",
            ),
        ),
        migrations.AddIndex(
            model_name="edge",
            index=models.Index(
                fields=["workspace", "source"], include=("target", "type", "is_deleted"), name="edges_out"
            ),
        ),
        migrations.AddIndex(
            model_name="edge",
            index=models.Index(
                fields=["workspace", "target"], include=("source", "type", "is_deleted"), name="edges_in"
            ),
        ),
        migrations.AddIndex(
            model_name="edge", index=models.Index(fields=["workspace", "type", "-id"], name="edges_by_type")
        ),
        migrations.AddIndex(
            model_name="edge",
            index=models.Index(
                condition=models.Q(("connection", None), _negated=True),
                fields=["workspace", "connection"],
                name="edges_by_connection",
            ),
        ),
        migrations.AddField(
            model_name="nodetype", name="description", field=models.CharField(blank=True, max_length=500)
        ),
        migrations.AddField(model_name="nodetype", name="is_deleted", field=models.BooleanField(default=False)),
        migrations.CreateModel(
            name="EdgeType",
            fields=[
                ("id", id_field()),
                ("workspace", workspace_field()),
                ("name", models.CharField(max_length=64)),
                ("description", models.CharField(blank=True, max_length=500)),
                ("is_deleted", models.BooleanField(default=False)),
                ("created_at", moment_field()),
            ],
            options={"db_table": "edge_types"},
        ),
        migrations.AddConstraint(
            model_name="edgetype",
            constraint=models.UniqueConstraint(fields=("workspace", "name"), name="one_edge_type_per_name"),
        ),
        migrations.AlterField(
            model_name="graphoutbox", name="entity", field=models.CharField(choices=ENTITIES, max_length=8)
        ),
        migrations.AddField(model_name="graphoutbox", name="source_id", field=models.UUIDField(blank=True, null=True)),
        migrations.AddField(model_name="graphoutbox", name="target_id", field=models.UUIDField(blank=True, null=True)),
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", id_field()),
                ("workspace", workspace_field()),
                ("entity", models.CharField(choices=ENTITIES, max_length=8)),
                ("entity_id", models.UUIDField()),
                ("action", models.CharField(max_length=16)),
                ("actor_kind", models.CharField(max_length=10)),
                ("actor_id", models.CharField(blank=True, max_length=64)),
                ("actor_label", models.CharField(blank=True, max_length=200)),
                ("before", models.JSONField(default=dict)),
                ("created_at", moment_field()),
            ],
            options={"db_table": "changes"},
        ),
        migrations.AddIndex(
            model_name="change", index=models.Index(fields=["workspace", "entity_id", "-id"], name="changes_of_entity")
        ),
        ReferenceInWorkspace("Node", "connection"),
        ReferenceInWorkspace("Edge", "connection"),
        ReferenceInWorkspace("Edge", "source", cascades=True),
        ReferenceInWorkspace("Edge", "target", cascades=True),
        ForceRowSecurity("Connection"),
        ForceRowSecurity("Edge"),
        ForceRowSecurity("EdgeType"),
        ForceRowSecurity("Change"),
    ]
