"""Keys, references and unique constraints begin with the workspace; rows belong to spaces."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.db.online_index_operations import KeyInWorkspace, ReplaceUnique
from core.migrations import ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [("conversations", "0004_used_last"), ("workspaces", "0012_keys_in_workspace")]

    operations: ClassVar = [
        KeyInWorkspace("Conversation"),
        KeyInWorkspace("Message"),
        KeyInWorkspace("MessageEmbedding"),
        KeyInWorkspace("WordBlock"),
        KeyInWorkspace("WordBucket"),
        KeyInWorkspace("MessageWords"),
        ReferenceInWorkspace("Message", "conversation", deferred=True),
        ReferenceInWorkspace("MessageEmbedding", "message", deferred=True),
        ReferenceInWorkspace("MessageWords", "block", deferred=True),
        ReferenceInWorkspace("MessageWords", "conversation", deferred=True),
        ReferenceInWorkspace("MessageWords", "message", deferred=True),
        ReferenceInWorkspace("WordBucket", "block", deferred=True),
        DivideIntoSpaces("Conversation"),
        DivideIntoSpaces("Message"),
        DivideIntoSpaces("MessageEmbedding"),
        DivideIntoSpaces("WordBlock"),
        DivideIntoSpaces("WordBucket"),
        DivideIntoSpaces("MessageWords"),
        ReplaceUnique(
            "conversation",
            models.UniqueConstraint(fields=("workspace", "space_id", "key"), name="one_conversation_per_key"),
        ),
        ReplaceUnique(
            "wordbucket", models.UniqueConstraint(fields=("workspace", "block", "bucket"), name="one_bucket_of_a_block")
        ),
    ]
