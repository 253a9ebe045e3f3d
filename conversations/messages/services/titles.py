"""Giving a conversation a title that people recognise it by."""

from __future__ import annotations

from conversations.messages.selectors import own_conversations
from core.text import excerpt
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

MAX_CHARACTERS = 80


def title_conversation(*, caller: Caller, key: str, text: str) -> None:
    """Title the conversation with this key of the written space after a text, unless it has a title.

    Raises MissingScopeError.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        untitled = own_conversations(caller).filter(key=key, title="")
        untitled.update(title=excerpt(text, limit=MAX_CHARACTERS))
