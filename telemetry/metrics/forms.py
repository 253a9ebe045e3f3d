"""Form of a metric. It converts types; services say what is allowed."""

from __future__ import annotations

from typing import Any

from django import forms

from core.http.form_fields import LineFormField
from telemetry.metrics.aggregation import Aggregation, Measure
from telemetry.metrics.services.metrics import NewMetric
from telemetry.models import Metric
from telemetry.sequences.forms import MONO


class MetricForm(forms.Form):
    """A metric of the workspace's own."""

    name = LineFormField(max_length=80, help_text="By which its values are asked for.")
    description = LineFormField(max_length=300, required=False)
    event_filter = forms.CharField(
        max_length=1_000,
        required=False,
        label="Events",
        help_text='Sequences count when one of their events fits: action_type = "tool_call" and node_type = "invoice". '
        "Fields: agent, action_type, node_type, error_code. Empty is every sequence.",
        widget=MONO,
    )
    success_condition = forms.CharField(
        max_length=1_000,
        required=False,
        label="Condition",
        help_text='Of these, the ones that meet it: outcome = "success" and action_count < 10. '
        "Fields: outcome, action_count, duration_ms.",
        widget=MONO,
    )
    aggregation = forms.ChoiceField(
        choices=[
            (Aggregation.RATE.value, "Rate: the ratio of those that meet the condition"),
            (Aggregation.AVERAGE.value, "Average, over those that meet it"),
            (Aggregation.P95.value, "95th percentile, over those that meet it"),
        ],
        label="Value",
    )
    measure = forms.ChoiceField(
        choices=[(Measure.DURATION.value, "Duration, in milliseconds"), (Measure.ACTIONS.value, "Number of actions")],
        label="Of",
        help_text="What an average or a percentile is taken of; a rate needs none.",
    )
    window_days = forms.IntegerField(
        min_value=1, max_value=365, initial=7, label="Window, in days", help_text="It ends with the day measured."
    )

    @classmethod
    def of(cls, metric: Metric, data: Any = None) -> MetricForm:
        return cls(data, initial={name: getattr(metric, name) for name in cls.base_fields})

    def service_arguments(self) -> dict[str, Any]:
        """Return what was given, in the terms of the services."""
        given = self.cleaned_data
        return {**given, "aggregation": Aggregation(given["aggregation"]), "measure": Measure(given["measure"])}

    def metric(self) -> NewMetric:
        return NewMetric(**self.service_arguments())
