"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from rest_framework import serializers

from core.http.fields import (
    FlagField,
    LineField,
    StrictSerializer,
    WholeNumberField,
)
from telemetry.metrics.aggregation import Aggregation, Measure


class MetricInput(StrictSerializer):
    """The body of `POST metrics`; with `dry_run` nothing is stored, and what it would have said is answered."""

    name = LineField(max_length=80)
    description = LineField(max_length=300, required=False, allow_blank=True)
    event_filter = LineField(max_length=1_000, required=False, allow_blank=True)
    success_condition = LineField(max_length=1_000, required=False, allow_blank=True)
    aggregation = serializers.ChoiceField([str(kind) for kind in Aggregation])
    measure = serializers.ChoiceField([str(kind) for kind in Measure], required=False)
    window_days = WholeNumberField(min_value=1, max_value=365, required=False)
    back_fill = FlagField(required=False)
    dry_run = FlagField(required=False)


class MetricChangeInput(StrictSerializer):
    """The body of `PATCH metrics/{id}`: what changes, and whether the past is measured (again)."""

    name = LineField(max_length=80, required=False)
    description = LineField(max_length=300, required=False, allow_blank=True)
    event_filter = LineField(max_length=1_000, required=False, allow_blank=True)
    success_condition = LineField(max_length=1_000, required=False, allow_blank=True)
    aggregation = serializers.ChoiceField([str(kind) for kind in Aggregation], required=False)
    measure = serializers.ChoiceField([str(kind) for kind in Measure], required=False)
    window_days = WholeNumberField(min_value=1, max_value=365, required=False)
    back_fill = FlagField(required=False)
