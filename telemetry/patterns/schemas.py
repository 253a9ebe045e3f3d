"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from rest_framework import serializers

from core.http.fields import (
    ChosenField,
    FlagField,
    IdentifierField,
    IdField,
    LineField,
    StrictSerializer,
    TextField,
)
from telemetry.actions.schemas import MAX_NODE_IDS, NameField, _Page
from telemetry.models import PatternStatus


class PatternsQuery(_Page):
    """The query string of `GET patterns`."""

    status = serializers.ChoiceField(PatternStatus.values, required=False)
    suppressed = ChosenField()
    action_type = NameField(max_length=64, required=False)
    node_type = LineField(max_length=64, required=False)
    error_code = NameField(max_length=64, required=False)


class AnnotationInput(StrictSerializer):
    """The body of `POST patterns/{id}/annotate`: a note, whether agents are told, or both."""

    json_rules = {"minProperties": 1}

    annotation = TextField(max_length=2_000, required=False, allow_blank=True)
    suppressed = FlagField(required=False)


class InjectionInput(StrictSerializer):
    """The body of `POST patterns/inject`; `session` is the one under which the agent reports its actions."""

    node_ids = serializers.ListField(child=IdField(), max_length=MAX_NODE_IDS)
    action_type = NameField(max_length=64, required=False, allow_blank=True)
    session = IdentifierField(max_length=200, required=False, allow_blank=True)


class SuppressionInput(StrictSerializer):
    """The body of `POST patterns/suppress` and `POST patterns/unsuppress`: how the keys of the patterns begin."""

    key_prefix = LineField(max_length=200)
