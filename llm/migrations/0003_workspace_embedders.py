"""Embedding models of workspaces, and the vectors that they make."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar

import django.db.models.deletion
import pgvector.django.halfvec
from django.db import migrations, models

import core.clock
import core.ids
from core.db.online_index_operations import KeyInWorkspace
from core.migrations import ForceRowSecurity, InOneMoment, ReferenceInWorkspace, workspace_policies
from core.space_migrations import DivideIntoSpaces

# The tables whose rows have vectors.
SOURCES = ("nodes", "messages", "episode_statements", "slot_items", "agent_intents")

# Once for a statement, whatever it deletes; with the rights and the scope of whose statement it is.
FUNCTION = """
CREATE FUNCTION delete_workspace_embeddings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM workspace_embeddings kept USING gone
     WHERE kept.workspace_id = gone.workspace_id AND kept.row_id = gone.id;
    RETURN NULL;
END $$
"""
TRIGGER = """
CREATE TRIGGER delete_workspace_embeddings AFTER DELETE ON {table}
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_workspace_embeddings()
"""
WORKSPACE = models.ForeignKey(
    db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="workspaces.workspace"
)


class Migration(migrations.Migration):
    atomic = False  # keys are built without a lock, and each trigger has a transaction of its own

    dependencies: ClassVar = [
        ("llm", "0002_keys_and_spaces"),
        ("conversations", "0006_space_indexes"),
        ("memory", "0015_episode_statements"),
        ("ontology", "0013_space_indexes"),
        ("telemetry", "0006_space_indexes"),
        ("workspaces", "0013_bound_keys"),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="WorkspaceEmbedder",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("dimensions", models.PositiveSmallIntegerField(default=0)),
                ("input_price", models.DecimalField(decimal_places=6, default=Decimal(0), max_digits=12)),
                (
                    "status",
                    models.CharField(
                        choices=[("active", "Active"), ("incoming", "Incoming"), ("retired", "Retired")], max_length=8
                    ),
                ),
                ("chosen_at", models.DateTimeField(default=core.clock.utc_now)),
                ("active_since", models.DateTimeField(null=True)),
                ("retired_at", models.DateTimeField(null=True)),
                ("positions", models.JSONField(default=dict)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("problem", models.CharField(blank=True, max_length=500)),
                ("problem_at", models.DateTimeField(null=True)),
                ("retry_at", models.DateTimeField(null=True)),
                (
                    "provider",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="embedders",
                        to="llm.modelprovider",
                    ),
                ),
                ("workspace", WORKSPACE),
            ],
            options={
                "db_table": "workspace_embedders",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "active")), fields=("workspace",), name="one_active_embedder"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "incoming")), fields=("workspace",), name="one_incoming_embedder"
                    ),
                ],
            },
        ),
        ForceRowSecurity("WorkspaceEmbedder", workspace_policies()),
        KeyInWorkspace("WorkspaceEmbedder"),
        ReferenceInWorkspace("WorkspaceEmbedder", "provider", deferred=True),
        migrations.CreateModel(
            name="WorkspaceEmbedding",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("source", models.CharField(max_length=40)),
                ("row_id", models.UUIDField()),
                ("model", models.CharField(max_length=120)),
                ("dimensions", models.PositiveSmallIntegerField()),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("workspace", WORKSPACE.clone()),
            ],
            options={
                "db_table": "workspace_embeddings",
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "row_id", "model"), name="one_vector_of_each_model"),
                ],
            },
        ),
        ForceRowSecurity("WorkspaceEmbedding"),
        KeyInWorkspace("WorkspaceEmbedding"),
        DivideIntoSpaces("WorkspaceEmbedding"),
        migrations.AddIndex(
            model_name="workspaceembedding",
            index=models.Index(fields=["workspace", "space_id", "model", "source"], name="vectors_by_space_and_model"),
        ),
        migrations.AddIndex(
            model_name="workspaceembedding",
            index=models.Index(fields=["workspace", "model", "source"], name="vectors_by_model"),
        ),
        migrations.RunSQL(FUNCTION, "DROP FUNCTION delete_workspace_embeddings()"),
        *(
            # Waits for nobody for long: a lock that is not had at once is asked for again.
            InOneMoment(
                migrations.RunSQL(TRIGGER.format(table=table), f"DROP TRIGGER delete_workspace_embeddings ON {table}")
            )
            for table in SOURCES
        ),
    ]
