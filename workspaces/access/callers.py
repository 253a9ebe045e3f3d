"""Who is asking: the one value that every service takes instead of a user, a key or a workspace id."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID, uuid5

from core.errors import ForbiddenError
from workspaces.access.spaces import (
    EVERY_SPACE,
    SHARED_ONLY,
    UNBOUND,
    Binding,
    NamedSpaces,
    Reach,
    SpaceNotAllowedError,
    SubAgentRefusedError,
    session_space,
)


class Right(StrEnum):
    """What a caller may do; the scopes of an API key have the same names."""

    READ = "read"
    WRITE = "write"
    FACTS = "facts"
    ADMIN = "admin"


# What a scope lets its holder do, in the words of the pages where people give it.
MEANINGS: dict[Right, str] = {
    Right.READ: "list, search and assemble context",
    Right.WRITE: "remember, edit, suppress, forget, and record runs",
    Right.FACTS: "create facts, promote memories to facts, decide about proposals, pin, weigh, and lift suppressions",
    Right.ADMIN: "settings, API keys, members, purging",
}


class ActorKind(StrEnum):
    """What kind of actor stands behind a call."""

    USER = "user"
    API_KEY = "api_key"
    APP = "app"
    STAFF = "staff"
    SYSTEM = "system"


# Kinds of actors who are people, in front of a page or an API.
PEOPLE = frozenset({ActorKind.USER, ActorKind.STAFF})
# What stands behind the name of a caller that is not a person, since a key may be named like one.
KIND_NOTES: dict[ActorKind, str] = {ActorKind.API_KEY: " (API key)", ActorKind.APP: " (connected app)"}
MAX_SIGNATURE = 200

RIGHTS_OF_ROLE: dict[str, frozenset[Right]] = {
    "owner": frozenset(Right),
    "admin": frozenset(Right),
    "member": frozenset({Right.READ, Right.WRITE, Right.FACTS}),
    "viewer": frozenset({Right.READ}),
}
# Staff look, and take away what harms: they govern a workspace and write nothing into its memory.
RIGHTS_OF_STAFF = frozenset({Right.READ, Right.ADMIN})


_ROLE = ("Your role in this workspace", " An owner or admin of it can give you another role.")
# Whose right is missing, and what can be done about it.
LACKING = {
    ActorKind.USER: _ROLE,
    ActorKind.STAFF: _ROLE,
    ActorKind.APP: ("This connected app", " Connect it again, and allow it on the page where it asks for access."),
    ActorKind.API_KEY: ("This API key", " Use one that has it; owners and admins make keys under Settings → API keys."),
}


class MissingScopeError(ForbiddenError):
    """The caller is known in this workspace and lacks one right."""

    code = "missing_scope"

    def __init__(self, detail: str = "", *, right: Right | None = None) -> None:
        super().__init__(detail)
        self.right = right


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated actor inside exactly one workspace. Doors make it; payloads never do.

    `reach` says which of its spaces the call writes into and reads, within what the key or app is bound to.
    """

    workspace_id: UUID
    kind: ActorKind
    id: str
    label: str
    rights: frozenset[Right]
    address: str = ""
    reach: Reach = SHARED_ONLY
    binding: Binding = UNBOUND

    def naming(self, named: NamedSpaces) -> Caller:
        """Return the caller with the spaces that its call names.

        Raises what `Binding.reach` raises where the caller may not use them.
        """
        return replace(self, reach=self.binding.reach(named))

    def as_sub_agent(self) -> Caller:
        """Return the caller as a sub-agent, which is given no memory of users; nothing takes the mark away again."""
        return replace(self, binding=self.binding.for_sub_agent())

    def within(self, space_id: UUID) -> Caller:
        """Return the caller for work that is about one space alone, such as merging what is alike."""
        return replace(self, reach=Reach(space_id, (space_id,), name=None))

    def in_session(self, conversation_id: UUID) -> Caller:
        """Return the caller for what was written for one conversation, which it may read or write, and nothing else."""
        space = session_space(conversation_id)
        return replace(self, reach=Reach(space.id, (space.id,), name=space))

    def alone(self) -> Caller:
        """Return the caller without what is shared, for lists of what belongs to one space."""
        return replace(self, reach=replace(self.reach, read=(self.reach.written,)))

    def reading(self, spaces: Iterable[UUID]) -> Caller:
        """Return the caller for a list of what is in several spaces, each of which it may read."""
        return replace(self, reach=replace(self.reach, read=tuple(spaces)))

    def in_every_space(self) -> Caller:
        """Return the caller for a door that is about the whole workspace, such as an export, and leaves an audit event.

        Raises MissingScopeError without `admin`, SpaceNotAllowedError for a key that is bound to spaces,
        SubAgentRefusedError for a sub-agent.
        """
        self.require(Right.ADMIN)
        self.require_unbound()
        return replace(self, reach=EVERY_SPACE)

    def require_unbound(self) -> None:
        """Raise SpaceNotAllowedError for a key or app that is bound to spaces, where a call is about all of them, and
        SubAgentRefusedError for a sub-agent."""
        if self.is_sub_agent:
            raise SubAgentRefusedError(
                "This is about every space, those of users among them, and a sub-agent is given no memory of users. "
                "Call it without the mark of a sub-agent."
            )
        if self.binding.allowed:
            whose = "app" if self.kind == ActorKind.APP else "key"
            bound = f"this {whose} is bound to: {self.binding}"
            raise SpaceNotAllowedError(f"This is about every space, and {bound}. Use one that is bound to none.")

    def require_whole_workspace(self) -> None:
        """Raise what `require_unbound` raises for a key or app, where a call changes the workspace.

        What people may change of it follows from their role alone.
        """
        if self.is_agent:
            self.require_unbound()

    def in_each_space(self) -> list[Caller]:
        """Return the caller once for each space that it reads, in the order of their ids: to count what it has used."""
        return [self.within(space_id) for space_id in sorted(self.reach.read)]

    @property
    def is_sub_agent(self) -> bool:
        """Whether it is given no memory of users: neither their spaces nor their working memory."""
        return self.binding.is_of_sub_agent

    @property
    def is_person(self) -> bool:
        return self.kind in PEOPLE

    @property
    def is_agent(self) -> bool:
        """Whether a program calls: with an API key, or as a connected app."""
        return self.kind in KIND_NOTES

    @property
    def is_trusted(self) -> bool:
        """Whether its own word about what it wrote counts: a person's, or that of a program that may create facts."""
        return not self.is_agent or self.may(Right.FACTS)

    @property
    def signature(self) -> str:
        """The name under which what the caller wrote is shown, with the kind of a key or an app, in 200 characters."""
        note = KIND_NOTES.get(self.kind, "")
        return self.label[: MAX_SIGNATURE - len(note)] + note

    @property
    def cache_partition(self) -> UUID:
        """Stands for the workspace and the spaces that the call reads, for caches whose hits others must not notice."""
        return uuid5(self.workspace_id, ",".join(map(str, sorted(self.reach.read))))

    @property
    def is_in_reach(self) -> bool:
        """Whether the caller may write where it would: a bound one whose call names no space may not use `shared`."""
        return self.reach.name is None or self.binding.allows(self.reach.name)

    def may(self, right: Right) -> bool:
        return right in self.rights

    def require(self, right: Right) -> None:
        """Raise MissingScopeError, naming the right that is missing and who can give it."""
        if not self.may(right):
            whose, cure = LACKING.get(self.kind, ("This caller", ""))
            raise MissingScopeError(f"{whose} lacks the scope '{right}'.{cure}", right=right)


def system_caller(workspace_id: UUID, task: str, *, reach: Reach = SHARED_ONLY) -> Caller:
    """Return the caller of a background task; `task` is its name in audit events and revisions."""
    return Caller(workspace_id, ActorKind.SYSTEM, task, task, frozenset({Right.READ, Right.WRITE}), reach=reach)


def maintenance_caller(workspace_id: UUID, task: str) -> Caller:
    """Return the caller of a task that treats every row alike, whatever space it is in: vectors, the graph, retention.

    It must name the space of each row that it adds, and never compares rows of one space with those of another.
    """
    return system_caller(workspace_id, task, reach=EVERY_SPACE)
