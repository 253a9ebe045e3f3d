"""One read or write as it happened: who, what and how long, in types, ids and numbers. Pure.

Nothing that a user stored is in it: no text, no query, no key of a conversation, no name of a user.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal
from uuid import UUID

from workspaces.access.callers import ActorKind, Caller, Right

VerbName = Literal["read", "write", "remove"]
DoorName = Literal["rest", "mcp", "console", "chat", "agent", "server"]
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Of the objects of one event; `count` says how many there were.
MAX_IDS = 20


@dataclass(frozen=True, slots=True)
class LiveActor:
    """Who did it. Programs have the name of their key or app; people are named by the pages that show them."""

    kind: str
    id: str
    name: str = ""

    @classmethod
    def of(cls, caller: Caller) -> LiveActor:
        is_named = caller.is_agent or caller.kind == ActorKind.SYSTEM
        return cls(str(caller.kind), caller.id, caller.label[:120] if is_named else "")


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """A call of a door, or a change that the server made by itself.

    `spaces` are those that it read and wrote: who may not read all of them does not see it. `needs_admin` is true of
    what is about the workspace itself. `milliseconds` is None for what is not a call.
    """

    at: str
    verb: VerbName
    layer: str
    action: str
    door: DoorName
    actor: LiveActor
    spaces: tuple[str, ...]
    type: str = ""
    ids: tuple[str, ...] = ()
    count: int | None = None
    outcome: str = "success"
    error_code: str = ""
    milliseconds: float | None = None
    needs_admin: bool = False

    def as_text(self) -> str:
        """Return the event as it is stored in the ring."""
        # By hand: `asdict` copies what it finds, and takes as long as all the rest of an event.
        values = {name: getattr(self, name) for name in EVENT_FIELDS}
        values["actor"] = {"kind": self.actor.kind, "id": self.actor.id, "name": self.actor.name}
        return json.dumps(values, separators=(",", ":"))


EVENT_FIELDS = tuple(field.name for field in fields(LiveEvent))


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event with its place in the ring, which orders the events of a workspace."""

    id: str
    event: LiveEvent

    @classmethod
    def parse(cls, identity: str, text: str) -> StoredEvent | None:
        """Return the event of an entry; None for one of another version."""
        try:
            values: dict[str, Any] = json.loads(text)
            actor = LiveActor(**values.pop("actor"))
            spaces, ids = tuple(values.pop("spaces")), tuple(values.pop("ids"))
            return cls(identity, LiveEvent(**values, actor=actor, spaces=spaces, ids=ids))
        except (ValueError, TypeError, KeyError):
            return None


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Whose events a viewer gets, and which of them it asked for."""

    spaces: frozenset[str]
    sees_workspace: bool
    narrow: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, caller: Caller, narrow: Mapping[str, str]) -> EventFilter:
        """Return the filter of a caller; `narrow` may name `verb`, `layer`, `actor` and `outcome`."""
        sees_workspace = caller.may(Right.ADMIN) and not caller.binding.is_limited
        return cls(frozenset(map(str, caller.reach.read)), sees_workspace, dict(narrow))

    def passes(self, event: LiveEvent) -> bool:
        """Return whether the viewer may know of the event, and asked for its kind."""
        if not self.spaces.issuperset(event.spaces) or (event.needs_admin and not self.sees_workspace):
            return False
        wanted = self.narrow.get("actor")
        if wanted and wanted not in {event.actor.name, event.actor.id}:
            return False
        return all(getattr(event, name) == self.narrow[name] for name in NARROWING if self.narrow.get(name))


NARROWING = ("verb", "layer", "outcome")


def read_spaces(caller: Caller) -> tuple[str, ...]:
    """Return the spaces that a call of the caller reads and writes, as an event names them."""
    return tuple(sorted({str(caller.reach.written), *map(str, caller.reach.read)}))


def short_ids(ids: Iterable[object]) -> tuple[str, ...]:
    """Return the first ids, each once; what is not a UUID is left out, whatever it says."""
    found: dict[str, None] = {}
    for identity in ids:
        if len(found) == MAX_IDS:
            break
        if isinstance(identity, UUID) or (isinstance(identity, str) and _UUID.fullmatch(identity)):
            found[str(identity)] = None
    return tuple(found)
