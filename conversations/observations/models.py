"""Observations: what older messages of a conversation are compressed into, and how far that has come."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from conversations.observations.kinds import ObservationKind
from core.clock import utc_now
from workspaces.access.tenancy import SpacedManager, SpacedModel


class BatchState(models.TextChoices):
    """A batch is made while its messages are still read, takes their place, and may be merged into a later one."""

    BUFFERED = "buffered"
    ACTIVE = "active"
    REFLECTED = "reflected"


class ObservationMethod(models.TextChoices):
    """What has made observations."""

    MODEL = "model"
    RULES = "rules"


class ObservationBatch(SpacedModel):
    """Some messages of a conversation that were observed together; a message belongs to at most one batch.

    While it is buffered, windows show its messages; once active, its observations. `failure` is the code of the model's
    error that rules stood in for. `source_message_ids` is a breadcrumb: the messages may be deleted since.
    """

    conversation = models.ForeignKey(
        "conversations.Conversation", models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=BatchState.choices, default=BatchState.BUFFERED)
    method = models.CharField(max_length=8, choices=ObservationMethod.choices)
    failure = models.CharField(max_length=60, blank=True)
    source_message_ids = ArrayField(models.UUIDField())
    message_count = models.PositiveIntegerField()
    source_tokens = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    period_start = models.DateTimeField()
    period_end = models.DateTimeField()
    created_at = models.DateTimeField(default=utc_now)
    activated_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[SpacedManager[ObservationBatch]] = SpacedManager()

    class Meta:
        db_table = "observation_batches"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "conversation", "number"], name="batches_in_order"),
        ]
        indexes = [
            models.Index(fields=["workspace", "conversation", "state", "number"], name="batches_by_state"),
            models.Index(fields=["workspace", "space_id", "-id"], name="batches_newest"),
        ]

    def __str__(self) -> str:
        return f"batch {self.number}"


class Observation(SpacedModel):
    """One sentence about older messages, dated by the message that it is from."""

    conversation = models.ForeignKey(
        "conversations.Conversation", models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    batch = models.ForeignKey(
        ObservationBatch, models.CASCADE, related_name="observations", db_index=False, db_constraint=False
    )
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=[(each.value, each.value) for each in ObservationKind])
    text = models.TextField()
    observed_at = models.DateTimeField()
    tokens = models.PositiveIntegerField()
    source_message_ids = ArrayField(models.UUIDField())

    objects: ClassVar[SpacedManager[Observation]] = SpacedManager()

    class Meta:
        db_table = "observations"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "batch", "position"], name="observations_in_order"),
        ]
        indexes = [models.Index(fields=["workspace", "conversation"], name="observations_by_conversation")]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class ObservationCursor(SpacedModel):
    """How far a conversation is observed, in tokens; kept by every append.

    `unobserved_tokens` are of messages in no batch, `buffered_tokens` of messages in buffered batches, and
    `observation_tokens` of the observations that stand in for the others. The observer looks at a conversation that is
    due, the longest first. `generation` is the number of reflections; the last of them left `reflected_tokens`.
    """

    id = None  # type: ignore[assignment]  # the conversation's id is the key
    conversation = models.OneToOneField(
        "conversations.Conversation", models.CASCADE, primary_key=True, related_name="+", db_constraint=False
    )
    unobserved_tokens = models.PositiveBigIntegerField(default=0)
    buffered_tokens = models.PositiveBigIntegerField(default=0)
    observation_tokens = models.PositiveIntegerField(default=0)
    due_since = models.DateTimeField(null=True, blank=True)
    generation = models.PositiveIntegerField(default=0)
    reflected_at = models.DateTimeField(null=True, blank=True)
    reflected_tokens = models.PositiveIntegerField(default=0)
    # One of ObservationMethod; "" before the first reflection.
    reflection_method = models.CharField(max_length=8, blank=True)
    reflection_failure = models.CharField(max_length=60, blank=True)

    objects: ClassVar[SpacedManager[ObservationCursor]] = SpacedManager()

    class Meta:
        db_table = "observation_cursors"
        indexes = [
            models.Index(
                fields=["workspace", "due_since"], condition=Q(due_since__isnull=False), name="conversations_to_observe"
            ),
        ]

    def __str__(self) -> str:
        return f"cursor of {self.conversation_id}"
