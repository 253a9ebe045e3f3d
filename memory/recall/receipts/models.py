"""Receipts of contexts: why each of them held what it held."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from core.clock import utc_now
from workspaces.access.tenancy import SpacedManager, SpacedModel


class ContextReceipt(SpacedModel):
    """Why a context held what it held: ids, arms, scores and reasons.

    It names things of the `read_spaces` of its call, so that only a call that reads these as well may see it. What was
    chosen has its `raw_confidence`, before recalibration, where it has one; `chosen_ids` are the same items, to look
    for. `question` and `text` are empty unless the workspace keeps contexts (`memory.keep_contexts`). `asked` is what
    the call asked for next to the question, `blocks` the tokens of each block. `text_sha256` is the digest of the text,
    and `layout` what is needed to write it again out of the things that were chosen (`receipts.text_layout`); both are
    empty in receipts of before they were kept.
    """

    conversation = models.CharField(max_length=200, blank=True)
    actor_kind = models.CharField(max_length=10, blank=True, default="", db_default="")
    actor_id = models.CharField(max_length=64, blank=True, default="", db_default="")
    actor_label = models.CharField(max_length=200, blank=True, default="", db_default="")
    query_sha256 = models.CharField(max_length=64)
    question = models.TextField(blank=True, default="", db_default="")
    text = models.TextField(blank=True, default="", db_default="")
    text_sha256 = models.CharField(max_length=64, blank=True, default="", db_default="")
    layout = models.JSONField(default=list, db_default=[])
    asked = models.JSONField(default=dict, db_default={})
    method = models.CharField(max_length=10)
    token_budget = models.PositiveIntegerField()
    tokens_used = models.PositiveIntegerField()
    is_over_budget = models.BooleanField()
    blocks = models.JSONField(default=list, db_default=[])
    chosen = models.JSONField(default=list)
    chosen_ids = ArrayField(models.UUIDField(), default=list, db_default=[])
    dropped = models.JSONField(default=list)
    left_out = ArrayField(models.CharField(max_length=32), default=list)
    read_spaces = ArrayField(models.UUIDField(), default=list, db_default=[])
    latency_ms = models.FloatField()
    created_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[SpacedManager[ContextReceipt]] = SpacedManager()

    class Meta:
        app_label = "memory"
        db_table = "context_receipts"
        indexes = [
            models.Index(fields=["workspace", "created_at"], name="receipts_oldest"),
            models.Index(fields=["workspace", "space_id", "-id"], name="receipts_newest"),
            models.Index(
                fields=["workspace", "conversation", "-id"],
                condition=~Q(conversation=""),
                name="receipts_by_conversation",
            ),
            models.Index(fields=["workspace", "space_id"], condition=~Q(question=""), name="receipts_with_question"),
        ]

    def __str__(self) -> str:
        return f"receipt {self.id}"
