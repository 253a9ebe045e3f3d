"""The space in which an undo was asked for; of earlier undos it is not known, and callers bound to spaces see none."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("transfer", "0006_undos")]

    operations: ClassVar = [
        migrations.AddField("undo", "written_space", models.UUIDField(blank=True, null=True)),
    ]
