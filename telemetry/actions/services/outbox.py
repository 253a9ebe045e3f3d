"""Telling of changes, in the transaction that makes them, to a layer above that mirrors them."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from telemetry.models import Change, Changed
from workspaces.access.callers import Caller


def announce(caller: Caller, entity: Changed, ids: Iterable[UUID]) -> None:
    """Note that these rows changed, or are gone."""
    rows = [Change(workspace_id=caller.workspace_id, entity=entity, entity_id=identity) for identity in ids]
    Change.objects.bulk_create(rows)
