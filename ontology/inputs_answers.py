"""What the REST doors of searching, asking and prompting accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.http.fields import (
    IdField,
    ObjectField,
    StrictSerializer,
    TextField,
    WholeNumberField,
)
from ontology.content import MOST_NAME_CHARACTERS
from ontology.inputs import TypeField

MOST_QUERY_CHARACTERS = 4_000
MOST_PROMPT_CHARACTERS = 20_000
MOST_SOURCES = 50
MODES = ("hybrid", "keyword", "semantic")
INTENTS = ("update", "query", "both")


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


class SearchInput(StrictSerializer):
    """The body of `POST ontology/search`."""

    query = TextField(max_length=MOST_QUERY_CHARACTERS)
    top_k = WholeNumberField(min_value=1, max_value=200, required=False)
    mode = serializers.ChoiceField(MODES, required=False)
    filters = SearchFilterInput(required=False)


class AskInput(StrictSerializer):
    """The body of `POST ontology/ask`; the question may be called `query`, as it is elsewhere."""

    json_rules = {"oneOf": [{"required": ["question"]}, {"required": ["query"]}]}

    question = TextField(max_length=MOST_QUERY_CHARACTERS, required=False)
    query = TextField(max_length=MOST_QUERY_CHARACTERS, required=False)
    top_k = WholeNumberField(min_value=1, max_value=MOST_SOURCES, required=False)
    filters = SearchFilterInput(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _under_one_name(attrs, "question", "query")


class PromptInput(StrictSerializer):
    """The body of `POST ontology/prompt`; the text may be called `prompt`. It is read, and kept nowhere.

    `message_id` and `speaker` say where it comes from, and who says "I" in it.
    """

    json_rules = {"oneOf": [{"required": ["text"]}, {"required": ["prompt"]}]}

    text = TextField(max_length=MOST_PROMPT_CHARACTERS, required=False)
    prompt = TextField(max_length=MOST_PROMPT_CHARACTERS, required=False)
    intent = serializers.ChoiceField(INTENTS, required=False)
    message_id = IdField(required=False, allow_null=True)
    speaker = TextField(max_length=MOST_NAME_CHARACTERS, required=False, allow_blank=True)
    top_k = WholeNumberField(min_value=1, max_value=MOST_SOURCES, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _under_one_name(attrs, "text", "prompt")


def _under_one_name(attrs: dict[str, Any], name: str, other: str) -> dict[str, Any]:
    """One of two fields that mean the same, under the first one's name."""
    if len({name, other} & attrs.keys()) != 1:
        raise serializers.ValidationError({name: [f"Give it, as `{name}` or as `{other}`."]}, code="required")
    return {name: attrs.pop(name, "") or attrs.pop(other), **attrs}
