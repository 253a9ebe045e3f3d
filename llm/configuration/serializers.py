"""The JSON of providers, choices, trials, prompt runs and the budget. A key is in none of them."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from llm.configuration.budget import Budget
from llm.models import ModelChoice, ModelProvider, PromptRun
from llm.router.services.test_provider import Trial


def provider_json(provider: ModelProvider, *, shows_address: bool = True) -> dict[str, Any]:
    """The JSON of a provider; where it is, and how its key begins, are for those who govern the workspace."""
    return {
        "id": str(provider.id),
        "name": provider.name,
        "kind": provider.kind,
        "base_url": provider.base_url if shows_address else None,
        "has_key": provider.has_key,
        "key_hint": (provider.key_hint or None) if shows_address else None,
        "timeout_seconds": provider.timeout_seconds,
        "created_at": moment(provider.created_at),
        "updated_at": moment(provider.updated_at),
    }


def choice_json(choice: ModelChoice) -> dict[str, Any]:
    return {
        "level": choice.level,
        "subject": choice.subject,
        "tier": choice.tier,
        "provider": str(choice.provider_id),
        "provider_name": choice.provider.name,
        "model": choice.model,
        "input_price": float(choice.input_price),
        "output_price": float(choice.output_price),
    }


def trial_json(trial: Trial) -> dict[str, Any]:
    return {
        "works": trial.works,
        "detail": trial.detail,
        "provider_code": trial.provider_code or None,
        "model": trial.model,
        "latency_ms": trial.latency_ms,
    }


def prompt_run_json(run: PromptRun) -> dict[str, Any]:
    return {
        "id": str(run.id),
        "kind": run.kind,
        "provider": run.provider,
        "model": run.model,
        "prompt_sha256": run.prompt_sha256,
        "status": run.status,
        "outcome": run.outcome,
        "input_tokens": run.input_tokens,
        "output_tokens": run.output_tokens,
        "credits": float(run.credits),
        "latency_ms": run.latency_ms,
        "created_at": moment(run.created_at),
    }


def budget_json(budget: Budget) -> dict[str, Any]:
    return {
        "monthly_budget": None if budget.limit is None else float(budget.limit),
        "spent": float(budget.spent),
        "background_stopped": budget.stops_background,
        "stopped": budget.stops_everything,
    }
