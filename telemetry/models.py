"""What agents did, the sequences and patterns that follow from it, and the metrics that measure it.

No table here has a column for payloads: arguments, bodies and messages have nowhere to go.
"""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from core.clock import utc_now
from telemetry.actions.outcomes import Outcome
from telemetry.metrics.aggregation import Aggregation, Measure
from telemetry.patterns.mining import WarningCounts, pattern_key
from workspaces.access.tenancy import SpacedManager, SpacedModel, SpacedQuerySet

OUTCOMES = [(str(outcome), str(outcome)) for outcome in Outcome]


class Action(SpacedModel):
    """One thing that an agent did: its type, its target and how it ended. Rows are added, never changed.

    `reporter` is the authenticated caller behind it, as kind and id; `agent` and `session` are what it calls itself.
    `is_trusted` says that the server saw it happen, or that a caller who may create facts reports it.
    """

    reporter = models.CharField(max_length=80, blank=True, default="", db_default="")
    is_trusted = models.BooleanField(default=False, db_default=False)
    session = models.CharField(max_length=200)
    agent = models.CharField(max_length=120)
    action_type = models.CharField(max_length=64)
    tool = models.CharField(max_length=120, blank=True)
    node_type = models.CharField(max_length=64, blank=True)
    node_ids = ArrayField(models.UUIDField(), default=list, blank=True)
    outcome = models.CharField(max_length=8, choices=OUTCOMES)
    error_code = models.CharField(max_length=64, blank=True)
    latency_ms = models.FloatField(null=True, blank=True)
    occurred_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[SpacedManager[Action]] = SpacedManager()

    class Meta:
        db_table = "agent_actions"
        indexes = [
            models.Index(fields=["workspace", "space_id", "-id"], name="agent_actions_newest"),
            models.Index(fields=["workspace", "session", "occurred_at"], name="agent_actions_of_session"),
        ]

    def __str__(self) -> str:
        return f"{self.action_type} {self.outcome}"


class Arrival(SpacedModel):
    """Actions of one session arrived that no sequence holds yet, between two moments. The sequencer takes it away.

    Written in the transaction of the actions: a high-water mark over ids would miss late commits.
    """

    id = models.BigAutoField(primary_key=True)  # type: ignore[assignment]  # a sequence, because order matters
    reporter = models.CharField(max_length=80, blank=True, default="", db_default="")
    session = models.CharField(max_length=200)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        db_table = "agent_arrivals"
        indexes = [models.Index(fields=["workspace", "space_id", "id"], name="agent_arrivals_in_order")]


class Intent(SpacedModel):
    """What sequences set out to do, in types; sequences of one intent share it and its vector.

    The id follows from the summary, so that a second writer finds it there.
    """

    summary = models.CharField(max_length=600)
    needs_embedding = models.BooleanField(default=True)
    model = models.CharField(max_length=120, blank=True)
    dimensions = models.PositiveSmallIntegerField(null=True, blank=True)
    vector = HalfVectorField(null=True, blank=True)

    objects: ClassVar[SpacedManager[Intent]] = SpacedManager()

    class Meta:
        db_table = "agent_intents"
        indexes = [
            models.Index(
                fields=["workspace", "id"], condition=Q(needs_embedding=True), name="agent_intents_without_vector"
            ),
            models.Index(fields=["workspace", "model"], name="agent_intents_by_model"),
        ]

    def __str__(self) -> str:
        return self.summary


