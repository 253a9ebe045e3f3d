"""Kept answers remember which spaces their call could read, so that they go when something is forgotten there."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
from django.db import migrations, models

from core.migrations import InOneMoment


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar = [("workspaces", "0015_space_grants")]

    operations: ClassVar = [
        # Empty for what is there already, and for code of the former version: it goes whatever is forgotten.
        InOneMoment(
            migrations.AddField(
                "idempotentanswer",
                "spaces",
                django.contrib.postgres.fields.ArrayField(
                    base_field=models.UUIDField(), db_default=[], default=list, size=None
                ),
            )
        ),
    ]
