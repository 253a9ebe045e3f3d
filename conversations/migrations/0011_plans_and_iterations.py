"""Plans of conversations, and the attempts at their tasks."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.db.online_index_operations import KeyInWorkspace
from core.migrations import ForceRowSecurity, ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces


def key() -> models.Field:
    return models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)


def conversation(related_name: str) -> models.Field:
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to="conversations.conversation",
    )


def workspace() -> models.Field:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
        to="workspaces.workspace",
    )


class Migration(migrations.Migration):
    atomic = False  # the keys are built without a lock

    dependencies: ClassVar = [("conversations", "0010_observations"), ("workspaces", "0017_erasure_of_spaces")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Plan",
            fields=[
                ("id", key()),
                ("goal", models.TextField()),
                ("phase", models.CharField(blank=True, default="", max_length=200)),
                ("iteration_count", models.PositiveIntegerField(default=0)),
                ("steps", models.JSONField(blank=True, default=list)),
                ("version", models.PositiveIntegerField(default=1)),
                ("updated_by", models.CharField(blank=True, default="", max_length=200)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("updated_at", models.DateTimeField(default=core.clock.utc_now)),
                ("conversation", conversation("plans")),
                ("workspace", workspace()),
            ],
            options={"db_table": "plans"},
        ),
        ForceRowSecurity("Plan"),
        KeyInWorkspace("Plan"),
        DivideIntoSpaces("Plan"),
        ReferenceInWorkspace("Plan", "conversation", deferred=True),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.UniqueConstraint(fields=("workspace", "conversation"), name="one_plan_of_a_conversation"),
        ),
        migrations.CreateModel(
            name="Iteration",
            fields=[
                ("id", key()),
                ("task_key", models.CharField(max_length=200)),
                ("attempt", models.PositiveIntegerField()),
                ("action", models.TextField()),
                ("result", models.TextField(blank=True, default="")),
                ("error", models.TextField(blank=True, default="")),
                ("diagnosis", models.TextField(blank=True, default="")),
                ("fix", models.TextField(blank=True, default="")),
                ("recorded_by", models.CharField(blank=True, default="", max_length=200)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("conversation", conversation("iterations")),
                ("workspace", workspace()),
            ],
            options={"db_table": "iterations"},
        ),
        ForceRowSecurity("Iteration"),
        KeyInWorkspace("Iteration"),
        DivideIntoSpaces("Iteration"),
        ReferenceInWorkspace("Iteration", "conversation", deferred=True),
        migrations.AddConstraint(
            model_name="iteration",
            constraint=models.UniqueConstraint(
                fields=("workspace", "conversation", "task_key", "attempt"), name="one_iteration_of_an_attempt"
            ),
        ),
    ]
