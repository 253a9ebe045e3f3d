"""Messages remember that a conversation ended while memory was off, so that they can be searched for facts later."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.migrations import InOneMoment


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar = [("conversations", "0008_appended_by")]

    operations: ClassVar = [
        # Of what is there already that is not known; without a value, so that no row is rewritten.
        InOneMoment(
            migrations.AddField("message", "passed_over_at", models.DateTimeField(blank=True, null=True)),
        ),
    ]
