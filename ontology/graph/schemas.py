"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.http.fields import (
    IdField,
    StrictSerializer,
    WholeNumberField,
)


class NeighboursInput(StrictSerializer):
    """The query string of `GET ontology/nodes/{id}/neighbours` and of `GET ontology/nodes/{id}/impact`."""

    depth = serializers.IntegerField(min_value=1, max_value=6, required=False)
    direction = serializers.ChoiceField(["both", "out", "in"], required=False)
    limit = serializers.IntegerField(min_value=1, max_value=1_000, required=False)


class PathInput(StrictSerializer):
    """The body of `POST ontology/path`."""

    from_ = IdField()
    to = IdField()
    max_depth = WholeNumberField(min_value=1, max_value=8, required=False)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python's, and so cannot be the name of an attribute."""
        fields = super().get_fields()
        return {name.rstrip("_"): field for name, field in fields.items()}
