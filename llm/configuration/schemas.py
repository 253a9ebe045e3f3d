"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from core.http.fields import (
    IdField,
    LineField,
    NumberField,
    StrictSerializer,
    TextField,
    WholeNumberField,
)
from llm.configuration.services import NewChoice
from llm.kinds import Level, Tier
from llm.models import LONGEST_TIMEOUT_SECONDS, ProviderKind

# A workspace has a handful of agents; a list longer than this is a mistake.
MAX_CHOICES = 100
DEAREST = 100_000


class ProviderChangesInput(StrictSerializer):
    """The body of `PUT models/providers/{id}`: what is not named stays. The key can be written and never read."""

    name = LineField(max_length=80, required=False)
    kind = serializers.ChoiceField(ProviderKind.choices, required=False)
    base_url = TextField(max_length=500, required=False, allow_blank=True)
    api_key = TextField(max_length=500, required=False, allow_blank=True, write_only=True)
    timeout_seconds = WholeNumberField(min_value=1, max_value=LONGEST_TIMEOUT_SECONDS, required=False)


class ProviderInput(ProviderChangesInput):
    """The body of `POST models/providers`."""

    name = LineField(max_length=80)
    kind = serializers.ChoiceField(ProviderKind.choices)


class ChoiceInput(StrictSerializer):
    """One choice. With `provider` null it is taken back."""

    level = serializers.ChoiceField([level.value for level in Level], required=False, default=Level.WORKSPACE.value)
    subject = LineField(max_length=200, required=False, allow_blank=True, default="")
    tier = serializers.ChoiceField([tier.value for tier in Tier])
    provider = IdField(allow_null=True)
    model = LineField(max_length=200, required=False, default="")
    input_price = NumberField(min_value=0, max_value=DEAREST, required=False, default=0.0)
    output_price = NumberField(min_value=0, max_value=DEAREST, required=False, default=0.0)

    def validate(self, attrs: dict[str, Any]) -> NewChoice:
        if (attrs["level"] == Level.WORKSPACE) == bool(attrs["subject"]):
            detail = "The agent's name or the conversation's key; the workspace itself has none."
            raise serializers.ValidationError({"subject": detail}, code="wrong_subject")
        if attrs["provider"] and not attrs["model"]:
            raise serializers.ValidationError({"model": "Name one of the provider's models."}, code="required")
        return NewChoice(
            level=Level(attrs["level"]),
            subject=attrs["subject"],
            tier=Tier(attrs["tier"]),
            provider_id=attrs["provider"],
            model=attrs["model"],
            input_price=Decimal(str(attrs["input_price"])),
            output_price=Decimal(str(attrs["output_price"])),
        )


class ChoicesInput(StrictSerializer):
    """The body of `PUT models/choices`: the choices that change."""

    choices = serializers.ListField(child=ChoiceInput(), min_length=1, max_length=MAX_CHOICES)


class TrialInput(StrictSerializer):
    """The body of `POST models/providers/{id}/test`."""

    model = LineField(max_length=200, required=False)


class NothingInput(StrictSerializer):
    """An empty body."""
