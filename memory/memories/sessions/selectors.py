"""Reading what was written for one conversation alone: memories in a space of their own, which no call can name."""

from __future__ import annotations

from uuid import UUID

from conversations.messages.selectors import access_conversation, resolve_conversation
from memory.memories.selectors import MemoryFilter, memories_matching
from memory.models import MemoryQuerySet
from workspaces.access.callers import Caller
from workspaces.access.compiled_queries import CallerQuery
from workspaces.access.scope import reading_scope
from workspaces.access.spaces import session_space
from workspaces.models import Space

_SPACE = CallerQuery(lambda caller, given: Space.objects.of(caller).filter(id=given.id).values_list("id"))


def access_session(caller: Caller, conversation: str) -> Caller:
    """Return the caller for what was written for the conversation with this id or key. Raises NotFoundError."""
    return caller.in_session(access_conversation(caller, conversation).id)


def session_memories(inside: Caller, narrow: MemoryFilter) -> MemoryQuerySet:
    """Return the live memories of a session for a list, for an open scope of the caller of `access_session`."""
    return memories_matching(inside, narrow)


def with_session(caller: Caller, conversation: UUID | None) -> Caller:
    """Return the caller that reads what was written for a conversation as well; itself where nothing was."""
    if conversation is None or caller.reach.every:
        return caller
    space = session_space(conversation)
    with reading_scope(caller):
        is_entered = bool(_SPACE.rows(caller, id=space.id))
    return caller.reading((*caller.reach.read, space.id)) if is_entered else caller


def with_named_session(caller: Caller, address: str) -> Caller:
    """Return what `with_session` does, for the id or key of a conversation; itself where there is none."""
    if not address:
        return caller
    with reading_scope(caller):
        place = resolve_conversation(caller, address)
    return with_session(caller, place.conversation)
