"""Conversations, their messages, and what the messages are found by: words in sheets and blocks, and vectors."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.indexes import OpClass
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Cast, Coalesce
from pgvector.django import HalfVectorField, HnswIndex

from conversations.observations.models import BatchState as BatchState  # noqa: PLC0414  # other modules have it from here
from conversations.observations.models import Observation as Observation  # noqa: PLC0414
from conversations.observations.models import ObservationBatch as ObservationBatch  # noqa: PLC0414
from conversations.observations.models import ObservationCursor as ObservationCursor  # noqa: PLC0414
from conversations.observations.models import ObservationMethod as ObservationMethod  # noqa: PLC0414
from core.clock import utc_now
from workspaces.access.tenancy import SpacedManager, SpacedModel, SpacedQuerySet

# The index over vectors serves the bundled model's; vectors of another length are scanned.
BUNDLED_DIMENSIONS = 384


class Status(models.TextChoices):
    """An ended conversation is opened again by the next message."""

    OPEN = "open"
    ENDED = "ended"


class Conversation(SpacedModel):
    """What belongs together because the caller gave it the same key."""

    key = models.CharField(max_length=200)
    title = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    ended_at = models.DateTimeField(null=True, blank=True)
    last_message_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[SpacedManager[Conversation]] = SpacedManager()

    class Meta:
        db_table = "conversations"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "space_id", "key"], name="one_conversation_per_key")
        ]
        indexes = [
            models.Index(fields=["workspace", "space_id", "-id"], name="conversations_newest"),
            models.Index(
                fields=["workspace", "space_id", "-last_message_at", "-id"],
                condition=Q(last_message_at__isnull=False),
                name="conversations_used_last",
            ),
            models.Index(
                "workspace",
                "space_id",
                Coalesce("last_message_at", "created_at").desc(),
                F("id").desc(),
                name="conversations_by_use",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class MessageRole(models.TextChoices):
    """Whose turn a message is; the field's standard roles."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class MessageQuerySet(SpacedQuerySet["Message"]):
    def in_order(self) -> MessageQuerySet:
        return self.order_by("created_at", "id")

    def newest_first(self) -> MessageQuerySet:
        return self.order_by("-created_at", "-id")

    def active(self) -> MessageQuerySet:
        """Return what no episode stands for yet."""
        return self.filter(consolidated_at=None)


