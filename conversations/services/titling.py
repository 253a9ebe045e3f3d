"""Giving a conversation a title that people recognise it by."""

from __future__ import annotations

from conversations.selectors import conversations_of
from core.text import excerpt
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope

MOST_CHARACTERS = 80


def title_conversation(*, caller: Caller, key: str, text: str) -> None:
    """Call the conversation after the beginning of a text, unless it has a title. Raises MissingScopeError."""
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        untitled = conversations_of(caller).filter(key=key, title="")
        untitled.update(title=excerpt(text, limit=MOST_CHARACTERS))
