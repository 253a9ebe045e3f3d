"""What the REST doors of searching, asking and prompting accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.http.fields import (
    IdField,
    LineField,
    SpokenField,
    StrictSerializer,
    WholeNumberField,
)
from ontology.nodes_and_edges.validation import MAX_NAME_CHARACTERS
from ontology.search.schemas import MAX_QUERY_CHARACTERS, SearchFilterInput, _under_one_name

MAX_PROMPT_CHARACTERS = 20_000
MAX_SOURCES = 50
INTENTS = ("update", "query", "both")


class AskInput(StrictSerializer):
    """The body of `POST ontology/ask`; the question may be called `query`, as it is elsewhere."""

    json_rules = {"oneOf": [{"required": ["question"]}, {"required": ["query"]}]}

    question = SpokenField(max_length=MAX_QUERY_CHARACTERS, required=False)
    query = SpokenField(max_length=MAX_QUERY_CHARACTERS, required=False)
    top_k = WholeNumberField(min_value=1, max_value=MAX_SOURCES, required=False)
    filters = SearchFilterInput(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _under_one_name(attrs, "question", "query")


class PromptInput(StrictSerializer):
    """The body of `POST ontology/prompt`; the text may be called `prompt`. It is read, and kept nowhere.

    `message_id` and `speaker` say where it comes from, and who says "I" in it.
    """

    json_rules = {"oneOf": [{"required": ["text"]}, {"required": ["prompt"]}]}

    text = SpokenField(max_length=MAX_PROMPT_CHARACTERS, required=False)
    prompt = SpokenField(max_length=MAX_PROMPT_CHARACTERS, required=False)
    intent = serializers.ChoiceField(INTENTS, required=False)
    message_id = IdField(required=False, allow_null=True)
    speaker = LineField(max_length=MAX_NAME_CHARACTERS, required=False, allow_blank=True)
    top_k = WholeNumberField(min_value=1, max_value=MAX_SOURCES, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _under_one_name(attrs, "text", "prompt")
