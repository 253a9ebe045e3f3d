"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from core.http.fields import (
    FlagField,
    NumberField,
    StrictSerializer,
    WholeNumberField,
)
from workspaces.settings.workspace_settings import CONSOLIDATION_LIMITS, LIMITS, MAX_CREDITS


def _within(name: str) -> WholeNumberField:
    least, most = {**LIMITS, **CONSOLIDATION_LIMITS}[name]
    return WholeNumberField(min_value=least, max_value=most, required=False)


class ConsolidationSettingsInput(StrictSerializer):
    """The `memory.consolidation` part of the settings."""

    scheduled = FlagField(required=False)
    retain_last = _within("retain_last")
    max_age_days = _within("max_age_days")
    keep_sources = FlagField(required=False)
    message_retention_days = _within("message_retention_days")


class MemorySettingsInput(StrictSerializer):
    """The `memory` part of the settings; a PUT may name only what it changes."""

    enabled = FlagField(required=False)
    retention_days = _within("retention_days")
    token_budget = _within("token_budget")
    embed_messages = FlagField(required=False)
    semantic_recall = FlagField(required=False)
    pattern_min_callers = _within("pattern_min_callers")
    consolidation = ConsolidationSettingsInput(required=False)


class ModelSettingsInput(StrictSerializer):
    """The `models` part of the settings; a PUT may name only what it changes."""

    monthly_budget = NumberField(min_value=0, max_value=MAX_CREDITS, required=False, allow_null=True)


class SettingsInput(StrictSerializer):
    """The body of `PUT settings`."""

    memory = MemorySettingsInput(required=False)
    models = ModelSettingsInput(required=False)


class NothingInput(StrictSerializer):
    """An empty body."""
