"""Indexes begin with the space, since a search is made inside of the spaces that its caller reads."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.db.online_index_operations import ReplaceIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar = [("conversations", "0005_keys_and_spaces"), ("workspaces", "0012_keys_in_workspace")]

    operations: ClassVar = [
        ReplaceIndex(
            "conversation", models.Index(fields=["workspace", "space_id", "-id"], name="conversations_newest")
        ),
        ReplaceIndex(
            "conversation",
            models.Index(
                condition=models.Q(("last_message_at__isnull", False)),
                fields=["workspace", "space_id", "-last_message_at", "-id"],
                name="conversations_used_last",
            ),
        ),
        ReplaceIndex(
            "messageembedding",
            models.Index(fields=["workspace", "space_id", "model"], name="message_vectors_by_workspace"),
        ),
        ReplaceIndex(
            "messagewords",
            models.Index(
                condition=models.Q(("block", None)),
                fields=["workspace", "space_id", "conversation", "said_at", "message"],
                name="message_words_waiting",
            ),
        ),
        ReplaceIndex("wordblock", models.Index(fields=["workspace", "space_id"], name="word_blocks_by_workspace")),
        ReplaceIndex(
            "wordbucket", models.Index(fields=["workspace", "space_id", "bucket"], name="word_buckets_by_workspace")
        ),
    ]
