"""An index of memories by their author: the page of an agent shows the last that it wrote."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations
from django.db.models import Index

from core.db.online_index_operations import ReplaceIndex


class Migration(migrations.Migration):
    atomic = False  # the index is built while the table is used

    dependencies: ClassVar = [("memory", "0028_authors_of_runs")]

    operations: ClassVar = [
        ReplaceIndex("memory", Index(fields=["workspace", "space_id", "author", "-node"], name="memories_by_author")),
    ]