class Message(SpacedModel):
    """One turn. It is never edited; it is deleted once an episode stands for it.

    `name` is what the caller stated, `appended_by` and its kind who the caller was; empty where that was not kept.

    Three marks belong to the layers above: `consolidated_at` on a message that an episode stands for and that the
    workspace keeps for a while, `extracted_at` on one that needs no (further) look for facts, `passed_over_at` on one
    that was not looked at either, since its conversation ended while memory was off.

    `tokens` are those of its content, null where they were not counted yet. The `observation_batch` is the one that it
    was observed in, if any.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages", db_index=False, db_constraint=False
    )
    role = models.CharField(max_length=10, choices=MessageRole.choices)
    content = models.TextField()
    name = models.CharField(max_length=120, blank=True)
    appended_by = models.CharField(max_length=200, blank=True, default="", db_default="")
    appended_by_kind = models.CharField(max_length=10, blank=True, default="", db_default="")
    metadata = models.JSONField(default=dict, blank=True)
    session = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=utc_now)
    consolidated_at = models.DateTimeField(null=True, blank=True)
    extracted_at = models.DateTimeField(null=True, blank=True)
    passed_over_at = models.DateTimeField(null=True, blank=True)
    tokens = models.PositiveIntegerField(null=True, blank=True)
    # A batch goes with its conversation alone, whose messages go in the same transaction.
    observation_batch = models.ForeignKey(
        ObservationBatch,
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    needs_embedding = models.BooleanField(default=True)

    objects: ClassVar[models.Manager[Message]] = MessageQuerySet.as_manager()  # type: ignore[assignment]  # knows `of` as well

    class Meta:
        db_table = "messages"
        indexes = [
            # Led by the conversation, because the foreign key's own check looks it up without a workspace.
            models.Index(fields=["conversation", "created_at", "id"], name="messages_in_order"),
            models.Index(fields=["workspace", "id"], condition=Q(needs_embedding=True), name="messages_without_vector"),
            models.Index(
                fields=["workspace", "conversation", "created_at", "id"],
                condition=Q(observation_batch=None),
                name="messages_not_observed",
            ),
            models.Index(
                fields=["workspace", "observation_batch"],
                condition=Q(observation_batch__isnull=False),
                name="messages_by_batch",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.id}"


class MessageEmbedding(SpacedModel):
    """The vector of a message and the model that made it; a search compares vectors of one model only."""

    id = None  # type: ignore[assignment]  # the message's id is the key
    message = models.OneToOneField(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="embedding", db_constraint=False
    )
    model = models.CharField(max_length=120)
    dimensions = models.PositiveSmallIntegerField()
    vector = HalfVectorField()
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "message_embeddings"
        indexes = [
            models.Index(fields=["workspace", "space_id", "model"], name="message_vectors_by_workspace"),
            HnswIndex(
                OpClass(Cast("vector", HalfVectorField(dimensions=BUNDLED_DIMENSIONS)), name="halfvec_cosine_ops"),
                condition=Q(dimensions=BUNDLED_DIMENSIONS),
                name="message_embeddings_nearest",
                m=16,
                ef_construction=64,
            ),
        ]


class WordBlock(SpacedModel):
    """The words of some thousand messages turned around: which of them hold a lexeme.

    Written once. When a message of it is gone the whole block is dropped, and those that are left wait for another.
    """

    version = models.CharField(max_length=20)
    size = models.PositiveIntegerField()
    ids = models.BinaryField()
    traits = models.BinaryField()
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "word_blocks"
        indexes = [models.Index(fields=["workspace", "space_id"], name="word_blocks_by_workspace")]


class WordBucket(SpacedModel):
    """The postings of a block for those lexemes whose hash falls into one bucket."""

    block = models.ForeignKey(
        WordBlock, on_delete=models.CASCADE, related_name="buckets", db_index=False, db_constraint=False
    )
    bucket = models.PositiveSmallIntegerField()
    postings = models.BinaryField()

    class Meta:
        db_table = "word_buckets"
        constraints = [models.UniqueConstraint(fields=["workspace", "block", "bucket"], name="one_bucket_of_a_block")]
        indexes = [models.Index(fields=["workspace", "space_id", "bucket"], name="word_buckets_by_workspace")]


class MessageWords(SpacedModel):
    """The sheet of a message (`indexing/document.py`), and the block that has taken it in; without one it waits."""

    id = None  # type: ignore[assignment]  # the message's id is the key
    message = models.OneToOneField(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="sheet", db_constraint=False
    )
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    version = models.CharField(max_length=20)
    said_at = models.DateTimeField()
    traits = models.BinaryField()
    postings = models.BinaryField()
    block = models.ForeignKey(
        WordBlock, on_delete=models.SET_NULL, null=True, related_name="sheets", db_constraint=False
    )

    class Meta:
        db_table = "message_words"
        indexes = [
            models.Index(fields=["conversation", "said_at", "message"], name="message_words_in_order"),
            models.Index(
                fields=["workspace", "space_id", "conversation", "said_at", "message"],
                condition=Q(block=None),
                name="message_words_waiting",
            ),
        ]


class Plan(SpacedModel):
    """What an agent means to do in a conversation, and how far it is; there is one of a conversation at most.

    `version` counts the writings: one that was made from another version than the stored one is refused. `steps` are
    objects with `title`, `status` and `note`, in order.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="plans", db_index=False, db_constraint=False
    )
    goal = models.TextField()
    phase = models.CharField(max_length=200, blank=True, default="")
    iteration_count = models.PositiveIntegerField(default=0)
    steps = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    updated_by = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(default=utc_now)
    updated_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[SpacedManager[Plan]] = SpacedManager()

    class Meta:
        db_table = "plans"
        constraints = [models.UniqueConstraint(fields=["workspace", "conversation"], name="one_plan_of_a_conversation")]

    def __str__(self) -> str:
        return f"{self.goal} v{self.version}"


class Iteration(SpacedModel):
    """One attempt at a task of a conversation; it is never edited. The server numbers the attempts of a task."""

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="iterations", db_index=False, db_constraint=False
    )
    task_key = models.CharField(max_length=200)
    attempt = models.PositiveIntegerField()
    action = models.TextField()
    result = models.TextField(blank=True, default="")
    error = models.TextField(blank=True, default="")
    diagnosis = models.TextField(blank=True, default="")
    fix = models.TextField(blank=True, default="")
    recorded_by = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[SpacedManager[Iteration]] = SpacedManager()

    class Meta:
        db_table = "iterations"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "conversation", "task_key", "attempt"], name="one_iteration_of_an_attempt"
            )
        ]

    def __str__(self) -> str:
        return f"{self.task_key} {self.attempt}"
