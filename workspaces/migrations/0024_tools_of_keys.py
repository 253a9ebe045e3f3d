"""The sets of MCP tools that an API key lists."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0023_operator_keys")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="apikey",
            name="tools",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=10), blank=True, db_default=[], default=list, size=None
            ),
        ),
    ]
