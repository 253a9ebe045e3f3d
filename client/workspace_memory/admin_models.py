"""What the server answers about keys, members and models, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime

from workspace_memory.base_models import Answer
from workspace_memory.models import Workspace

__all__ = [
    "ApiKey",
    "KeyMaker",
    "Member",
    "ModelBudget",
    "ModelChoice",
    "ModelProvider",
    "NewApiKey",
    "NewWorkspace",
    "PromptRun",
    "ProviderTrial",
]


class KeyMaker(Answer):
    """The person who made a key."""

    user_id: str
    name: str


class ApiKey(Answer):
    """An API key; `hint` is how its secret begins."""

    id: str
    name: str
    hint: str
    scopes: list[str]
    spaces: list[str]
    stamped: bool
    sub_agent: bool
    tools: list[str]
    created_by: KeyMaker | None = None
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None


class NewApiKey(ApiKey):
    """An API key that was just made, with its secret."""

    secret: str


class NewWorkspace(Workspace):
    """A workspace that was just made, with its first API key, which has every scope."""

    api_key: NewApiKey


class Member(Answer):
    """A member, or a person who was invited and has not accepted yet."""

    user_id: str | None = None
    email: str | None = None
    name: str
    role: str
    status: str
    since: datetime


class ModelProvider(Answer):
    """A model provider; `key_hint` is how its key ends."""

    id: str
    name: str
    kind: str
    base_url: str | None = None
    has_key: bool
    key_hint: str | None = None
    timeout_seconds: int
    created_at: datetime
    updated_at: datetime


class ProviderTrial(Answer):
    """Whether a provider answers, one sentence about it, and the provider's name for a failure."""

    works: bool
    detail: str
    provider_code: str | None = None
    model: str
    latency_ms: int


class ModelChoice(Answer):
    """Which model answers for a tier: of the workspace, of one agent, or in one conversation."""

    level: str
    subject: str
    tier: str
    provider: str
    provider_name: str
    model: str
    input_price: float
    output_price: float


class ModelBudget(Answer):
    """What this month's calls have cost, and what they still may."""

    monthly_budget: float | None = None
    spent: float
    background_stopped: bool
    stopped: bool


class PromptRun(Answer):
    """One call of a model: what for, how it ended, what it cost. Never the prompt."""

    id: str
    kind: str
    provider: str
    model: str
    prompt_sha256: str
    status: str
    outcome: str
    input_tokens: int
    output_tokens: int
    credits: float
    latency_ms: int
    created_at: datetime
