"""Verdicts of the review queue: who decided what, when, and for which text."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.clock import utc_now
from memory.memories.review.item_kinds import ItemKind
from workspaces.access.tenancy import SpacedManager, SpacedModel


class ReviewVerdict(SpacedModel):
    """One verdict about an item of the queue.

    `mark` is the fingerprint of the text that it was given for; no text is kept. `before` has the ids and states that
    its undoing needs.
    """

    kind = models.CharField(max_length=13, choices=[(kind.value, kind.value.capitalize()) for kind in ItemKind])
    item_id = models.UUIDField()
    verdict = models.CharField(max_length=8)
    mark = models.CharField(max_length=64, blank=True)
    decided_by = models.CharField(max_length=200)
    decided_by_id = models.CharField(max_length=64, blank=True)
    decided_by_kind = models.CharField(max_length=10)
    decided_at = models.DateTimeField(default=utc_now)
    before = models.JSONField(default=dict)
    undone_at = models.DateTimeField(null=True)

    objects: ClassVar[SpacedManager[ReviewVerdict]] = SpacedManager()

    class Meta:
        db_table = "review_verdicts"
        indexes = [
            models.Index(fields=["workspace", "item_id"], name="verdicts_of_item"),
            models.Index(fields=["workspace", "space_id", "-id"], name="verdicts_newest"),
        ]

    def __str__(self) -> str:
        return f"verdict {self.id}"
