import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.comparison
import pgvector.django.halfvec
import pgvector.django.indexes
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="GraphLease",
            fields=[
                (
                    "workspace",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="workspaces.workspace",
                    ),
                ),
                ("holder", models.UUIDField()),
                ("until", models.DateTimeField()),
            ],
            options={
                "db_table": "graph_leases",
            },
        ),
        migrations.CreateModel(
            name="Node",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("type", models.CharField(max_length=64)),
                ("name", models.CharField(blank=True, max_length=300)),
                ("body", models.TextField(blank=True)),
                ("properties", models.JSONField(blank=True, default=dict)),
                ("importance_score", models.FloatField(default=0.5)),
                ("reference_count", models.PositiveIntegerField(default=0)),
                ("last_referenced_at", models.DateTimeField(blank=True, null=True)),
                ("connection_id", models.UUIDField(blank=True, null=True)),
                ("valid_from", models.DateTimeField(blank=True, null=True)),
                ("valid_to", models.DateTimeField(blank=True, null=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("suppressed_at", models.DateTimeField(blank=True, null=True)),
                ("is_deleted", models.BooleanField(default=False)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("needs_embedding", models.BooleanField(default=True)),
                ("version", models.PositiveBigIntegerField(default=1)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("updated_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "words",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.contrib.postgres.search.SearchVector("name", "body", config="english"),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "nodes",
            },
        ),
        migrations.CreateModel(
            name="NodeType",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "node_types",
            },
        ),
        migrations.CreateModel(
            name="GraphOutbox",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("entity", models.CharField(choices=[("node", "node")], max_length=8)),
                ("entity_id", models.UUIDField()),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "graph_outbox",
                "indexes": [models.Index(fields=["workspace", "id"], name="graph_outbox_in_order")],
            },
        ),
        migrations.CreateModel(
            name="NodeEmbedding",
            fields=[
                (
                    "node",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="embedding",
                        serialize=False,
                        to="ontology.node",
                    ),
                ),
                ("model", models.CharField(max_length=120)),
                ("dimensions", models.PositiveSmallIntegerField()),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "node_embeddings",
            },
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(fields=["workspace", "type", "-id"], name="nodes_by_type"),
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(
                condition=models.Q(("needs_embedding", True)), fields=["workspace", "id"], name="nodes_without_vector"
            ),
        ),
        migrations.AddIndex(
            model_name="node",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(models.F("workspace"), name="uuid_ops"),
                models.F("words"),
                name="nodes_words",
            ),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.UniqueConstraint(fields=("workspace", "id"), name="nodes_in_workspace"),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.CheckConstraint(
                condition=models.Q(("importance_score__gte", 0), ("importance_score__lte", 1)),
                name="importance_between_0_and_1",
            ),
        ),
        migrations.AddConstraint(
            model_name="nodetype",
            constraint=models.UniqueConstraint(fields=("workspace", "name"), name="one_type_per_name"),
        ),
        migrations.AddIndex(
            model_name="nodeembedding",
            index=models.Index(fields=["workspace", "model"], name="node_embeddings_by_workspace"),
        ),
        migrations.AddIndex(
            model_name="nodeembedding",
            index=pgvector.django.indexes.HnswIndex(
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.comparison.Cast(
                        "vector", pgvector.django.halfvec.HalfVectorField(dimensions=384)
                    ),
                    name="halfvec_cosine_ops",
                ),
                condition=models.Q(("dimensions", 384)),
                ef_construction=64,
                m=16,
                name="node_embeddings_nearest",
            ),
        ),
        ForceRowSecurity("Node"),
        ForceRowSecurity("NodeEmbedding"),
        ForceRowSecurity("NodeType"),
        ForceRowSecurity("GraphOutbox"),
        ForceRowSecurity("GraphLease"),
    ]
