"""One thing of a plan, before anything is done, and what its history is read for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from transfer.models import UndoItem, UndoItemState
from transfer.undo.decisions import UndoAct
from workspaces.access.callers import Caller

MEMORY, FACT, NODE, EDGE, MERGE = "memory", "fact", "node", "edge", "merge"
MEMORY_KINDS = frozenset({MEMORY, FACT})
# Memories and other things that one undo takes back; the newest come first, and another undo takes the rest.
MAX_ITEMS = 20_000
# Things that are looked through for these, since nothing is left to undo of many.
MAX_LOOKED_AT = 100_000
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """A thing, what becomes of it, and how long its history is. With a `reason` it stays."""

    kind: str
    item_id: UUID
    space_id: UUID
    act: UndoAct
    steps: tuple[UUID, ...] = ()
    reason: str = ""
    by: str = ""
    step_count: int = 0

    @property
    def state(self) -> str:
        return UndoItemState.KEPT if self.reason else UndoItemState.WAITING


@dataclass(frozen=True, slots=True)
class EarlierUndos:
    """What undos have done with things already: steps of their own, which count for no actor; the last step that is
    taken back with all before it, of things that were removed; steps that were taken back one by one; and the things
    that one is about to take back."""

    made: frozenset[UUID]
    removed_until: dict[UUID, UUID]
    reverted: frozenset[UUID]
    waiting: frozenset[UUID]

    def is_void(self, item_id: UUID, step_id: UUID) -> bool:
        """Return whether a step of a thing counts no more: an undo made it, or took it back."""
        removed = self.removed_until.get(item_id)
        return step_id in self.made or step_id in self.reverted or (removed is not None and step_id <= removed)


def earlier_undos(reader: Caller, ids: Collection[UUID]) -> EarlierUndos:
    """Return what undos did with some things, for the reader's open scope."""
    known = UndoItem.objects.of(reader).filter(item_id__in=list(ids)).exclude(state=UndoItemState.KEPT)
    made: set[UUID] = set()
    reverted: set[UUID] = set()
    removed: dict[UUID, UUID] = {}
    waiting = set()
    for item_id, state, act, steps, own in known.values_list("item_id", "state", "act", "steps", "made"):
        made.update(own)
        if state == UndoItemState.WAITING:
            waiting.add(item_id)
        elif state != UndoItemState.RETURNED and own:
            # Of a thing that was changed only, its making and what was done before are still to be undone.
            if act == UndoAct.REVERT:
                reverted.update(steps)
            else:
                removed[item_id] = max(*own, removed.get(item_id, own[0]))
    return EarlierUndos(frozenset(made), removed, frozenset(reverted), frozenset(waiting))


def in_batches(things: Sequence[Thing]) -> Iterator[Sequence[Thing]]:
    """Return things, up to a bound, in parts of as many as one undo is about."""
    for start in range(0, min(len(things), MAX_LOOKED_AT), MAX_ITEMS):
        yield things[start : min(start + MAX_ITEMS, MAX_LOOKED_AT)]
