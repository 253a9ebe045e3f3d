"""The list of the spaces of a workspace: a space is entered with the first row that is written into it."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from cachetools import LRUCache
from django.db import transaction

from workspaces.access.callers import Caller
from workspaces.access.spaces import SpaceName
from workspaces.models import Space, SpaceKind

_OWN_KINDS = {SpaceKind.SHARED, SpaceKind.USER, SpaceKind.AGENT}
# Spaces that this process knows to be entered; a space is taken out of the list with its workspace, or by erasing it.
_entered: LRUCache[tuple[UUID, UUID], bool] = LRUCache(maxsize=100_000)


def enter_space(caller: Caller) -> None:
    """Enter the space that the caller writes into, in the open scope, unless it is there."""
    name, place = caller.reach.name, (caller.workspace_id, caller.reach.written)
    if name is None or place in _entered:
        return
    Space.objects.bulk_create([_row(caller, name)], ignore_conflicts=True)
    transaction.on_commit(partial(_entered.__setitem__, place, True))


def forget_entered() -> None:
    """Look again whether a space is entered, after spaces were taken away."""
    _entered.clear()


def _row(caller: Caller, name: SpaceName) -> Space:
    kind, key = (SpaceKind(name.kind), name.key) if name.kind in _OWN_KINDS else (SpaceKind.CUSTOM, str(name))
    return Space(id=caller.reach.written, workspace_id=caller.workspace_id, kind=kind, key=key)
