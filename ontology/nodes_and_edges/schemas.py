"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.http.fields import (
    CommaSeparatedField,
    IdField,
    LineField,
    ObjectField,
    StrictSerializer,
    TextField,
)
from ontology.models import Entity
from ontology.nodes_and_edges.validation import MAX_NAME_CHARACTERS, MAX_TYPE_CHARACTERS


class TypeField(LineField):
    """A type: free-form, one line of 1 to 64 characters."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_TYPE_CHARACTERS, **kwargs)


class NodeInput(StrictSerializer):
    """The body of `POST ontology/nodes`, and each line of `POST ontology/nodes/bulk`."""

    type = TypeField()
    name = LineField(max_length=MAX_NAME_CHARACTERS)
    properties = ObjectField(required=False)
    connection = IdField(required=False, allow_null=True)


class NodeEditInput(StrictSerializer):
    """The body of `PATCH ontology/nodes/{id}`: any of these. Of properties, those that are named; null removes one."""

    json_rules = {"minProperties": 1}

    type = TypeField(required=False)
    name = LineField(max_length=MAX_NAME_CHARACTERS, required=False)
    properties = ObjectField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _not_empty(attrs)


class EdgeInput(StrictSerializer):
    """The body of `POST ontology/edges`, and each line of `POST ontology/edges/bulk`."""

    type = TypeField()
    source = IdField()  # type: ignore[assignment]  # a field named like an option
    target = IdField()
    properties = ObjectField(required=False)
    connection = IdField(required=False, allow_null=True)


class EdgeEditInput(StrictSerializer):
    """The body of `PATCH ontology/edges/{id}`: any of these. Of properties, those that are named; null removes one."""

    json_rules = {"minProperties": 1}

    type = TypeField(required=False)
    properties = ObjectField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _not_empty(attrs)


class PropertiesField(serializers.ListField):
    """`name:value`, the parameter repeated for several; a value that reads as JSON is taken as such, or as text."""

    default_error_messages = {"invalid_property": "Write it as name:value."}

    def get_value(self, dictionary: Any) -> Any:
        given = dictionary.getlist(self.field_name)
        return given or serializers.empty

    def to_internal_value(self, data: Any) -> list[tuple[str, str]]:
        pairs = [str(text).partition(":") for text in super().to_internal_value(data)]
        if any(not name or not colon for name, colon, _ in pairs):
            self.fail("invalid_property")
        return [(name, value) for name, _, value in pairs]


class ObjectListInput(StrictSerializer):
    """What lists of nodes and of edges have in common; `limit` and `cursor` belong to the pages."""

    type = CommaSeparatedField(child=TypeField(), required=False)
    connection = IdField(required=False)
    property = PropertiesField(child=TextField(), required=False)
    created_after = serializers.DateTimeField(required=False)
    created_before = serializers.DateTimeField(required=False)
    include_deleted = serializers.BooleanField(default=False)
    limit = serializers.CharField(required=False)
    cursor = serializers.CharField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The fields of the filter, by its names."""
        names = {"type": "types", "property": "properties"}
        return {names.get(name, name): value for name, value in attrs.items() if name not in {"limit", "cursor"}}


class NodeListInput(ObjectListInput):
    """The query string of `GET ontology/nodes`; `name` is the whole name, `q` a part of it."""

    name = LineField(max_length=MAX_NAME_CHARACTERS, required=False)
    q = TextField(max_length=MAX_NAME_CHARACTERS, required=False)


class EdgeListInput(ObjectListInput):
    """The query string of `GET ontology/edges`; `node` is either end."""

    source = IdField(required=False)  # type: ignore[assignment]  # a field named like an option
    target = IdField(required=False)
    node = IdField(required=False)


class TypeInput(StrictSerializer):
    """The body of `POST ontology/types`."""

    entity = serializers.ChoiceField(Entity.choices)
    name = TypeField()
    description = TextField(max_length=500, required=False, allow_blank=True)


class TypeEditInput(StrictSerializer):
    """The body of `PATCH ontology/types/{id}`."""

    description = TextField(max_length=500, allow_blank=True)


class NothingInput(StrictSerializer):
    """An empty body."""


def _not_empty(attrs: dict[str, Any]) -> dict[str, Any]:
    if not attrs:
        raise serializers.ValidationError("Name at least one field to change.", code="empty")
    return attrs
