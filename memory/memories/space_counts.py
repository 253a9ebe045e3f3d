"""How much is in the spaces of a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from conversations.models import Conversation
from core.db.named_statements import named_statements
from memory.memories.facets import MAX_COUNTED
from memory.models import EpisodeStatement, Memory
from telemetry.models import Action
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import own_space, workspace_members
from workspaces.access.space_registry import find_space, known_spaces
from workspaces.models import Space, SpaceKind

STATEMENTS = named_statements(Path(__file__).with_name("queries.sql"))


@dataclass(frozen=True, slots=True)
class CountedSpace:
    """A space, and the numbers of its live memories and facts, conversations, statements of episodes and actions."""

    space: Space
    memories: int
    conversations: int
    statements: int
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
            statements=EpisodeStatement.objects.of(inside).count(),
            actions=Action.objects.of(inside).count(),
        )


@dataclass(frozen=True, slots=True)
class ListedSpace:
    """A space as a list shows it: the person whose it is, counts up to `MAX_COUNTED` + 1, and its last activity."""

    space: Space
    person: str
    memories: int
    conversations: int
    last_activity: datetime | None


def find_spaces(caller: Caller, *, kind: str = "", words: str = "") -> QuerySet[Space]:
    """Return the spaces that the caller may know of, in the open scope, narrowed to a kind and to a name.

    `kind` may be `custom`; `words` are how the name of the space begins, or part of the name or address of a member.
    Raises MissingScopeError.
    """
    found = known_spaces(caller, prefix=words)
    if words:
        found = found | known_spaces(caller).filter(id__in=_spaces_of_members(caller, words))
    return found.filter(kind=kind) if kind else found


def list_spaces(caller: Caller, spaces: Sequence[Space]) -> list[ListedSpace]:
    """Return a page of spaces that the caller may know of, with what is in each, by one statement for all of them."""
    with workspace_scope(caller):
        people = {str(member.user_id): str(member.user) for member in workspace_members(caller)}
    every = caller.reading(space.id for space in spaces) if caller.binding.is_limited else caller.in_every_space()
    with workspace_scope(every), connection.cursor() as cursor:
        cursor.execute(
            STATEMENTS["space_counts"],
            {
                "workspace_id": caller.workspace_id,
                "spaces": [space.id for space in spaces],
                "counted": MAX_COUNTED + 1,
            },
        )
        counts = {row[0]: row[1:] for row in cursor.fetchall()}
    return [
        ListedSpace(space, people.get(space.key, "") if space.kind == SpaceKind.USER else "", *counts[space.id])
        for space in spaces
    ]


def _spaces_of_members(caller: Caller, words: str) -> list[UUID]:
    """Return the spaces of the members whose name has these words; for those who govern, or whose address has them."""
    sought, governs = words.casefold(), caller.may(Right.ADMIN)
    return [
        own_space(member.user_id).id
        for member in workspace_members(caller)
        if sought in f"{member.user.name}\n{member.user.email if governs else ''}".casefold()
    ]