class Sequence(SpacedModel):
    """Actions of one reporter's session with no gap over five minutes. Those between its two moments are its own.

    `steps` has every different thing that happened in it, each as `mining.step`; `attempts` the same without its end.
    `is_trusted` says that all of its actions are trusted.
    """

    reporter = models.CharField(max_length=80, blank=True, default="", db_default="")
    is_trusted = models.BooleanField(default=False, db_default=False)
    session = models.CharField(max_length=200)
    agent = models.CharField(max_length=120)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    outcome = models.CharField(max_length=8, choices=OUTCOMES)
    action_count = models.PositiveIntegerField()
    failure_count = models.PositiveIntegerField()
    duration_ms = models.PositiveBigIntegerField()
    steps = ArrayField(models.TextField(), default=list, blank=True)
    attempts = ArrayField(models.TextField(), default=list, blank=True)
    intent = models.ForeignKey(Intent, on_delete=models.RESTRICT, related_name="+", db_index=False, db_constraint=False)

    objects: ClassVar[SpacedManager[Sequence]] = SpacedManager()

    class Meta:
        db_table = "agent_sequences"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "space_id", "reporter", "session", "started_at"], name="sequences_begin_once"
            ),
            models.CheckConstraint(condition=Q(started_at__lte=models.F("ended_at")), name="sequences_go_forward"),
        ]
        indexes = [
            models.Index(fields=["workspace", "space_id", "-id"], name="agent_sequences_newest"),
            models.Index(fields=["workspace", "space_id", "ended_at"], name="agent_sequences_by_time"),
            models.Index(fields=["intent"], name="agent_sequences_of_intent"),
        ]

    def __str__(self) -> str:
        return f"{self.session} {self.outcome}"

    @property
    def duration(self) -> timedelta:
        return timedelta(milliseconds=self.duration_ms)


class PatternStatus(models.TextChoices):
    """Agents are warned of a promoted pattern; a retired one is kept for its history."""

    PROMOTED = "promoted"
    RETIRED = "retired"


class RecommendedBy(models.TextChoices):
    """Who wrote a recommendation."""

    RULE = "rule"
    MODEL = "model"


class PatternQuerySet(SpacedQuerySet["Pattern"]):
    def promoted(self) -> PatternQuerySet:
        return self.filter(status=PatternStatus.PROMOTED)

    def unsuppressed(self) -> PatternQuerySet:
        return self.filter(suppressed_at=None)


class Pattern(SpacedModel):
    """Something that keeps going wrong: an action on a type of node that ends in the same error.

    `support` sequences met it out of `attempts` that tried the same; `shown` and `held_out` count those that were
    warned, or at random were not, and how many of each met it all the same.
    """

    action_type = models.CharField(max_length=64)
    node_type = models.CharField(max_length=64, blank=True)
    error_code = models.CharField(max_length=64)
    status = models.CharField(max_length=8, choices=PatternStatus.choices)
    support = models.PositiveIntegerField()
    attempts = models.PositiveIntegerField()
    confidence = models.FloatField()
    recommendation = models.CharField(max_length=600)
    recommended_by = models.CharField(max_length=5, choices=RecommendedBy.choices, default=RecommendedBy.RULE)
    annotation = models.CharField(max_length=2_000, blank=True)
    annotated_by = models.CharField(max_length=200, blank=True)
    annotated_by_kind = models.CharField(max_length=10, blank=True)
    suppressed_at = models.DateTimeField(null=True, blank=True)
    suppressed_by = models.CharField(max_length=200, blank=True)
    shown = models.PositiveIntegerField(default=0)
    shown_failed = models.PositiveIntegerField(default=0)
    held_out = models.PositiveIntegerField(default=0)
    held_out_failed = models.PositiveIntegerField(default=0)
    promoted_at = models.DateTimeField(default=utc_now)
    retired_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[models.Manager[Pattern]] = PatternQuerySet.as_manager()  # type: ignore[assignment]  # knows `of` as well

    class Meta:
        db_table = "agent_patterns"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "space_id", "action_type", "node_type", "error_code"], name="one_pattern_per_key"
            ),
            models.CheckConstraint(condition=Q(support__lte=models.F("attempts")), name="support_is_part_of_attempts"),
        ]
        indexes = [models.Index(fields=["workspace", "space_id", "status", "node_type"], name="agent_patterns_by_type")]

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        return pattern_key(self.action_type, self.node_type, self.error_code)

    @property
    def is_suppressed(self) -> bool:
        return self.suppressed_at is not None

    @property
    def warnings(self) -> WarningCounts:
        return WarningCounts(self.shown, self.shown_failed, self.held_out, self.held_out_failed)


