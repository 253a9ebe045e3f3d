"""A workspace's settings as typed values: their defaults, their limits, and how `config` (JSONB) stores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings

from core.clock import utc_now
from core.errors import FieldProblem, InvalidError
from workspaces.settings.review_policy import ReviewPolicy, find_policy_problems
from workspaces.settings.user_template import USER_TEMPLATE, find_template_problem


class Configured(Protocol):
    """Anything that carries a workspace's `config`."""

    @property
    def config(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class ConsolidationSettings:
    """How the older messages of a conversation become episodes; `config.consolidation` holds what was chosen.

    scheduled: every night, without a request.
    retain_last: that many of the newest messages are never touched, 0 to 10,000.
    max_age_days: only messages older than this are, 0 to 36,500.
    keep_sources: the messages behind an episode stay until they are `message_retention_days` old, 0 to 36,500.
    """

    scheduled: bool = False
    retain_last: int = 20
    max_age_days: int = 30
    keep_sources: bool = False
    message_retention_days: int = 90


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """The `memory` part of a workspace's settings.

    enabled: consolidation, extraction, capture and injection run (the toggle).
    retention_days: a memory that was never referenced counts as stale after this many days, 1 to 3,650.
    token_budget: tokens that assembled context may take when the caller names no budget, 100 to 200,000.
    embed_messages: messages get vectors, so that they are found by meaning as well as by words.
    recall_messages: from where messages that bear on the query come into an assembled context: `off`, `conversation`
    (the one that is named) or `spaces` (all conversations of the spaces that the call reads).
    min_confidence: an item of a context that bears on the query with a smaller probability is left out, 0 to 1.
    keep_contexts: receipts keep the question and the text of contexts, for as long as `retention.receipts` says.
    pattern_min_callers: callers (keys, apps, persons) that must have reported an error before it becomes a pattern, 1
    to 10; what the server has seen itself needs one. A workspace with a single agent that reports actions sets 1.

    The next six have defaults of the server's, which its environment sets (`SERVER_DEFAULTS`).

    recent_messages: the newest messages of a conversation that its window and a chat turn hold, and that a context
    leaves out since who asks has them, 1 to 200.
    recall_top_k: messages that semantic recall answers when a call names no number, 1 to 50.
    recall_before, recall_after: messages that it answers with each of them, those said right before and after, 0 to 20.
    observe_tokens: above this many tokens of messages that are not observed yet the older ones are replaced by
    observations, 1,000 to 1,000,000.
    reflect_tokens: above this many tokens of observations these are merged, 1,000 to 1,000,000.
    user_template: the Markdown that the working memory of a new user begins with, headings with labels below them.
    """

    enabled: bool = False
    retention_days: int = 90
    token_budget: int = 4_000
    embed_messages: bool = True
    recall_messages: str = "spaces"
    min_confidence: float = 0.001
    keep_contexts: bool = False
    pattern_min_callers: int = 2
    recent_messages: int = 20
    recall_top_k: int = 5
    recall_before: int = 2
    recall_after: int = 1
    observe_tokens: int = 30_000
    reflect_tokens: int = 40_000
    user_template: str = USER_TEMPLATE
    consolidation: ConsolidationSettings = field(default_factory=ConsolidationSettings)
    review: ReviewPolicy = field(default_factory=ReviewPolicy)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The `models` part of a workspace's settings.

    monthly_budget: credits that calls of models may cost in a calendar month (UTC), 0 to 1,000,000,000; None is no
    limit. Background work stops at four fifths of it.
    """

    monthly_budget: float | None = None


MAX_CREDITS = 1_000_000_000
LIMITS: dict[str, tuple[int, int]] = {
    "retention_days": (1, 3_650),
    "token_budget": (100, 200_000),
    "pattern_min_callers": (1, 10),
    "recent_messages": (1, 200),
    "recall_top_k": (1, 50),
    "recall_before": (0, 20),
    "recall_after": (0, 20),
    "observe_tokens": (1_000, 1_000_000),
    "reflect_tokens": (1_000, 1_000_000),
}
# Settings whose default is a variable of the server's environment.
SERVER_DEFAULTS = {
    "recent_messages": "RECENT_MESSAGES",
    "recall_top_k": "RECALL_TOP_K",
    "recall_before": "RECALL_BEFORE",
    "recall_after": "RECALL_AFTER",
    "observe_tokens": "OBSERVE_TOKENS",
    "reflect_tokens": "REFLECT_TOKENS",
}
CONSOLIDATION_LIMITS: dict[str, tuple[int, int]] = {
    "retain_last": (0, 10_000),
    "max_age_days": (0, 36_500),
    "message_retention_days": (0, 36_500),
}


def is_memory_enabled(workspace: Configured) -> bool:
    """Return the toggle. Every layer that pauses asks here and nowhere else."""
    return workspace.config.get("memory_enabled") is True


def memory_enabled_since(workspace: Configured) -> datetime | None:
    """Return when the toggle was last turned on; None where that was not noted."""
    noted = workspace.config.get("memory_enabled_at")
    return datetime.fromisoformat(noted) if noted else None


def memory_settings(workspace: Configured) -> MemorySettings:
    """Return the stored settings over their defaults. Stored names that this version does not know are kept and
    ignored."""
    served = {name: getattr(settings, variable) for name, variable in SERVER_DEFAULTS.items()}
    stored = served | _drop_unknown(MemorySettings, workspace.config.get("memory", {}))
    stored["user_template"] = stored.get("user_template") or USER_TEMPLATE
    consolidation = ConsolidationSettings(
        **_drop_unknown(ConsolidationSettings, workspace.config.get("consolidation", {}))
    )
    own = {"enabled": is_memory_enabled(workspace), "consolidation": consolidation, "review": review_policy(workspace)}
    return MemorySettings(**{**stored, **own})


def review_policy(workspace: Configured) -> ReviewPolicy:
    """Return what waits for a person in a workspace."""
    return ReviewPolicy.of(workspace.config.get("memory", {}).get("review", {}))


def with_memory_changes(config: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of `config` with some memory settings changed; None for the template is the default one. Raises
    InvalidError for a value outside its limits."""
    stored = {**config.get("memory", {}), **changes}
    if "review" in changes:
        stored["review"] = {**config.get("memory", {}).get("review", {}), **changes["review"]}
    enabled = stored.pop("enabled", config.get("memory_enabled") is True)
    consolidation = stored.pop("consolidation", {})
    problems = (
        *_out_of_range("memory", changes, LIMITS),
        *_out_of_range("memory.consolidation", consolidation, CONSOLIDATION_LIMITS),
        *_template_problems(changes.get("user_template")),
        *find_policy_problems(changes.get("review", {})),
    )
    if problems:
        raise InvalidError(problems=problems)
    if enabled and config.get("memory_enabled") is not True:
        config = {**config, "memory_enabled_at": utc_now().isoformat()}
    return {
        **config,
        "memory": stored,
        "memory_enabled": enabled,
        "consolidation": {**config.get("consolidation", {}), **consolidation},
    }


def model_settings(workspace: Configured) -> ModelSettings:
    """Return the stored settings over their defaults, like `memory_settings`."""
    return ModelSettings(**_drop_unknown(ModelSettings, workspace.config.get("models", {})))


def with_model_changes(config: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of `config` with some model settings changed. Raises InvalidError for a value outside its
    limits."""
    budget = changes.get("monthly_budget")
    if budget is not None and not 0 <= budget <= MAX_CREDITS:
        problem = FieldProblem("models.monthly_budget", "out_of_range", f"Must be from 0 to {MAX_CREDITS:,}, or null.")
        raise InvalidError(problems=(problem,))
    return {**config, "models": {**config.get("models", {}), **changes}}


def settings_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Names of the settings that differ between two `settings_json`, for the audit event."""
    return sorted(
        name if part == "memory" else f"{part}.{name}"
        for part, values in after.items()
        for name in values
        if values[name] != before[part][name]
    )


def _drop_unknown(shape: type[Any], stored: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(shape)}
    return {name: value for name, value in stored.items() if name in names}


def _out_of_range(
    prefix: str, changes: Mapping[str, Any], limits: Mapping[str, tuple[int, int]]
) -> tuple[FieldProblem, ...]:
    return tuple(
        FieldProblem(f"{prefix}.{name}", "out_of_range", f"Must be from {least:,} to {most:,}.")
        for name, (least, most) in limits.items()
        if name in changes and not least <= changes[name] <= most
    )


def _template_problems(template: str | None) -> tuple[FieldProblem, ...]:
    problem = find_template_problem(template) if template is not None else None
    return (problem,) if problem else ()
