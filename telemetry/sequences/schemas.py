"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from rest_framework import serializers

from core.http.fields import (
    LineField,
)
from telemetry.actions.schemas import OUTCOMES, NameField, _Page


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
