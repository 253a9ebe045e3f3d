"""What stays in the audit record when a caller looks past its own spaces: into another, or at the list of all."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from core.clock import utc_now
from workspaces.access.audit import record_event
from workspaces.access.callers import ActorKind, Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import SPACE_OPENED, own_space
from workspaces.access.spaces import SHARED, SpaceName
from workspaces.models import AuditEvent, SpaceGrant

# A person who works in a space leaves one event an hour, not one for each request.
IS_NOTED_EVERY = timedelta(hours=1)


def note_openings(caller: Caller, spaces: Iterable[SpaceName]) -> None:
    """Add an audit event for each space that is neither shared, nor of the person, nor granted to them.

    Only owners and admins can open one; the person whose space it is sees the event. Opened from the same address
    within the hour, it has one already.
    """
    if caller.kind != ActorKind.USER or caller.binding.allowed:
        return
    others = [space for space in spaces if space not in {SHARED, own_space(caller.id)}]
    if not others:
        return
    with workspace_scope(caller):
        granted = set(SpaceGrant.objects.of(caller).filter(user_id=caller.id).values_list("space", flat=True))
        for space in others:
            if str(space) not in granted:
                _note(caller, SPACE_OPENED, space)


def note_directory(caller: Caller, space: SpaceName | None = None) -> None:
    """Add an audit event where the list of all spaces, or one entry of it, is read by the right `admin`.

    A program leaves one for each call, a person one an hour. For an open scope.
    """
    if caller.binding.allowed:
        return
    if space is not None:
        _note(caller, "space.read", space)
    elif caller.is_agent or not _is_noted(caller, "spaces.listed", caller.workspace_id):
        record_event(caller=caller, action="spaces.listed", object_type="workspace", object_id=caller.workspace_id)


def _note(caller: Caller, action: str, space: SpaceName) -> None:
    if caller.is_agent or not _is_noted(caller, action, space.id):
        record_event(
            caller=caller, action=action, object_type="space", object_id=space.id, details={"space": str(space)}
        )


def _is_noted(caller: Caller, action: str, object_id: UUID) -> bool:
    events = AuditEvent.objects.of(caller).filter(
        object_id=str(object_id), action=action, created_at__gt=utc_now() - IS_NOTED_EVERY
    )
    return events.filter(actor_id=caller.id, address=caller.address).exists()
