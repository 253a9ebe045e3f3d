"""Memories know the messages that said them and their last step; runs, what of their output could not be read."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import core.clock
import core.ids
from core.db.online_index_operations import KeyInWorkspace, ReplaceIndex
from core.migrations import ForceRowSecurity, InOneMoment, ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces

_TABLES = ("nodes", "memories", "memory_revisions")
# Row security holds for the owner as well, so it steps aside meanwhile. The serving roles are not the owner.
FILL = """
UPDATE memories SET touched_at = GREATEST(nodes.created_at, (
    SELECT max(step.created_at) FROM memory_revisions AS step
     WHERE step.workspace_id = memories.workspace_id AND step.memory_id = memories.node_id))
  FROM nodes WHERE nodes.workspace_id = memories.workspace_id AND nodes.id = memories.node_id
"""
_REFERENCE = {"db_constraint": False, "db_index": False, "on_delete": django.db.models.deletion.CASCADE}


class Migration(migrations.Migration):
    atomic = False  # keys and indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [
        ("conversations", "0008_appended_by"),
        ("memory", "0021_versions_of_slot_items"),
        ("ontology", "0016_edges_of_a_space"),
        ("workspaces", "0017_erasure_of_spaces"),
    ]

    operations: ClassVar = [
        InOneMoment(
            migrations.AddField("run", "malformed", models.JSONField(db_default=[], default=list)),
            migrations.AddField("run", "over_limit", models.PositiveIntegerField(db_default=0, default=0)),
        ),
        InOneMoment(
            migrations.AddField(
                "memory",
                "touched_at",
                models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=core.clock.utc_now),
            ),
        ),
        InOneMoment(migrations.RunSQL([f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY" for table in _TABLES])),
        migrations.RunSQL([FILL], migrations.RunSQL.noop),
        InOneMoment(migrations.RunSQL([f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY" for table in _TABLES])),
        ReplaceIndex(
            "memory",
            models.Index(
                condition=models.Q(("pinned_at", None), ("superseded_at", None)),
                fields=["workspace", "space_id", "touched_at"],
                name="memories_untouched",
            ),
        ),
        migrations.CreateModel(
            name="MemorySource",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("message_id", models.UUIDField()),
                ("said_at", models.DateTimeField()),
                (
                    "conversation",
                    models.ForeignKey(**_REFERENCE, related_name="+", to="conversations.conversation"),
                ),
                ("memory", models.ForeignKey(**_REFERENCE, related_name="sources", to="memory.memory")),
                ("revision", models.ForeignKey(**_REFERENCE, related_name="sources", to="memory.memoryrevision")),
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
            options={"db_table": "memory_sources"},
        ),
        ForceRowSecurity("MemorySource"),
        KeyInWorkspace("MemorySource"),
        DivideIntoSpaces("MemorySource"),
        ReferenceInWorkspace("MemorySource", "memory", deferred=True),
        ReferenceInWorkspace("MemorySource", "revision", deferred=True),
        ReferenceInWorkspace("MemorySource", "conversation", deferred=True),
        migrations.AddConstraint(
            model_name="memorysource",
            constraint=models.UniqueConstraint(
                fields=("workspace", "memory", "message_id"), name="one_source_per_message"
            ),
        ),
        migrations.AddIndex(
            model_name="memorysource",
            index=models.Index(fields=["workspace", "conversation"], name="sources_by_conversation"),
        ),
        migrations.AddIndex(
            model_name="memorysource",
            index=models.Index(fields=["workspace", "revision"], name="sources_by_revision"),
        ),
    ]
