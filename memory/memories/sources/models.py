"""Provenance of extracted memories: the messages in which they were said."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from conversations.models import Conversation
from workspaces.access.tenancy import SpacedManager, SpacedModel


class MemorySource(SpacedModel):
    """A message that says what a memory says. It goes with its conversation; the message may be deleted before.

    `revision` is the step in the memory's history that it made. No text of the message is kept here.
    """

    memory = models.ForeignKey(
        "memory.Memory", on_delete=models.CASCADE, related_name="sources", db_index=False, db_constraint=False
    )
    revision = models.ForeignKey(
        "memory.MemoryRevision", on_delete=models.CASCADE, related_name="sources", db_index=False, db_constraint=False
    )
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    message_id = models.UUIDField()
    said_at = models.DateTimeField()

    objects: ClassVar[SpacedManager[MemorySource]] = SpacedManager()

    class Meta:
        db_table = "memory_sources"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "memory", "message_id"], name="one_source_per_message")
        ]
        indexes = [
            models.Index(fields=["workspace", "conversation"], name="sources_by_conversation"),
            models.Index(fields=["workspace", "revision"], name="sources_by_revision"),
            models.Index(fields=["workspace", "message_id"], name="sources_by_message"),
        ]

    def __str__(self) -> str:
        return f"source {self.id} of {self.memory_id}"
