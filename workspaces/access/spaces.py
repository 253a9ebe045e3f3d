"""Spaces: the parts of a workspace, which decide whose memory a row is and which rows a call may read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from uuid import UUID

from core.errors import FieldProblem, ForbiddenError, InvalidError
from core.ids import parse_id
from core.space_ids import NO_SPACE
from core.space_ids import SHARED as SHARED_ID
from core.text import has_invisible_characters, is_one_line, is_plain_name
from core.text.validators import INVISIBLE_CHARACTERS

MAX_KEY_CHARACTERS = 200
MAX_NAME_CHARACTERS = 33 + MAX_KEY_CHARACTERS
NOT_TRIMMED = "Has space at its start or end, with which it is another name. Remove it."
NOT_PLAIN = "Has a character of format, of private use or without a meaning, or a blank other than U+0020. Remove it."
# The kind of a custom space, such as `project`.
KIND = re.compile(r"[a-z][a-z0-9_-]{0,31}")
# A key that is a name: "mara", "mara.olsen", "mara@example.com"; neither "u-4711" nor a UUID.
_NAME = re.compile(r"[^\W\d_]{2,}(?:[ ._'’-]+[^\W\d_]+){0,3}")


@dataclass(frozen=True, slots=True, order=True)
class SpaceName:
    """A part of a workspace: `shared`, or a kind and a key, such as `user:42`."""

    kind: str
    key: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.key}" if self.key else self.kind

    @property
    def id(self) -> UUID:
        """The id of the space. It follows from the name, so that no call must look it up and an export keeps it."""
        return _space_id(str(self))

    @property
    def user_name(self) -> str:
        """Return the name of the user whose space it is; '' for other spaces, and where the key is not a name."""
        name = self.key.partition("@")[0] if self.kind == USER_KIND else ""
        return re.sub(r"[._]+", " ", name) if _NAME.fullmatch(name) else ""


SHARED = SpaceName("shared")
# What is written for one session has a space of its own. No call can name it: no kind begins like this.
SESSION_KIND = ".session"
# The kinds that are not custom.
USER_KIND = "user"
OWN_KINDS = frozenset({SHARED.kind, USER_KIND, "agent"})


class ContradictingSpacesError(InvalidError):
    """`space` names another space than `user` and `agent` do, or nothing is left to read."""

    code = "contradicting_spaces"


class SpaceRequiredError(InvalidError):
    """The key may use several spaces, `shared` not among them, and the call names none."""

    code = "space_required"


class SpaceNotAllowedError(ForbiddenError):
    """The key or connected app is bound to other spaces."""

    code = "space_not_allowed"


class SubAgentRefusedError(ForbiddenError):
    """A sub-agent asked for memory of a user, or for something about every space."""

    code = "not_for_sub_agents"
    title = "A sub-agent is given no memory of users. Give it in its briefing what it has to know."


class OtherSpaceError(ForbiddenError):
    """What is to be changed can be read, and belongs to another space than the call writes into."""

    code = "other_space"
    title = (
        "This belongs to another space than the call writes into. Name its space in the call, as `space`, to change it."
    )


@lru_cache(maxsize=10_000)
def _space_id(name: str) -> UUID:
    if name == str(SHARED):
        return SHARED_ID
    digest = bytearray(sha256(f"space:{name}".encode()).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80  # version 8 of RFC 9562: made by a rule of one's own
    digest[8] = digest[8] & 0x3F | 0x80
    return UUID(bytes=bytes(digest))


def parse_space(name: str, *, field: str = "space") -> SpaceName:
    """Return the space of a name such as `shared`, `user:42` or `project:apollo`.

    Raises InvalidError where the kind is not 1 to 32 small letters, digits, `-` and `_`, or the key is not one.
    """
    kind, colon, key = name.partition(":")
    if not colon and kind == SHARED.kind:
        return SHARED
    if not colon or kind == SHARED.kind or KIND.fullmatch(kind) is None:
        raise _invalid(field, "Give `shared`, or a kind and a key with a colon between them, such as `project:apollo`.")
    return SpaceName(kind, space_key(key, field=field))


def parse_custom_space(name: str, *, field: str = "space") -> SpaceName:
    """Return a custom space by its name, such as `project:apollo`. Raises InvalidError for any other."""
    space = parse_space(name, field=field)
    if space.kind in OWN_KINDS:
        raise _invalid(field, "Give a custom space, such as `project:apollo`; users and agents have theirs.")
    refuse_unseen(space, field=field)
    return space


def session_space(conversation_id: UUID) -> SpaceName:
    """Return the space of what was written for one conversation."""
    return SpaceName(SESSION_KIND, str(conversation_id))


def parse_entered_space(name: str) -> SpaceName:
    """Return the space of a name in the list of spaces, which has those of sessions too. Raises InvalidError."""
    kind, _, key = name.partition(":")
    if kind == SESSION_KIND and (identity := parse_id(key)):
        return session_space(identity)
    return parse_space(name)


def space_key(key: str, *, field: str) -> str:
    """Return the key of a space; raise InvalidError where it is empty, too long, `*` or has control characters."""
    if not key.strip() or key == "*" or len(key) > MAX_KEY_CHARACTERS or not is_one_line(key):
        raise _invalid(
            field, f"Give a key of 1 to {MAX_KEY_CHARACTERS} characters on one line; `*` alone is not a key."
        )
    return key


def refuse_unseen(space: SpaceName, *, field: str) -> None:
    """Raise InvalidError for a name that looks like another one and is not: something in it cannot be seen."""
    if has_invisible_characters(space.key):
        raise InvalidError(problems=(FieldProblem(field, "invisible_characters", INVISIBLE_CHARACTERS),))
    if space.key != space.key.strip():
        raise _invalid(field, NOT_TRIMMED)
    if not is_plain_name(space.key):
        raise _invalid(field, NOT_PLAIN)


def _invalid(field: str, detail: str) -> InvalidError:
    return InvalidError(problems=(FieldProblem(field, "invalid", detail),))


@dataclass(frozen=True, slots=True)
class NamedSpaces:
    """The spaces that a call names."""

    user: str | None = None
    agent: str | None = None
    space: str | None = None
    shared: bool = True

    @property
    def all(self) -> tuple[SpaceName, ...]:
        """What is named, the space to write into first.

        Raises ContradictingSpacesError where `space` is not among `user` and `agent` though they are given.
        """
        named = [
            SpaceName(kind, space_key(key, field=kind))
            for kind, key in (("user", self.user), ("agent", self.agent))
            if key is not None
        ]
        if self.space is None:
            return tuple(named)
        space = parse_space(self.space)
        if named and space not in named:
            raise ContradictingSpacesError(
                f"`space` is not the space of `{named[0].kind}`. Name one of them, or the same space with both."
            )
        return (space, *(each for each in named if each != space))


@dataclass(frozen=True, slots=True)
class Reach:
    """The ids of the space that a call writes into and of those that it reads; `every` is for maintenance alone.

    `name` is that of the written space, where the call gave it.
    """

    written: UUID = SHARED_ID
    read: tuple[UUID, ...] = (SHARED_ID,)
    every: bool = False
    name: SpaceName | None = SHARED


SHARED_ONLY = Reach()
EVERY_SPACE = Reach(written=NO_SPACE, read=(), every=True, name=None)


@dataclass(frozen=True, slots=True)
class Binding:
    """The spaces that a key or connected app is bound to: names, and `user:*` for every space of a kind.

    Empty binds to nothing: every space may be named, and a call that names none has `shared`, or the `default`. That of
    a sub-agent leaves the spaces of users out, whatever else it allows.
    """

    allowed: tuple[str, ...] = ()
    default: SpaceName | None = None
    is_of_sub_agent: bool = False

    @property
    def is_limited(self) -> bool:
        """Whether there are spaces that it does not allow."""
        return bool(self.allowed) or self.is_of_sub_agent

    def allows(self, space: SpaceName) -> bool:
        if self.is_of_sub_agent and space.kind == USER_KIND:
            return False
        return not self.allowed or self._includes(str(space))

    def require(self, space: SpaceName) -> None:
        """Raise SpaceNotAllowedError for a space outside of the binding, SubAgentRefusedError for that of a user where
        a sub-agent asks."""
        if self.is_of_sub_agent and space.kind == USER_KIND:
            raise SubAgentRefusedError(
                f"A sub-agent is given no memory of users, and this call is about '{space}'. Name another space, and "
                "give the sub-agent in its briefing what it has to know of the user."
            )
        if not self.allows(space):
            raise SpaceNotAllowedError(f"This key may not use the space '{space}'. It is bound to: {self}.")

    def reach(self, named: NamedSpaces) -> Reach:
        """Return what a call that names these spaces writes and reads; a binding narrows it, a call never widens it.

        Raises SpaceNotAllowedError for a named space outside of the binding, SpaceRequiredError where the binding does
        not tell which space a call without one means, ContradictingSpacesError where nothing is left to read.
        """
        spaces = named.all or (self._default(),)
        for space in spaces:
            self.require(space)
        if not named.shared and spaces == (SHARED,):
            raise ContradictingSpacesError("`shared` is false, and no other space is named. Name a user or a space.")
        reads_shared = named.shared and SHARED not in spaces and self.allows(SHARED)
        read = (*spaces, SHARED) if reads_shared else spaces
        return Reach(spaces[0].id, tuple(each.id for each in read), name=spaces[0])

    def covers(self, other: Binding) -> bool:
        """Return whether a key with the other binding reaches nothing that one with this does not reach."""
        if self.is_of_sub_agent and not other.is_of_sub_agent:
            return False
        return not self.allowed or (bool(other.allowed) and all(map(self._includes, other.allowed)))

    def narrow(self, other: Binding) -> Binding | None:
        """Return the binding to what both allow; None where there is nothing."""
        is_of_sub_agent = self.is_of_sub_agent or other.is_of_sub_agent
        if not (self.allowed and other.allowed):
            return replace(self if self.allowed else other, is_of_sub_agent=is_of_sub_agent)
        both = [*filter(other._includes, self.allowed), *filter(self._includes, other.allowed)]
        return Binding(tuple(dict.fromkeys(both)), self.default, is_of_sub_agent) if both else None

    def for_user(self, user: str) -> Binding:
        """Return the binding of a call that is for one of the users: their space instead of every user's."""
        space = SpaceName("user", user)
        others = tuple(name for name in self.allowed if not name.startswith("user:"))
        return replace(self, allowed=(str(space), *others), default=space)

    def for_sub_agent(self) -> Binding:
        """Return the binding of a sub-agent, which is given no memory of users."""
        return replace(self, is_of_sub_agent=True)

    def _includes(self, name: str) -> bool:
        """Return whether it allows a name, which may be one for all of a kind, of another binding."""
        return name in self.allowed or f"{name.partition(':')[0]}:*" in self.allowed

    def _default(self) -> SpaceName:
        if self.default is not None:
            return self.default
        if self.allows(SHARED):
            return SHARED
        if len(self.allowed) == 1 and not is_every_key(self.allowed[0]):
            return parse_space(self.allowed[0])
        raise SpaceRequiredError(
            f"Name the space of this call with `user`, `agent` or `space`. The key may use: {self}."
        )

    def __str__(self) -> str:
        return ", ".join(self.allowed)


UNBOUND = Binding()


def is_every_key(name: str) -> bool:
    """Return whether a name of a binding is for every space of a kind: `user:*` is, `user:a:*` is one user's."""
    return name.partition(":")[2] == "*"


def read_binding(names: Iterable[str]) -> Binding:
    """Return the binding of names such as `shared`, `user:42` or `user:*`; raise InvalidError for another form."""
    kept = []
    for name in names:
        kind, _, key = name.partition(":")
        if key == "*" and kind != SHARED.kind and KIND.fullmatch(kind):
            kept.append(name)
        else:
            space = parse_space(name, field="spaces")
            refuse_unseen(space, field="spaces")
            kept.append(str(space))
    return Binding(tuple(dict.fromkeys(kept)))