class InjectionResult(models.TextChoices):
    """What became of a warning: nothing yet, the error came all the same, it stayed away, or there was no attempt."""

    OPEN = ""
    OCCURRED = "occurred"
    AVOIDED = "avoided"
    IDLE = "idle"


class Injection(SpacedModel):
    """A session was warned of a pattern before it acted, or held out at random; `batch` names those of one call."""

    batch = models.UUIDField()
    pattern = models.ForeignKey(
        Pattern, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    reporter = models.CharField(max_length=80, blank=True, default="", db_default="")
    session = models.CharField(max_length=200)
    is_held_out = models.BooleanField()
    sequence_id = models.UUIDField(null=True, blank=True)
    injected_at = models.DateTimeField(default=utc_now)
    result = models.CharField(max_length=8, choices=InjectionResult.choices, default=InjectionResult.OPEN, blank=True)

    objects: ClassVar[SpacedManager[Injection]] = SpacedManager()

    class Meta:
        db_table = "agent_injections"
        indexes = [
            models.Index(fields=["pattern", "-injected_at"], name="agent_injections_of_pattern"),
            models.Index(fields=["workspace", "session", "injected_at"], name="agent_injections_of_session"),
            models.Index(fields=["workspace", "injected_at"], name="agent_injections_by_time"),
        ]


class Metric(SpacedModel):
    """Something that is measured every night over the sequences of a workspace."""

    name = models.CharField(max_length=80)
    description = models.CharField(max_length=300, blank=True)
    is_builtin = models.BooleanField(default=False)
    event_filter = models.CharField(max_length=1_000, blank=True)
    success_condition = models.CharField(max_length=1_000, blank=True)
    aggregation = models.CharField(max_length=8, choices=[(str(kind), str(kind)) for kind in Aggregation])
    measure = models.CharField(max_length=12, choices=[(str(kind), str(kind)) for kind in Measure])
    window_days = models.PositiveSmallIntegerField(default=7)
    created_at = models.DateTimeField(default=utc_now)
    updated_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[SpacedManager[Metric]] = SpacedManager()

    class Meta:
        db_table = "agent_metrics"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "space_id", "name"], name="one_metric_per_name"),
            models.CheckConstraint(condition=Q(window_days__gte=1, window_days__lte=365), name="windows_up_to_a_year"),
        ]

    def __str__(self) -> str:
        return self.name


class Benchmark(SpacedModel):
    """The value of a metric over the window that ends with a day (UTC); null where nothing could be measured."""

    metric = models.ForeignKey(
        Metric, on_delete=models.CASCADE, related_name="points", db_index=False, db_constraint=False
    )
    date = models.DateField()
    value = models.FloatField(null=True, blank=True)
    sequences = models.PositiveIntegerField()
    measured_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[SpacedManager[Benchmark]] = SpacedManager()

    class Meta:
        db_table = "agent_benchmarks"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "metric", "date"], name="one_value_per_day"),
        ]
        indexes = [models.Index(fields=["workspace", "-date"], name="agent_benchmarks_latest")]

    def __str__(self) -> str:
        return f"{self.date} {self.value}"


class Changed(models.TextChoices):
    """What a layer above may mirror."""

    SEQUENCE = "sequence"
    PATTERN = "pattern"
    BENCHMARK = "benchmark"


class Change(SpacedModel):
    """Something here changed that a layer above mirrors; the mirror deletes the row.

    Written with the change. `since` bounds what is new in a sequence: its actions from that moment on.
    """

    id = models.BigAutoField(primary_key=True)  # type: ignore[assignment]  # a sequence, because order matters
    entity = models.CharField(max_length=12, choices=Changed.choices)
    entity_id = models.UUIDField()
    since = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[SpacedManager[Change]] = SpacedManager()

    class Meta:
        db_table = "agent_changes"
        indexes = [models.Index(fields=["workspace", "id"], name="agent_changes_in_order")]

    def __str__(self) -> str:
        return f"{self.entity} {self.entity_id}"
