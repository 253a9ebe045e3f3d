"""Observations of older messages, the batches that they were made in, and how far each conversation is observed."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.db.online_index_operations import KeyInWorkspace, ReplaceIndex
from core.migrations import ForceRowSecurity, InOneMoment, ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces

_CASCADE = django.db.models.deletion.CASCADE
_REFERENCE = {"db_constraint": False, "db_index": False, "on_delete": _CASCADE}
_WORKSPACE = {"db_index": False, "on_delete": _CASCADE, "related_name": "+", "to": "workspaces.workspace"}
_METHODS = [("model", "Model"), ("rules", "Rules")]


class Migration(migrations.Migration):
    atomic = False  # keys and indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [("conversations", "0009_passed_over"), ("workspaces", "0017_erasure_of_spaces")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="ObservationBatch",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[("buffered", "Buffered"), ("active", "Active"), ("reflected", "Reflected")],
                        default="buffered",
                        max_length=10,
                    ),
                ),
                ("method", models.CharField(choices=_METHODS, max_length=8)),
                ("failure", models.CharField(blank=True, max_length=60)),
                (
                    "source_message_ids",
                    django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None),
                ),
                ("message_count", models.PositiveIntegerField()),
                ("source_tokens", models.PositiveIntegerField()),
                ("tokens", models.PositiveIntegerField()),
                ("period_start", models.DateTimeField()),
                ("period_end", models.DateTimeField()),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("activated_at", models.DateTimeField(blank=True, null=True)),
                (
                    "conversation",
                    models.ForeignKey(**_REFERENCE, related_name="+", to="conversations.conversation"),
                ),
                ("workspace", models.ForeignKey(**_WORKSPACE)),
            ],
            options={"db_table": "observation_batches"},
        ),
        ForceRowSecurity("ObservationBatch"),
        KeyInWorkspace("ObservationBatch"),
        DivideIntoSpaces("ObservationBatch"),
        ReferenceInWorkspace("ObservationBatch", "conversation", deferred=True),
        migrations.AddConstraint(
            model_name="observationbatch",
            constraint=models.UniqueConstraint(fields=("workspace", "conversation", "number"), name="batches_in_order"),
        ),
        migrations.AddIndex(
            model_name="observationbatch",
            index=models.Index(fields=["workspace", "conversation", "state", "number"], name="batches_by_state"),
        ),
        migrations.AddIndex(
            model_name="observationbatch",
            index=models.Index(fields=["workspace", "space_id", "-id"], name="batches_newest"),
        ),
        migrations.CreateModel(
            name="Observation",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("position", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("critical", "critical"),
                            ("important", "important"),
                            ("completion", "completion"),
                            ("info", "info"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.TextField()),
                ("observed_at", models.DateTimeField()),
                ("tokens", models.PositiveIntegerField()),
                (
                    "source_message_ids",
                    django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None),
                ),
                (
                    "batch",
                    models.ForeignKey(**_REFERENCE, related_name="observations", to="conversations.observationbatch"),
                ),
                (
                    "conversation",
                    models.ForeignKey(**_REFERENCE, related_name="+", to="conversations.conversation"),
                ),
                ("workspace", models.ForeignKey(**_WORKSPACE)),
            ],
            options={"db_table": "observations"},
        ),
        ForceRowSecurity("Observation"),
        KeyInWorkspace("Observation"),
        DivideIntoSpaces("Observation"),
        ReferenceInWorkspace("Observation", "batch", deferred=True),
        ReferenceInWorkspace("Observation", "conversation", deferred=True),
        migrations.AddConstraint(
            model_name="observation",
            constraint=models.UniqueConstraint(fields=("workspace", "batch", "position"), name="observations_in_order"),
        ),
        migrations.AddIndex(
            model_name="observation",
            index=models.Index(fields=["workspace", "conversation"], name="observations_by_conversation"),
        ),
        migrations.CreateModel(
            name="ObservationCursor",
            fields=[
                (
                    "conversation",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=_CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="conversations.conversation",
                    ),
                ),
                ("unobserved_tokens", models.PositiveBigIntegerField(default=0)),
                ("buffered_tokens", models.PositiveBigIntegerField(default=0)),
                ("observation_tokens", models.PositiveIntegerField(default=0)),
                ("due_since", models.DateTimeField(blank=True, null=True)),
                ("generation", models.PositiveIntegerField(default=0)),
                ("reflected_at", models.DateTimeField(blank=True, null=True)),
                ("reflected_tokens", models.PositiveIntegerField(default=0)),
                ("reflection_method", models.CharField(blank=True, max_length=8)),
                ("reflection_failure", models.CharField(blank=True, max_length=60)),
                ("workspace", models.ForeignKey(**_WORKSPACE)),
            ],
            options={"db_table": "observation_cursors"},
        ),
        ForceRowSecurity("ObservationCursor"),
        KeyInWorkspace("ObservationCursor"),
        DivideIntoSpaces("ObservationCursor"),
        ReferenceInWorkspace("ObservationCursor", "conversation", deferred=True),
        migrations.AddIndex(
            model_name="observationcursor",
            index=models.Index(
                condition=models.Q(("due_since__isnull", False)),
                fields=["workspace", "due_since"],
                name="conversations_to_observe",
            ),
        ),
        # Nothing is observed yet, and what there is is counted when it is looked at; so no row is rewritten.
        InOneMoment(
            migrations.AddField("message", "tokens", models.PositiveIntegerField(blank=True, null=True)),
            migrations.AddField(
                "message",
                "observation_batch",
                models.ForeignKey(
                    blank=True,
                    db_constraint=False,
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    related_name="+",
                    to="conversations.observationbatch",
                ),
            ),
        ),
        ReferenceInWorkspace("Message", "observation_batch", deferred=True),
        ReplaceIndex(
            "message",
            models.Index(
                condition=models.Q(("observation_batch", None)),
                fields=["workspace", "conversation", "created_at", "id"],
                name="messages_not_observed",
            ),
        ),
        ReplaceIndex(
            "message",
            models.Index(
                condition=models.Q(("observation_batch__isnull", False)),
                fields=["workspace", "observation_batch"],
                name="messages_by_batch",
            ),
        ),
    ]
