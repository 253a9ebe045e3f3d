"""Receipts say who asked for what, and are found by what they hold; texts are kept where a workspace wants it."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
from django.db import migrations, models

from core.db.online_index_operations import ReplaceIndex
from core.migrations import InOneMoment

_ID = "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$"
# Row security holds for the owner as well, so it steps aside meanwhile. The serving roles are not the owner.
# What an import brought may be of any shape.
FILL = f"""
UPDATE context_receipts SET chosen_ids = ARRAY(
    SELECT (item->>'id')::uuid FROM jsonb_array_elements(chosen) AS item WHERE item->>'id' ~ '{_ID}')
 WHERE jsonb_typeof(chosen) = 'array' AND chosen_ids = '{{}}'
"""


def _text(name: str, **limits: int) -> InOneMoment:
    field = models.CharField if limits else models.TextField
    return InOneMoment(
        migrations.AddField("contextreceipt", name, field(blank=True, db_default="", default="", **limits))
    )


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock

    dependencies: ClassVar = [("memory", "0024_review")]

    operations: ClassVar = [
        _text("actor_kind", max_length=10),
        _text("actor_id", max_length=64),
        _text("actor_label", max_length=200),
        _text("question"),
        _text("text"),
        InOneMoment(migrations.AddField("contextreceipt", "asked", models.JSONField(db_default={}, default=dict))),
        InOneMoment(migrations.AddField("contextreceipt", "blocks", models.JSONField(db_default=[], default=list))),
        InOneMoment(
            migrations.AddField(
                "contextreceipt",
                "chosen_ids",
                django.contrib.postgres.fields.ArrayField(
                    base_field=models.UUIDField(), db_default=[], default=list, size=None
                ),
            )
        ),
        InOneMoment(migrations.RunSQL(["ALTER TABLE context_receipts NO FORCE ROW LEVEL SECURITY"])),
        migrations.RunSQL([FILL], migrations.RunSQL.noop),
        InOneMoment(migrations.RunSQL(["ALTER TABLE context_receipts FORCE ROW LEVEL SECURITY"])),
        ReplaceIndex("contextreceipt", models.Index(fields=["workspace", "space_id", "-id"], name="receipts_newest")),
        ReplaceIndex(
            "contextreceipt",
            models.Index(
                condition=models.Q(("conversation", ""), _negated=True),
                fields=["workspace", "conversation", "-id"],
                name="receipts_by_conversation",
            ),
        ),
        ReplaceIndex(
            "contextreceipt",
            models.Index(
                condition=models.Q(("question", ""), _negated=True),
                fields=["workspace", "space_id"],
                name="receipts_with_question",
            ),
        ),
        ReplaceIndex(
            "run",
            models.Index(
                condition=models.Q(("conversation", ""), _negated=True),
                fields=["workspace", "conversation", "-id"],
                name="runs_by_conversation",
            ),
        ),
    ]
