"""Episodes and their statements: what remains of the older messages of a conversation."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Cast
from pgvector.django import HalfVectorField, HnswIndex

from conversations.models import Conversation
from core.clock import utc_now
from core.db.search_vectors import SearchWords
from memory.episodes.statement_kinds import StatementKind
from ontology.models import BUNDLED_DIMENSIONS, IN_SPACE
from workspaces.access.tenancy import SpacedManager, SpacedModel, SpacedQuerySet


class MemoryEpisodeQuerySet(SpacedQuerySet["MemoryEpisode"]):
    def live(self) -> MemoryEpisodeQuerySet:
        return self.filter(is_deleted=False)

    def newest_first(self) -> MemoryEpisodeQuerySet:
        """By when the messages were said, not by when they were summarised."""
        return self.order_by("-period_end", "-id")


class MemoryEpisode(SpacedModel):
    """A summary that stands for older messages of a conversation.

    `source_message_ids` is a breadcrumb, not a reference: the transaction that adds the row deletes the messages.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="episodes", db_index=False, db_constraint=False
    )
    summary = models.TextField()
    source_message_ids = ArrayField(models.UUIDField())
    turn_count = models.PositiveIntegerField()
    period_start = models.DateTimeField()
    period_end = models.DateTimeField()
    is_deleted = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[models.Manager[MemoryEpisode]] = MemoryEpisodeQuerySet.as_manager()  # type: ignore[assignment]  # knows `of` as well

    class Meta:
        db_table = "memory_episodes"
        indexes = [models.Index(fields=["conversation", "-period_end", "-id"], name="episodes_newest")]

    def __str__(self) -> str:
        return f"episode {self.id}"


class EpisodeStatement(SpacedModel):
    """A sentence that an episode keeps of its messages, with its vector and the model that made it.

    It was said at `said_at` and holds until `valid_to`. A newer statement or memory closed it (`superseded_by`,
    `superseded_by_memory`), which was learned at `superseded_at`; that is set alone where a person closed it.
    """

    episode = models.ForeignKey(
        MemoryEpisode, on_delete=models.CASCADE, related_name="statements", db_index=False, db_constraint=False
    )
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    position = models.PositiveIntegerField()
    text = models.TextField()
    kind = models.CharField(max_length=12, choices=[(each.value, each.value) for each in StatementKind])
    said_at = models.DateTimeField()
    speaker = models.CharField(max_length=120)
    confidence = models.FloatField()
    valid_from = models.DateTimeField(null=True)
    valid_to = models.DateTimeField(null=True)
    superseded_by = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, related_name="+", db_index=False, db_constraint=False
    )
    superseded_by_memory = models.ForeignKey(
        "memory.Memory", on_delete=models.SET_NULL, null=True, related_name="+", db_index=False, db_constraint=False
    )
    superseded_at = models.DateTimeField(null=True)
    words = models.GeneratedField(expression=SearchWords("text"), output_field=SearchVectorField(), db_persist=True)
    needs_embedding = models.BooleanField(default=True)
    model = models.CharField(max_length=120, blank=True)
    dimensions = models.PositiveSmallIntegerField(default=0)
    vector = HalfVectorField(null=True)

    objects: ClassVar[SpacedManager[EpisodeStatement]] = SpacedManager()

    class Meta:
        db_table = "episode_statements"
        constraints = [models.UniqueConstraint(fields=["workspace", "episode", "position"], name="statements_in_order")]
        indexes = [
            models.Index(fields=["workspace", "conversation"], name="statements_by_conversation"),
            models.Index(fields=["workspace", "space_id", "-id"], name="statements_newest"),
            models.Index(fields=["workspace", "id"], condition=Q(needs_embedding=True), name="statements_not_embedded"),
            models.Index(
                fields=["workspace", "superseded_by"], condition=~Q(superseded_by=None), name="statements_superseded"
            ),
            models.Index(
                fields=["workspace", "superseded_by_memory"],
                condition=~Q(superseded_by_memory=None),
                name="statements_closed_by_memory",
            ),
            GinIndex(*map(IN_SPACE, (F("workspace"), F("space_id"))), F("words"), name="statements_words"),
            HnswIndex(
                OpClass(Cast("vector", HalfVectorField(dimensions=BUNDLED_DIMENSIONS)), name="halfvec_cosine_ops"),
                condition=Q(dimensions=BUNDLED_DIMENSIONS),
                name="statements_nearest",
            ),
        ]

    @property
    def successor_id(self) -> UUID | None:
        """The id of the statement or memory that closed it."""
        return self.superseded_by_id or self.superseded_by_memory_id

    @property
    def is_closed_by_hand(self) -> bool:
        """Whether it is closed, and nothing newer says so."""
        return self.superseded_at is not None and self.successor_id is None
