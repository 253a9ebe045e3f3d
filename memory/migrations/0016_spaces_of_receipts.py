"""Receipts remember which spaces their context was chosen from."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0015_episode_statements")]

    operations: ClassVar = [
        migrations.AddField(
            "contextreceipt",
            "read_spaces",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.UUIDField(), db_default=[], default=list, size=None
            ),
        ),
    ]
