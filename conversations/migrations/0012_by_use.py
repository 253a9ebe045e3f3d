"""An index for conversations in the order of their last messages."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations
from django.db.models import F, Index
from django.db.models.functions import Coalesce

from core.db.online_index_operations import ReplaceIndex


class Migration(migrations.Migration):
    atomic = False  # the index is built while the table is used

    dependencies: ClassVar = [("conversations", "0011_plans_and_iterations")]

    operations: ClassVar = [
        ReplaceIndex(
            "conversation",
            Index(
                "workspace",
                "space_id",
                Coalesce("last_message_at", "created_at").desc(),
                F("id").desc(),
                name="conversations_by_use",
            ),
        )
    ]
