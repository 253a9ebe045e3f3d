"""Review: where memories stand in it, and the verdicts that were given."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.db.online_index_operations import KeyInWorkspace, ReplaceIndex
from core.migrations import ForceRowSecurity, InOneMoment
from core.space_migrations import DivideIntoSpaces

KINDS = ["pending", "proposal", "contradiction", "pattern", "merge", "suggestion", "stale"]
# Row security holds for the owner as well, so it steps aside meanwhile. What people said themselves is decided.
FILL = "UPDATE memories SET review = 'decided' WHERE source = 'user'"


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock; each operation may run again after it was stopped

    dependencies: ClassVar = [("memory", "0023_words_of_every_script"), ("workspaces", "0017_erasure_of_spaces")]

    operations: ClassVar = [
        InOneMoment(
            migrations.AddField(
                "memory",
                "review",
                models.CharField(blank=True, db_default="", default="", max_length=8),
            ),
        ),
        InOneMoment(migrations.RunSQL(["ALTER TABLE memories NO FORCE ROW LEVEL SECURITY"])),
        migrations.RunSQL([FILL], migrations.RunSQL.noop),
        InOneMoment(migrations.RunSQL(["ALTER TABLE memories FORCE ROW LEVEL SECURITY"])),
        ReplaceIndex(
            "memory",
            models.Index(
                condition=models.Q(("review", "decided"), _negated=True),
                fields=["workspace", "space_id", "review", "node"],
                name="memories_to_review",
            ),
        ),
        migrations.CreateModel(
            name="ReviewVerdict",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("kind", models.CharField(choices=[(kind, kind.capitalize()) for kind in KINDS], max_length=13)),
                ("item_id", models.UUIDField()),
                ("verdict", models.CharField(max_length=8)),
                ("mark", models.CharField(blank=True, max_length=64)),
                ("decided_by", models.CharField(max_length=200)),
                ("decided_by_id", models.CharField(blank=True, max_length=64)),
                ("decided_by_kind", models.CharField(max_length=10)),
                ("decided_at", models.DateTimeField(default=core.clock.utc_now)),
                ("before", models.JSONField(default=dict)),
                ("undone_at", models.DateTimeField(null=True)),
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
            options={"db_table": "review_verdicts"},
        ),
        ForceRowSecurity("ReviewVerdict"),
        KeyInWorkspace("ReviewVerdict"),
        DivideIntoSpaces("ReviewVerdict"),
        migrations.AddIndex(
            model_name="reviewverdict",
            index=models.Index(fields=["workspace", "item_id"], name="verdicts_of_item"),
        ),
        migrations.AddIndex(
            model_name="reviewverdict",
            index=models.Index(fields=["workspace", "space_id", "-id"], name="verdicts_newest"),
        ),
    ]
