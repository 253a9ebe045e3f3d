"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from rest_framework import serializers

from core.clock import utc_now
from core.http.fields import (
    ChosenField,
    FlagField,
    IdField,
    NumberField,
    StrictSerializer,
    TextField,
    WholeNumberField,
)
from telemetry.benchmarks_maths import Aggregation, Measure
from telemetry.models import PatternStatus
from telemetry.sequencing import Outcome
from telemetry.services.recording import MOST_AT_ONCE

MOST_NODE_IDS = 100
DAY_MS = 86_400_000
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
# How far an agent's clock may be ahead of ours.
MOST_AHEAD = timedelta(minutes=5)

OUTCOMES = [str(outcome) for outcome in Outcome]


class NameField(TextField):
    """A name out of code, such as `rate_limited` or `memory.search`: no spaces, so that no message fits in."""

    default_error_messages = {"not_a_name": "Letters, digits and . _ : / - only. Messages and arguments are not kept."}
    _NAME = re.compile(r"[\w.:/-]+", re.ASCII)
    json_pattern = r"^[A-Za-z0-9_.:/-]+$"

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if text and not self._NAME.fullmatch(text):
            self.fail("not_a_name")
        return text


class LineField(TextField):
    """A text on one line."""

    default_error_messages = {"more_than_a_line": "One line only."}
    json_pattern = r"^[^\s\u0000-\u001f]([^\u0000-\u001f\u0085\u2028\u2029]*[^\s\u0000-\u001f])?$"

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if len(text.splitlines()) > 1:
            self.fail("more_than_a_line")
        return text


class PastField(serializers.DateTimeField):
    """A time since the year 2000 that has come, give or take what clocks differ by."""

    default_error_messages = {"out_of_range": "Must be from the year 2000 up to now."}

    def to_internal_value(self, value: Any) -> datetime:
        at = super().to_internal_value(value)
        if not EARLIEST <= at <= utc_now() + MOST_AHEAD:
            self.fail("out_of_range")
        return at


class ActionInput(StrictSerializer):
    """One action. There is no field for arguments, bodies or messages, and unknown ones are refused."""

    session = LineField(max_length=200)
    agent = LineField(max_length=120)
    action_type = NameField(max_length=64)
    tool = NameField(max_length=120, required=False, allow_blank=True)
    node_type = LineField(max_length=64, required=False, allow_blank=True)
    node_ids = serializers.ListField(child=IdField(), max_length=MOST_NODE_IDS, required=False)
    outcome = serializers.ChoiceField(OUTCOMES)
    error_code = NameField(max_length=64, required=False, allow_blank=True)
    latency_ms = NumberField(min_value=0, max_value=DAY_MS, required=False, allow_null=True)
    occurred_at = PastField(required=False)


class ActionsInput(StrictSerializer):
    """The body of `POST actions`."""

    actions = serializers.ListField(child=ActionInput(), min_length=1, max_length=MOST_AT_ONCE)


class _Page(StrictSerializer):
    """A query string whose `limit` and `cursor` belong to the pages."""

    limit = serializers.CharField(required=False)
    cursor = serializers.CharField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in attrs.items() if name not in {"limit", "cursor"} and value is not None}


class ActionsQuery(_Page):
    """The query string of `GET actions`."""

    session = LineField(max_length=200, required=False)
    agent = LineField(max_length=120, required=False)
    action_type = NameField(max_length=64, required=False)
    node_type = LineField(max_length=64, required=False)
    outcome = serializers.ChoiceField(OUTCOMES, required=False)
    error_code = NameField(max_length=64, required=False)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class SequencesQuery(_Page):
    """The query string of `GET sequences`."""

    session = LineField(max_length=200, required=False)
    agent = LineField(max_length=120, required=False)
    outcome = serializers.ChoiceField(OUTCOMES, required=False)
    action_type = NameField(max_length=64, required=False)
    node_type = LineField(max_length=64, required=False)
    error_code = NameField(max_length=64, required=False)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class PatternsQuery(_Page):
    """The query string of `GET patterns`."""

    status = serializers.ChoiceField(PatternStatus.values, required=False)
    suppressed = ChosenField()
    action_type = NameField(max_length=64, required=False)
    node_type = LineField(max_length=64, required=False)
    error_code = NameField(max_length=64, required=False)


class NothingInput(StrictSerializer):
    """An empty body."""


class AnnotationInput(StrictSerializer):
    """The body of `POST patterns/{id}/annotate`: a note, whether agents are told, or both."""

    json_rules = {"minProperties": 1}

    annotation = TextField(max_length=2_000, required=False, allow_blank=True)
    suppressed = FlagField(required=False)


class InjectionInput(StrictSerializer):
    """The body of `POST patterns/inject`; `session` is the one under which the agent reports its actions."""

    node_ids = serializers.ListField(child=IdField(), max_length=MOST_NODE_IDS)
    action_type = NameField(max_length=64, required=False, allow_blank=True)
    session = LineField(max_length=200, required=False, allow_blank=True)


class SuppressionInput(StrictSerializer):
    """The body of `POST patterns/suppress` and `POST patterns/unsuppress`: how the keys of the patterns begin."""

    key_prefix = LineField(max_length=200)


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
