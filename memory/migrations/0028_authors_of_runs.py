"""Runs say who started them, by which what was written in them is found."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


def _text(name: str, length: int) -> migrations.AddField:
    return migrations.AddField("run", name, models.CharField(blank=True, db_default="", default="", max_length=length))


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0027_receipts_reproduced")]

    operations: ClassVar = [_text("author_id", 64), _text("author_kind", 10)]
