"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from rest_framework import serializers

from core.http.fields import (
    FlagField,
    IdField,
    NumberField,
    StrictSerializer,
    TextField,
    WholeNumberField,
)
from workspaces.callers import Right
from workspaces.models import Role
from workspaces.switches import CONSOLIDATION_LIMITS, LIMITS, MOST_CREDITS


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
    consolidation = ConsolidationSettingsInput(required=False)


class ModelSettingsInput(StrictSerializer):
    """The `models` part of the settings; a PUT may name only what it changes."""

    monthly_budget = NumberField(min_value=0, max_value=MOST_CREDITS, required=False, allow_null=True)


class SettingsInput(StrictSerializer):
    """The body of `PUT settings`."""

    memory = MemorySettingsInput(required=False)
    models = ModelSettingsInput(required=False)


class NothingInput(StrictSerializer):
    """An empty body."""


class KeyInput(StrictSerializer):
    """The body of `POST api-keys`."""

    name = TextField(max_length=120)
    scopes = serializers.ListField(child=serializers.ChoiceField([str(right) for right in Right]), min_length=1)
    expires_at = serializers.DateTimeField(required=False, allow_null=True)


class MemberInput(StrictSerializer):
    """The body of `POST members`."""

    email = serializers.EmailField(max_length=254)
    role = serializers.ChoiceField(Role.choices, required=False)


class MemberRemovalInput(StrictSerializer):
    """The body of `DELETE members`."""

    user_id = IdField()
