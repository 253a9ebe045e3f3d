"""How much is in one space of a workspace."""

from __future__ import annotations

from dataclasses import dataclass

from conversations.models import Conversation
from memory.models import Memory
from telemetry.models import Action
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_directory import find_space
from workspaces.models import Space


@dataclass(frozen=True, slots=True)
class CountedSpace:
    """A space, and the numbers of its live memories and facts, of its conversations and of actions of agents."""

    space: Space
    memories: int
    conversations: int
    actions: int


def count_space(caller: Caller, name: str) -> CountedSpace:
    """Count what is in a space that the caller may know of. Raises what `find_space` raises."""
    space = find_space(caller, name)
    inside = caller.within(space.id)
    with workspace_scope(inside):
        return CountedSpace(
            space,
            memories=Memory.objects.of(inside).live().count(),
            conversations=Conversation.objects.of(inside).count(),
            actions=Action.objects.of(inside).count(),
        )
