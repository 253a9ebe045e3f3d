"""Memories and statements remember what replaced them, and when that was learned. Columns without a default: no rewrite."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from core.migrations import InOneMoment

_BY = {"db_constraint": False, "db_index": False, "null": True, "on_delete": django.db.models.deletion.SET_NULL}


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar = [("memory", "0017_shorter_read_policies")]

    operations: ClassVar = [
        InOneMoment(
            migrations.AddField(
                "memory",
                "superseded_by",
                models.ForeignKey(**_BY, blank=True, related_name="supersedes", to="memory.memory"),
            ),
            migrations.AddField("memory", "superseded_at", models.DateTimeField(blank=True, null=True)),
        ),
        InOneMoment(
            migrations.AddField("episodestatement", "valid_from", models.DateTimeField(null=True)),
            migrations.AddField("episodestatement", "valid_to", models.DateTimeField(null=True)),
            migrations.AddField(
                "episodestatement",
                "superseded_by",
                models.ForeignKey(**_BY, related_name="+", to="memory.episodestatement"),
            ),
            migrations.AddField(
                "episodestatement",
                "superseded_by_memory",
                models.ForeignKey(**_BY, related_name="+", to="memory.memory"),
            ),
            migrations.AddField("episodestatement", "superseded_at", models.DateTimeField(null=True)),
        ),
    ]
