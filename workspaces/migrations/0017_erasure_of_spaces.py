"""When a space was erased, and the receipt."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0016_spaces_of_answers")]

    operations: ClassVar = [
        migrations.AddField("space", "erasing_since", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("space", "erasure", models.JSONField(blank=True, db_default={}, default=dict)),
    ]
