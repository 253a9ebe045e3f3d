"""Model providers with their keys, which of their models answers what or makes vectors, and one row for every call."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar

from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from core.clock import utc_now
from llm.call_kinds import Level, Tier
from workspaces.access.tenancy import SpacedModel, TenantModel

DEFAULT_TIMEOUT_SECONDS = 60
LONGEST_TIMEOUT_SECONDS = 600


class ProviderKind(models.TextChoices):
    """The language that a provider speaks."""

    OPENAI = "openai", "OpenAI, or a server that speaks its API"
    ANTHROPIC = "anthropic", "Anthropic"
    GOOGLE = "google", "Google Gemini"


class ModelProvider(TenantModel):
    """A service that runs models: an address and the workspace's own key for it.

    The key is stored encrypted for this row alone (`llm.configuration.services`); no door ever gives it out.
    """

    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=12, choices=ProviderKind.choices)
    base_url = models.CharField(max_length=500, blank=True)
    encrypted_key = models.TextField(blank=True)
    key_hint = models.CharField(max_length=4, blank=True)
    timeout_seconds = models.PositiveSmallIntegerField(default=DEFAULT_TIMEOUT_SECONDS)
    created_at = models.DateTimeField(default=utc_now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "model_providers"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "name"], name="one_provider_per_name"),
            models.CheckConstraint(
                condition=Q(timeout_seconds__gte=1, timeout_seconds__lte=LONGEST_TIMEOUT_SECONDS),
                name="timeout_is_1_to_600_seconds",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_key(self) -> bool:
        return bool(self.encrypted_key)


class ModelChoice(TenantModel):
    """Which model answers for a tier: of the whole workspace, of one agent, or in one conversation.

    `subject` is the agent's name or the conversation's key, and empty for the workspace. Prices are credits for a
    million tokens; a credit is whatever the workspace's budget counts in.
    """

    level = models.CharField(max_length=12, choices=[(level.value, level.value) for level in Level])
    subject = models.CharField(max_length=200)
    tier = models.CharField(max_length=5, choices=[(tier.value, tier.value) for tier in Tier])
    provider = models.ForeignKey(ModelProvider, on_delete=models.PROTECT, related_name="choices", db_constraint=False)
    model = models.CharField(max_length=200)
    input_price = models.DecimalField(max_digits=12, decimal_places=6, default=Decimal(0))
    output_price = models.DecimalField(max_digits=12, decimal_places=6, default=Decimal(0))

    class Meta:
        db_table = "model_choices"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "level", "subject", "tier"], name="one_choice_per_subject"),
            models.CheckConstraint(
                condition=Q(level=Level.WORKSPACE.value, subject="") | ~Q(level=Level.WORKSPACE.value) & ~Q(subject=""),
                name="only_the_workspace_has_no_subject",
            ),
            models.CheckConstraint(
                condition=Q(input_price__gte=0, output_price__gte=0), name="prices_are_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} for {self.tier} of {self.subject or 'the workspace'}"


class PromptRunStatus(models.TextChoices):
    """How a call of a model ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    REFUSED = "refused"
    EMPTY = "empty"
    CUT_OFF = "cut_off"
    OVER_BUDGET = "over_budget"


class PromptRun(TenantModel):
    """One call of a model: what it was for, how it ended, what it cost. Never a word of the prompt or of the answer."""

    MAX_OUTCOME_CHARACTERS: ClassVar[int] = 500

    kind = models.CharField(max_length=12)
    provider = models.CharField(max_length=80)
    model = models.CharField(max_length=200)
    prompt_sha256 = models.CharField(max_length=64)
    status = models.CharField(max_length=12, choices=PromptRunStatus.choices)
    outcome = models.CharField(max_length=MAX_OUTCOME_CHARACTERS)
    input_tokens = models.PositiveIntegerField()
    output_tokens = models.PositiveIntegerField()
    credits = models.DecimalField(max_digits=18, decimal_places=6)
    latency_ms = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=utc_now, editable=False)

    class Meta:
        db_table = "prompt_runs"
        indexes = [
            models.Index(fields=["workspace", "-id"], name="prompt_runs_newest"),
            # The month's spending is read before every call, from this index alone.
            models.Index(fields=["workspace", "created_at"], include=["credits"], name="prompt_runs_spending"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} by {self.model}: {self.status}"


class EmbedderStatus(models.TextChoices):
    """Whether searches use a model's vectors, they are being made, or they are being deleted."""

    ACTIVE = "active"
    INCOMING = "incoming"
    RETIRED = "retired"


class WorkspaceEmbedder(TenantModel):
    """An embedding model that a workspace chose. One without a name is the server's; without any row, that is active.

    Searches use the vectors of the active one until those of the incoming one are complete; those of a retired one are
    deleted. `positions` says how far the incoming one has come in each table. `failures` counts those since the last
    success; `problem` and `problem_at` are of the last, and nothing is tried before `retry_at`.
    """

    MAX_PROBLEM_CHARACTERS: ClassVar[int] = 500

    provider = models.ForeignKey(
        ModelProvider, on_delete=models.PROTECT, null=True, related_name="embedders", db_constraint=False
    )
    model = models.CharField(max_length=200, blank=True)
    dimensions = models.PositiveSmallIntegerField(default=0)
    input_price = models.DecimalField(max_digits=12, decimal_places=6, default=Decimal(0))
    status = models.CharField(max_length=8, choices=EmbedderStatus.choices)
    chosen_at = models.DateTimeField(default=utc_now)
    active_since = models.DateTimeField(null=True)
    retired_at = models.DateTimeField(null=True)
    positions = models.JSONField(default=dict)
    failures = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=MAX_PROBLEM_CHARACTERS, blank=True)
    problem_at = models.DateTimeField(null=True)
    retry_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "workspace_embedders"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace"], condition=Q(status=EmbedderStatus.ACTIVE), name="one_active_embedder"
            ),
            models.UniqueConstraint(
                fields=["workspace"], condition=Q(status=EmbedderStatus.INCOMING), name="one_incoming_embedder"
            ),
        ]

    def __str__(self) -> str:
        return self.model or "the server's embedder"

    @property
    def is_of_server(self) -> bool:
        return not self.model

    @property
    def vector_model(self) -> str:
        """The name that is kept next to the vectors of a model of the workspace's own."""
        return str(self.id)


class WorkspaceEmbedding(SpacedModel):
    """The vector of a row by a model of the workspace's own; `model` is the id of its embedder.

    `source` is the table of the row. A trigger of each such table deletes the vectors of rows that are deleted.
    """

    source = models.CharField(max_length=40)
    row_id = models.UUIDField()
    model = models.CharField(max_length=120)
    dimensions = models.PositiveSmallIntegerField()
    vector = HalfVectorField()
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "workspace_embeddings"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "row_id", "model"], name="one_vector_of_each_model"),
        ]
        indexes = [
            models.Index(fields=["workspace", "space_id", "model", "source"], name="vectors_by_space_and_model"),
            models.Index(fields=["workspace", "model", "source"], name="vectors_by_model"),
        ]

    def __str__(self) -> str:
        return f"vector of {self.source} {self.row_id}"
