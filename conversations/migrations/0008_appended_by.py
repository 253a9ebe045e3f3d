"""Messages remember who appended them: a name may be whatever a caller states."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.migrations import InOneMoment


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar = [("conversations", "0007_shorter_read_policies")]

    operations: ClassVar = [
        # Of what is there already that is not known; constants, so that no row is rewritten.
        InOneMoment(
            migrations.AddField(
                "message", "appended_by", models.CharField(blank=True, db_default="", default="", max_length=200)
            ),
            migrations.AddField(
                "message", "appended_by_kind", models.CharField(blank=True, db_default="", default="", max_length=10)
            ),
        ),
    ]
