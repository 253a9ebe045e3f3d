"""An index of sources by their message: contexts ask which messages say a memory that is suppressed."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations
from django.db.models import Index

from core.db.online_index_operations import ReplaceIndex


class Migration(migrations.Migration):
    atomic = False  # the index is built while the table is used

    dependencies: ClassVar = [("memory", "0029_memories_by_author")]

    operations: ClassVar = [
        ReplaceIndex("memorysource", Index(fields=["workspace", "message_id"], name="sources_by_message")),
    ]
