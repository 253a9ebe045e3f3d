"""Statements of episodes, with their words and vectors."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.comparison
import pgvector.django.halfvec
import pgvector.django.indexes
from django.db import migrations, models

import core.db.search_vectors
import core.ids
from core.db.online_index_operations import KeyInWorkspace
from core.migrations import ForceRowSecurity, ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces


class Migration(migrations.Migration):
    atomic = False  # the key is built without a lock

    dependencies: ClassVar = [
        ("conversations", "0006_space_indexes"),
        ("memory", "0014_spaces_of_proposals"),
        ("workspaces", "0013_bound_keys"),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="EpisodeStatement",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("position", models.PositiveIntegerField()),
                ("text", models.TextField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("fact", "fact"),
                            ("preference", "preference"),
                            ("instruction", "instruction"),
                            ("plan", "plan"),
                            ("event", "event"),
                            ("decision", "decision"),
                        ],
                        max_length=12,
                    ),
                ),
                ("said_at", models.DateTimeField()),
                ("speaker", models.CharField(max_length=120)),
                ("confidence", models.FloatField()),
                (
                    "words",
                    models.GeneratedField(
                        db_persist=True,
                        expression=core.db.search_vectors.english_words("text"),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                ("needs_embedding", models.BooleanField(default=True)),
                ("model", models.CharField(blank=True, max_length=120)),
                ("dimensions", models.PositiveSmallIntegerField(default=0)),
                ("vector", pgvector.django.halfvec.HalfVectorField(null=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "episode",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="statements",
                        to="memory.memoryepisode",
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
            options={"db_table": "episode_statements"},
        ),
        ForceRowSecurity("EpisodeStatement"),
        KeyInWorkspace("EpisodeStatement"),
        DivideIntoSpaces("EpisodeStatement"),
        ReferenceInWorkspace("EpisodeStatement", "episode", deferred=True),
        ReferenceInWorkspace("EpisodeStatement", "conversation", deferred=True),
        migrations.AddConstraint(
            model_name="episodestatement",
            constraint=models.UniqueConstraint(fields=("workspace", "episode", "position"), name="statements_in_order"),
        ),
        migrations.AddIndex(
            model_name="episodestatement",
            index=models.Index(fields=["workspace", "conversation"], name="statements_by_conversation"),
        ),
        migrations.AddIndex(
            model_name="episodestatement",
            index=models.Index(fields=["workspace", "space_id", "-id"], name="statements_newest"),
        ),
        migrations.AddIndex(
            model_name="episodestatement",
            index=models.Index(
                condition=models.Q(("needs_embedding", True)),
                fields=["workspace", "id"],
                name="statements_not_embedded",
            ),
        ),
        migrations.AddIndex(
            model_name="episodestatement",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(models.F("workspace"), name="uuid_ops"),
                django.contrib.postgres.indexes.OpClass(models.F("space_id"), name="uuid_ops"),
                models.F("words"),
                name="statements_words",
            ),
        ),
        migrations.AddIndex(
            model_name="episodestatement",
            index=pgvector.django.indexes.HnswIndex(
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.comparison.Cast(
                        "vector", pgvector.django.halfvec.HalfVectorField(dimensions=384)
                    ),
                    name="halfvec_cosine_ops",
                ),
                condition=models.Q(("dimensions", 384)),
                name="statements_nearest",
            ),
        ),
    ]
