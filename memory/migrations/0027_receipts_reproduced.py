"""Receipts keep how their text was written, so that it can be written again."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.migrations import InOneMoment


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar = [("memory", "0026_receipts_explain")]

    operations: ClassVar = [
        InOneMoment(
            migrations.AddField(
                "contextreceipt",
                "text_sha256",
                models.CharField(blank=True, db_default="", default="", max_length=64),
            ),
            migrations.AddField("contextreceipt", "layout", models.JSONField(db_default=[], default=list)),
        ),
    ]
