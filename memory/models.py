"""Memories (each one an ontology node with a standing), their revisions, the runs that cite them, episodes, slots."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from pgvector.django import HalfVectorField

from core.clock import utc_now
from core.db.search_vectors import SearchWords
from memory.episodes.models import EpisodeStatement as EpisodeStatement  # noqa: PLC0414  # other modules have it from here
from memory.episodes.models import MemoryEpisode as MemoryEpisode  # noqa: PLC0414
from memory.episodes.models import MemoryEpisodeQuerySet as MemoryEpisodeQuerySet  # noqa: PLC0414
from memory.memories.base_models import StatedModel
from memory.memories.choices import Kind as Kind  # noqa: PLC0414
from memory.memories.choices import Source as Source  # noqa: PLC0414
from memory.memories.proposals.models import Proposal as Proposal  # noqa: PLC0414
from memory.memories.proposals.models import ProposalStatus as ProposalStatus  # noqa: PLC0414
from memory.memories.review.models import ReviewVerdict as ReviewVerdict  # noqa: PLC0414
from memory.memories.sources.models import MemorySource as MemorySource  # noqa: PLC0414
from memory.memories.weights import effective_weight
from memory.recall.receipts.models import ContextReceipt as ContextReceipt  # noqa: PLC0414
from ontology.models import Node
from workspaces.access.spaces import MAX_NAME_CHARACTERS
from workspaces.access.tenancy import SpacedManager, SpacedModel, SpacedQuerySet, TenantModel


class MemoryQuerySet(SpacedQuerySet["Memory"]):
    def live(self) -> MemoryQuerySet:
        return self.filter(node__is_deleted=False)

    def pinned(self) -> MemoryQuerySet:
        return self.exclude(pinned_at=None)

    def recallable(self, at: datetime) -> MemoryQuerySet:
        """See NodeQuerySet.recallable."""
        return self.filter(node__in=Node.objects.recallable(at))


class Memory(StatedModel):
    """The standing of a `memory` or `fact` node: who vouches for it, how much it weighs, whether it is pinned.

    `edited_by` is the actor that wrote the text last, where it was edited. `origin_id` and `origin_space` name the
    memory of another space that it is a copy of.
    `superseded_by` is the memory that closed it, since when its node's `valid_to` says that it is over; this was
    learned at `superseded_at`, which is set alone where a caller closed it.
    `live_fingerprint` is the fingerprint of the text while the memory is live and open, and null afterwards: the unique
    constraint on it is what makes an exact duplicate impossible, also for two writers at once.
    `touched_at` is the time of its last step, whichever it was; what comes in from elsewhere is touched then.
    `review` says whether a person has looked; what is pending is suppressed as well, so that nothing recalls it.
    """

    id = None  # type: ignore[assignment]  # the node's id is the key
    node = models.OneToOneField(
        Node, on_delete=models.CASCADE, primary_key=True, related_name="memory", db_constraint=False
    )
    edited_by = models.CharField(max_length=200, blank=True)
    edited_by_kind = models.CharField(max_length=10, blank=True)
    manual_weight = models.FloatField(default=1.0)
    pinned_at = models.DateTimeField(null=True, blank=True)
    pinned_by = models.CharField(max_length=200, blank=True)
    suppressed_by = models.CharField(max_length=200, blank=True)
    suppressed_reason = models.CharField(max_length=500, blank=True)
    live_fingerprint = models.CharField(max_length=64, null=True)
    origin_id = models.UUIDField(null=True, blank=True)
    origin_space = models.CharField(max_length=MAX_NAME_CHARACTERS, blank=True, default="")
    superseded_by = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="supersedes",
        db_index=False,
        db_constraint=False,
    )
    superseded_at = models.DateTimeField(null=True, blank=True)
    touched_at = models.DateTimeField(default=utc_now, db_default=Now())
    review = models.CharField(max_length=8, blank=True, default="", db_default="")

    objects: ClassVar[models.Manager[Memory]] = MemoryQuerySet.as_manager()  # type: ignore[assignment]  # knows `of` as well

    class Meta:
        db_table = "memories"
        verbose_name_plural = "memories"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "space_id", "live_fingerprint"], name="no_live_duplicates"),
            models.CheckConstraint(
                condition=Q(confidence__gte=0, confidence__lte=1), name="confidence_between_0_and_1"
            ),
            models.CheckConstraint(condition=Q(manual_weight__gte=-20, manual_weight__lte=20), name="weight_is_finite"),
        ]
        indexes = [
            models.Index(fields=["workspace", "space_id", "-node"], name="memories_newest"),
            models.Index(fields=["workspace", "space_id", "author", "-node"], name="memories_by_author"),
            models.Index(
                fields=["workspace", "space_id", "-pinned_at"], condition=~Q(pinned_at=None), name="memories_pinned"
            ),
            GinIndex(fields=["tags"], name="memories_by_tag"),
            models.Index(
                fields=["workspace", "superseded_by"], condition=~Q(superseded_by=None), name="memories_superseded"
            ),
            models.Index(
                fields=["workspace", "space_id", "touched_at"],
                condition=Q(pinned_at=None, superseded_at=None),
                name="memories_untouched",
            ),
            models.Index(
                fields=["workspace", "space_id", "review", "node"],
                condition=~Q(review="decided"),
                name="memories_to_review",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def kind(self) -> str:
        return str(self.node.type)

    @property
    def content(self) -> str:
        return str(self.node.body)

    @property
    def times_referenced(self) -> int:
        return int(self.node.reference_count)

    @property
    def independent_references(self) -> int:
        return int(self.node.independent_references)

    @property
    def weight(self) -> float:
        return effective_weight(manual=self.manual_weight, references=self.independent_references)

    @property
    def is_pinned(self) -> bool:
        return self.pinned_at is not None

    @property
    def is_closed(self) -> bool:
        """Whether it was replaced, or said to be over."""
        return self.superseded_at is not None

    @property
    def is_suppressed(self) -> bool:
        return self.node.suppressed_at is not None

    @property
    def is_pending(self) -> bool:
        return self.review == "pending"


class MemoryRevision(SpacedModel):
    """One step in a memory's life: who did what, when, and what it was before."""

    memory = models.ForeignKey(
        Memory, on_delete=models.CASCADE, related_name="revisions", db_index=False, db_constraint=False
    )
    action = models.CharField(max_length=16)
    actor_kind = models.CharField(max_length=10)
    actor_id = models.CharField(max_length=64, blank=True)
    actor_label = models.CharField(max_length=200, blank=True)
    before = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "memory_revisions"
        indexes = [models.Index(fields=["workspace", "memory", "-id"], name="revisions_of_memory")]

    def __str__(self) -> str:
        return f"{self.action} {self.memory_id}"

    @property
    def source(self) -> MemorySource | None:
        """The message that made this step, for one of an extraction."""
        return next(iter(self.sources.all()), None)


