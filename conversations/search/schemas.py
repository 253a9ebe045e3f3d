"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from conversations.messages import conversation_keys
from conversations.search.services.passages import DEFAULT_TOP_K
from core.http.fields import (
    LineField,
    SpokenField,
    StrictSerializer,
    WholeNumberField,
)

MAX_QUERY_CHARACTERS = 4_000
DEFAULT_FOUND = 10


class MessageSearchInput(StrictSerializer):
    """The body of `POST messages/search`; `conversation` is a key or an id."""

    query = SpokenField(max_length=MAX_QUERY_CHARACTERS)
    limit = WholeNumberField(min_value=1, max_value=200, default=DEFAULT_FOUND)
    conversation = LineField(max_length=conversation_keys.MAX_CHARACTERS, required=False)


class RecallInput(StrictSerializer):
    """The body of `POST conversations/{c}/recall`."""

    query = SpokenField(max_length=MAX_QUERY_CHARACTERS)
    top_k = WholeNumberField(min_value=1, max_value=50, default=DEFAULT_TOP_K)
