"""REST of assembled context and its receipts."""

from __future__ import annotations

from rest_framework import serializers

from core.http.fields import (
    IdField,
    LineField,
    SpokenField,
    StrictSerializer,
    WholeNumberField,
)
from memory.memories.schemas import MAX_QUERY_CHARACTERS
from workspaces.settings.workspace_settings import LIMITS

MAX_NAMED_NODES = 100


class ContextInput(StrictSerializer):
    """The body of `POST context`."""

    query = SpokenField(max_length=MAX_QUERY_CHARACTERS)
    conversation = LineField(max_length=200, required=False)
    node_ids = serializers.ListField(child=IdField(), max_length=MAX_NAMED_NODES, required=False)
    user = LineField(max_length=200, required=False)
    token_budget = WholeNumberField(min_value=1, max_value=LIMITS["token_budget"][1], required=False)


class WindowInput(StrictSerializer):
    """The query string of `GET conversations/{c}/window`."""

    last = serializers.IntegerField(min_value=1, max_value=200, default=20)
