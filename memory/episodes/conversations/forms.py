"""What the address of the list of conversations asks for."""

from __future__ import annotations

from typing import Annotated

from conversations.search.schemas import MAX_QUERY_CHARACTERS
from core.http.field_types import TextRules
from core.http.pagination import PageQuery


class ConversationListForm(PageQuery):
    """The query string of the list: the words of a search through all messages."""

    q: Annotated[str, TextRules(max_length=MAX_QUERY_CHARACTERS, allow_blank=True)] = ""