class ForgottenFingerprint(SpacedModel):
    """What was forgotten must not come back by itself; only a fingerprint of it is kept here."""

    fingerprint = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "forgotten_fingerprints"
        constraints = [models.UniqueConstraint(fields=["workspace", "space_id", "fingerprint"], name="forgotten_once")]


class RunStatus(models.TextChoices):
    """A run is running until it reaches one of three terminal states."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Run(SpacedModel):
    """One piece of work of an agent. Its output is read for citations and not kept.

    `author_id` and `author_kind` are those of the caller that started it; runs of older versions have none.
    """

    TERMINAL: ClassVar[frozenset[str]] = frozenset({RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.CANCELLED})

    agent = models.CharField(max_length=120)
    conversation = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=10, choices=RunStatus.choices, default=RunStatus.RUNNING)
    started_at = models.DateTimeField(default=utc_now)
    finished_at = models.DateTimeField(null=True, blank=True)
    cited_nodes = models.JSONField(default=list)
    unresolved = models.JSONField(default=list)
    malformed = models.JSONField(default=list, db_default=[])
    over_limit = models.PositiveIntegerField(default=0, db_default=0)
    author_id = models.CharField(max_length=64, blank=True, default="", db_default="")
    author_kind = models.CharField(max_length=10, blank=True, default="", db_default="")

    class Meta:
        db_table = "runs"
        indexes = [
            models.Index(fields=["workspace", "space_id", "-id"], name="runs_newest"),
            models.Index(
                fields=["workspace", "conversation", "-id"], condition=~Q(conversation=""), name="runs_by_conversation"
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.id}"


class RunCitation(SpacedModel):
    """A run cited a memory; once, however often the output names it."""

    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, related_name="citations", db_index=False, db_constraint=False
    )
    memory = models.ForeignKey(
        Memory, on_delete=models.CASCADE, related_name="citations", db_index=False, db_constraint=False
    )
    is_counted = models.BooleanField()
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "run_citations"
        constraints = [models.UniqueConstraint(fields=["workspace", "run", "memory"], name="one_citation_per_run")]
        indexes = [models.Index(fields=["workspace", "memory", "-id"], name="citations_of_memory")]


class CalibratedLayer(models.TextChoices):
    """The layers of a context whose items are found by confidence and can be cited."""

    MEMORIES = "memories"
    NODES = "nodes"


class ConfidenceCalibration(TenantModel):
    """What a layer's confidence is worth in contexts of a workspace, by what its runs cited; fitted every night.

    `cited` counts citations in contexts, `uncited` items that were in ten contexts and never cited, of every space.
    """

    layer = models.CharField(max_length=16, choices=CalibratedLayer.choices)
    slope = models.FloatField()
    intercept = models.FloatField()
    cited = models.PositiveIntegerField()
    uncited = models.PositiveIntegerField()
    fitted_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "confidence_calibrations"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "layer"], name="one_calibration_per_layer"),
            models.CheckConstraint(condition=Q(slope__gt=0), name="calibration_rises"),
        ]

    def __str__(self) -> str:
        return f"calibration of {self.layer}"


class SlotTier(models.TextChoices):
    """How long a slot stays: a day, or for good. The working tier is in Redis and has no rows."""

    SESSION = "session"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"


class MemorySlot(SpacedModel):
    """A slot: what tells it from others, and what limits it. `scope_key` is the digest of `scope`."""

    tier = models.CharField(max_length=8, choices=SlotTier.choices)
    name = models.CharField(max_length=200)
    scope = models.JSONField(default=dict)
    scope_key = models.CharField(max_length=64)
    is_list = models.BooleanField(default=False)
    schema_version = models.PositiveIntegerField(default=1)
    ttl_seconds = models.PositiveIntegerField(null=True)
    max_items = models.PositiveIntegerField(null=True)
    max_size_mb = models.FloatField(null=True)
    size_bytes = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=utc_now)
    updated_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[SpacedManager[MemorySlot]] = SpacedManager()

    class Meta:
        db_table = "memory_slots"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "space_id", "tier", "name", "scope_key"], name="one_slot_per_scope"
            )
        ]
        indexes = [
            models.Index(
                fields=["workspace", "expires_at"],
                condition=Q(expires_at__isnull=False),
                name="memory_slots_expiring",
            )
        ]

    def __str__(self) -> str:
        return f"{self.tier} slot {self.id}"


class SlotItem(SpacedModel):
    """One item of a list, or the one value of any other slot; positions rise.

    `schema_version` is what the caller wrote it as; that of the slot is of its newest writing.
    `model` says which one made the vector; items of the semantic tier without one of the current model wait for it.
    """

    slot = models.ForeignKey(
        MemorySlot, on_delete=models.CASCADE, related_name="items", db_index=False, db_constraint=False
    )
    position = models.PositiveBigIntegerField()
    value = models.JSONField(null=True)
    size_bytes = models.PositiveIntegerField()
    value_count = models.PositiveIntegerField(db_default=1)
    schema_version = models.PositiveIntegerField(db_default=1)
    text = models.TextField(blank=True)
    words = models.GeneratedField(expression=SearchWords("text"), output_field=SearchVectorField(), db_persist=True)
    model = models.CharField(max_length=120, blank=True)
    vector = HalfVectorField(null=True)

    objects: ClassVar[SpacedManager[SlotItem]] = SpacedManager()

    class Meta:
        db_table = "slot_items"
        constraints = [models.UniqueConstraint(fields=["workspace", "slot", "position"], name="slot_items_in_order")]

    def __str__(self) -> str:
        return f"item {self.id}"


class UserMemory(SpacedModel):
    """What an agent keeps about one user of its workspace, as Markdown; `user` is the agent's own name for them."""

    user = models.CharField(max_length=200)
    content = models.TextField()
    updated_by = models.CharField(max_length=200, blank=True)
    updated_by_kind = models.CharField(max_length=10, blank=True)
    updated_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[SpacedManager[UserMemory]] = SpacedManager()

    class Meta:
        db_table = "user_memories"
        verbose_name_plural = "user memories"
        constraints = [models.UniqueConstraint(fields=["workspace", "space_id", "user"], name="one_memory_per_user")]

    def __str__(self) -> str:
        return f"memory of a user {self.id}"
