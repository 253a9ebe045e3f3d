"""A workspace's settings as typed values: their defaults, their limits, and how `config` (JSONB) stores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Protocol

from core.errors import FieldProblem, InvalidError


class Configured(Protocol):
    """Anything that carries a workspace's `config`."""

    @property
    def config(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """The `memory` part of a workspace's settings.

    enabled: consolidation, extraction, capture and injection run (the toggle).
    retention_days: a memory that was never referenced counts as stale after this many days, 1 to 3,650.
    token_budget: tokens that assembled context may take when the caller names no budget, 100 to 200,000.
    """

    enabled: bool = False
    retention_days: int = 90
    token_budget: int = 4_000


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The `models` part of a workspace's settings.

    monthly_budget: credits that calls of models may cost in a calendar month (UTC), 0 to 1,000,000,000; None is no
    limit. Background work stops at four fifths of it.
    """

    monthly_budget: float | None = None


MOST_CREDITS = 1_000_000_000
LIMITS: dict[str, tuple[int, int]] = {"retention_days": (1, 3_650), "token_budget": (100, 200_000)}


def is_memory_enabled(workspace: Configured) -> bool:
    """The toggle. Every layer that pauses asks here and nowhere else."""
    return workspace.config.get("memory_enabled") is True


def memory_settings(workspace: Configured) -> MemorySettings:
    """The stored settings over their defaults. Stored names that this version does not know are kept and ignored."""
    known = {field.name for field in fields(MemorySettings)}
    stored = {name: value for name, value in workspace.config.get("memory", {}).items() if name in known}
    return MemorySettings(**{**stored, "enabled": is_memory_enabled(workspace)})


def with_memory_changes(config: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of `config` with some memory settings changed. Raises InvalidError for a value outside its limits."""
    problems = tuple(
        FieldProblem(f"memory.{name}", "out_of_range", f"Must be from {least:,} to {most:,}.")
        for name, (least, most) in LIMITS.items()
        if name in changes and not least <= changes[name] <= most
    )
    if problems:
        raise InvalidError(problems=problems)
    stored = {**config.get("memory", {}), **changes}
    enabled = stored.pop("enabled", config.get("memory_enabled") is True)
    return {**config, "memory": stored, "memory_enabled": enabled}


def model_settings(workspace: Configured) -> ModelSettings:
    """The stored settings over their defaults, like `memory_settings`."""
    known = {field.name for field in fields(ModelSettings)}
    stored = workspace.config.get("models", {})
    return ModelSettings(**{name: value for name, value in stored.items() if name in known})


def with_model_changes(config: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of `config` with some model settings changed. Raises InvalidError for a value outside its limits."""
    budget = changes.get("monthly_budget")
    if budget is not None and not 0 <= budget <= MOST_CREDITS:
        problem = FieldProblem("models.monthly_budget", "out_of_range", f"Must be from 0 to {MOST_CREDITS:,}, or null.")
        raise InvalidError(problems=(problem,))
    return {**config, "models": {**config.get("models", {}), **changes}}


def settings_json(workspace: Configured) -> dict[str, Any]:
    """The shape of `GET /v1/workspaces/{ws}/settings`."""
    return {"memory": asdict(memory_settings(workspace)), "models": asdict(model_settings(workspace))}


def settings_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Names of the settings that differ between two `settings_json`, for the audit event."""
    return sorted(
        name if part == "memory" else f"{part}.{name}"
        for part, settings in after.items()
        for name in settings
        if settings[name] != before[part][name]
    )
