"""The revision row that every change of a memory leaves, inside the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from core.clock import utc_now
from memory.models import Memory, MemoryRevision
from telemetry.live.layers import REMOVING
from telemetry.live.live_event import VerbName
from telemetry.live.services.changes import note_change
from workspaces.access.callers import ActorKind, Caller


def record_revision(
    *, caller: Caller, memory_id: UUID, action: str, before: dict[str, Any] | None = None
) -> MemoryRevision:
    """Say who did what, and what was before. `before` holds the values that the step replaced."""
    return record_revisions(caller=caller, memory_ids=[memory_id], action=action, before=before)[0]


def record_revisions(
    *, caller: Caller, memory_ids: Iterable[UUID], action: str, before: dict[str, Any] | None = None
) -> list[MemoryRevision]:
    """Record the same step of several memories at once; it is what the age of a stale memory counts from."""
    identities = sorted(memory_ids)
    verb: VerbName = "remove" if action in REMOVING else "write"
    note_change(caller=caller, layer="memories", type="memory", ids=identities, action=action, verb=verb)
    Memory.objects.of(caller).filter(pk__in=identities).update(touched_at=utc_now())
    return MemoryRevision.objects.bulk_create(
        [
            MemoryRevision(
                workspace_id=caller.workspace_id,
                memory_id=identity,
                action=action,
                actor_kind=caller.kind,
                actor_id=caller.id,
                actor_label=caller.label,
                before=before or {},
            )
            for identity in identities
        ]
    )


def was_done_by_person(caller: Caller, memory: Memory, actions: Collection[str]) -> bool:
    """Return whether the last of these steps of a memory was a person's; in an open scope."""
    steps = MemoryRevision.objects.of(caller).filter(memory=memory, action__in=actions)
    last = steps.order_by("-id").first()
    return last is not None and last.actor_kind == ActorKind.USER
