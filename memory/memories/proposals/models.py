"""Proposals: memories of one space that are offered to another, as they were when they were offered."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from core.clock import utc_now
from memory.memories.base_models import StatedModel
from workspaces.access.spaces import MAX_NAME_CHARACTERS, SpaceName, parse_space
from workspaces.access.tenancy import SpacedManager


class ProposalStatus(models.TextChoices):
    """A proposal is pending until it is decided."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class Proposal(StatedModel):
    """A memory that was offered to the space that the row belongs to, for its readers to see.

    `origin_id` and `origin_space` say which memory it was; both are opaque, since who decides may not read that space.
    The other fields are a copy of what it said when it was proposed, and do not change: what was looked at is what is
    accepted. `memory_id` is the memory that stands for it in this space once it is accepted.
    """

    space = models.CharField(max_length=MAX_NAME_CHARACTERS)
    origin_id = models.UUIDField()
    origin_space = models.CharField(max_length=MAX_NAME_CHARACTERS)
    content = models.TextField()
    importance = models.FloatField(default=0.5)
    valid_from = models.DateTimeField(null=True)
    valid_to = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    proposed_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=utc_now)
    status = models.CharField(max_length=8, choices=ProposalStatus.choices, default=ProposalStatus.PENDING)
    decided_by = models.CharField(max_length=200, blank=True)
    decided_at = models.DateTimeField(null=True)
    memory_id = models.UUIDField(null=True)

    objects: ClassVar[SpacedManager[Proposal]] = SpacedManager()

    class Meta:
        db_table = "proposals"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "space_id", "origin_id"],
                condition=Q(status="pending"),
                name="one_pending_proposal",
            ),
            models.CheckConstraint(
                condition=Q(importance__gte=0, importance__lte=1, confidence__gte=0, confidence__lte=1),
                name="proposal_shares_between_0_and_1",
            ),
        ]
        indexes = [models.Index(fields=["workspace", "space_id", "status", "-id"], name="proposals_newest")]

    def __str__(self) -> str:
        return f"proposal {self.id}"

    @property
    def space_name(self) -> SpaceName:
        """The space that it was offered to."""
        return parse_space(self.space)
