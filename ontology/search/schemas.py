"""What the REST doors of searching, asking and prompting accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.http.fields import (
    IdField,
    ObjectField,
    SpokenField,
    StrictSerializer,
    WholeNumberField,
)
from ontology.nodes_and_edges.schemas import TypeField

MAX_QUERY_CHARACTERS = 4_000
MODES = ("hybrid", "keyword", "semantic")


class SearchFilterInput(StrictSerializer):
    """The filters of a search and of a question; `properties` are all of them."""

    types = serializers.ListField(child=TypeField(), max_length=50, required=False)
    connection = IdField(required=False)
    properties = ObjectField(required=False)
    created_after = serializers.DateTimeField(required=False, allow_null=True)
    created_before = serializers.DateTimeField(required=False, allow_null=True)
    as_of = serializers.DateTimeField(required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The fields of the filter, by its names."""
        names = {"properties": "holding"}
        return {names.get(name, name): value for name, value in attrs.items()}


class NodeSearchInput(StrictSerializer):
    """The body of `POST ontology/search`."""

    query = SpokenField(max_length=MAX_QUERY_CHARACTERS)
    top_k = WholeNumberField(min_value=1, max_value=200, required=False)
    mode = serializers.ChoiceField(MODES, required=False)
    filters = SearchFilterInput(required=False)


def _under_one_name(attrs: dict[str, Any], name: str, other: str) -> dict[str, Any]:
    """One of two fields that mean the same, under the first one's name."""
    if len({name, other} & attrs.keys()) != 1:
        raise serializers.ValidationError({name: [f"Give it, as `{name}` or as `{other}`."]}, code="required")
    return {name: attrs.pop(name, "") or attrs.pop(other), **attrs}
