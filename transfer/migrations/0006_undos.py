"""Undos, and the things that each is about."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.db.online_index_operations import KeyInWorkspace
from core.migrations import ForceRowSecurity, ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces

TARGETS = [(name, name.capitalize()) for name in ("run", "import", "agent")]
STATUSES = [(name, name.capitalize()) for name in ("applying", "done", "reverting", "reverted")]
STATES = [(name, name.capitalize()) for name in ("waiting", "applied", "kept", "returned", "left")]
KINDS = [(name, name.capitalize()) for name in ("memory", "fact", "node", "edge", "merge")]
ACTS = [(name, name.capitalize()) for name in ("remove", "revert")]


def _id() -> models.Field:
    return models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)


def _workspace() -> models.ForeignKey:
    cascade = django.db.models.deletion.CASCADE
    return models.ForeignKey(db_index=False, on_delete=cascade, related_name="+", to="workspaces.workspace")


def _ids() -> models.Field:
    return django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, size=None)


class Migration(migrations.Migration):
    atomic = False  # keys are built without a lock

    dependencies: ClassVar = [("transfer", "0005_workspace_erasures"), ("workspaces", "0021_second_factors")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Undo",
            fields=[
                ("id", _id()),
                ("target", models.CharField(choices=TARGETS, max_length=8)),
                ("subject", models.CharField(max_length=200)),
                ("since", models.DateTimeField(blank=True, null=True)),
                ("until", models.DateTimeField()),
                ("is_everywhere", models.BooleanField(default=False)),
                ("has_more", models.BooleanField(default=False)),
                ("status", models.CharField(choices=STATUSES, default="applying", max_length=9)),
                ("actor_kind", models.CharField(max_length=10)),
                ("actor_id", models.CharField(blank=True, max_length=64)),
                ("actor_label", models.CharField(blank=True, max_length=200)),
                (
                    "rights",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=10), default=list, size=None
                    ),
                ),
                ("reverter_kind", models.CharField(blank=True, max_length=10)),
                ("reverter_id", models.CharField(blank=True, max_length=64)),
                ("reverter_label", models.CharField(blank=True, max_length=200)),
                ("requested_at", models.DateTimeField(default=core.clock.utc_now)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("reverted_at", models.DateTimeField(blank=True, null=True)),
                ("workspace", _workspace()),
            ],
            options={"db_table": "undos"},
        ),
        migrations.CreateModel(
            name="UndoItem",
            fields=[
                ("id", _id()),
                ("position", models.PositiveIntegerField()),
                ("kind", models.CharField(choices=KINDS, max_length=8)),
                ("item_id", models.UUIDField()),
                ("act", models.CharField(choices=ACTS, max_length=8)),
                ("state", models.CharField(choices=STATES, default="waiting", max_length=8)),
                ("reason", models.CharField(blank=True, max_length=40)),
                ("by", models.CharField(blank=True, max_length=200)),
                ("steps", _ids()),
                ("made", _ids()),
                ("step_count", models.PositiveIntegerField(default=0)),
                (
                    "undo",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="transfer.undo",
                    ),
                ),
                ("workspace", _workspace()),
            ],
            options={"db_table": "undo_items"},
        ),
        ForceRowSecurity("Undo"),
        ForceRowSecurity("UndoItem"),
        KeyInWorkspace("Undo"),
        KeyInWorkspace("UndoItem"),
        ReferenceInWorkspace("UndoItem", "undo", cascades=True),
        DivideIntoSpaces("UndoItem"),
        migrations.AddIndex("undo", models.Index(fields=["workspace", "-id"], name="undos_newest")),
        migrations.AddIndex(
            "undo",
            models.Index(
                condition=models.Q(("status__in", ["applying", "reverting"])),
                fields=["workspace"],
                name="undos_unfinished",
            ),
        ),
        migrations.AddIndex("undoitem", models.Index(fields=["workspace", "item_id"], name="undo_items_of_thing")),
        migrations.AddConstraint(
            "undoitem",
            models.UniqueConstraint(fields=["workspace", "undo", "position"], name="undo_items_in_order"),
        ),
    ]
