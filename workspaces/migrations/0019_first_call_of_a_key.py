"""When a key was used first, and from where: the console waits for it while an agent is being connected."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0018_keys_of_sub_agents")]

    operations: ClassVar = [
        migrations.AddField("apikey", "first_used_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "apikey", "first_used_from", models.CharField(blank=True, db_default="", default="", max_length=64)
        ),
    ]
