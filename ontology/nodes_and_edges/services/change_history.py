"""The history of nodes and edges: one row for each change, in the transaction that makes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from ontology.models import Change, Entity
from workspaces.access.callers import Caller


def record_changes(
    *, caller: Caller, entity: Entity, ids: Iterable[UUID], action: str, before: Mapping[str, Any]
) -> None:
    """Leave one line of history for each node or edge."""
    Change.objects.bulk_create(
        [
            Change(
                workspace_id=caller.workspace_id,
                entity=entity,
                entity_id=identity,
                action=action,
                actor_kind=caller.kind,
                actor_id=caller.id,
                actor_label=caller.label,
                before=dict(before),
            )
            for identity in ids
        ]
    )
