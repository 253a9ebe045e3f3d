"""Changes that services make, noted where all doors and tasks pass: in the transaction that makes them.

Inside of a call they complete its event. What the server changes by itself becomes an event of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from django.db import transaction

from core.clock import moment, utc_now
from telemetry.live.live_event import LiveActor, LiveEvent, VerbName, read_spaces, short_ids
from telemetry.live.services.publisher import publish
from workspaces.access.callers import Caller


@dataclass(slots=True)
class NotedChanges:
    """The ids that one call has changed, by the type of their objects, and the space of each."""

    ids: dict[str, dict[UUID, UUID]] = field(default_factory=dict)

    def of_type(self, kind: str, caller: Caller) -> list[UUID]:
        """Return the ids of a type in the spaces that the call reads or writes."""
        spaces = {caller.reach.written, *caller.reach.read}
        return [identity for identity, space in self.ids.get(kind, {}).items() if space in spaces]


_CHANGES: ContextVar[NotedChanges | None] = ContextVar("noted_changes", default=None)


@contextmanager
def collect_changes() -> Iterator[NotedChanges]:
    """Collect what is noted until the end of the block, for the event of the call."""
    changes = NotedChanges()
    token = _CHANGES.set(changes)
    try:
        yield changes
    finally:
        _CHANGES.reset(token)


def note_change(
    *, caller: Caller, layer: str, type: str, ids: Collection[UUID], action: str, verb: VerbName = "write"
) -> None:
    """Note objects that the caller's open transaction changes. Once it commits, the change is seen; else it never
    was. `action` is a word of the code, such as `consolidated`."""
    if not ids:
        return
    changes = _CHANGES.get()
    if changes is not None:
        transaction.on_commit(partial(_add, changes, caller.reach.written, type, tuple(ids)), robust=True)
    elif not caller.reach.every:  # its rows may be in any space, so that no reader may see it
        event = LiveEvent(
            at=str(moment(utc_now())),
            verb=verb,
            layer=layer,
            action=action,
            door="server",
            actor=LiveActor.of(caller),
            spaces=read_spaces(caller.alone()),
            type=type,
            ids=short_ids(ids),
            count=len(ids),
        )
        transaction.on_commit(partial(publish, caller.workspace_id, event), robust=True)


def _add(changes: NotedChanges, space_id: UUID, kind: str, ids: tuple[UUID, ...]) -> None:
    changes.ids.setdefault(kind, {}).update(dict.fromkeys(ids, space_id))
