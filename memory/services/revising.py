"""The revision row that every change of a memory leaves, inside the same transaction."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memory.models import MemoryRevision
from workspaces.callers import Caller


def record_revision(*, caller: Caller, memory_id: UUID, action: str, before: dict[str, Any] | None = None) -> None:
    """Say who did what, and what was before. `before` holds the values that the step replaced."""
    MemoryRevision.objects.create(
        workspace_id=caller.workspace_id,
        memory_id=memory_id,
        action=action,
        actor_kind=caller.kind,
        actor_id=caller.id,
        actor_label=caller.label,
        before=before or {},
    )
