"""Reading imports. `access_import` is the only road from an outside id to one."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet, Sum

from core.errors import NotFoundError
from transfer.models import Import
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


def access_import(caller: Caller, import_id: UUID, *, lock: bool = False) -> Import:
    """Return an import into the caller's workspace.

    Raises NotFoundError, MissingScopeError without `admin`, SpaceNotAllowedError for a key that is bound to spaces.
    """
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        mine = workspace_imports(caller).filter(id=import_id)
        found: Import | None = (mine.select_for_update() if lock else mine).first()
    if found is None:
        raise NotFoundError()
    return found


def workspace_imports(caller: Caller) -> QuerySet[Import]:
    """Return the workspace's imports, newest first, for an open scope. Raises SpaceNotAllowedError for a bound key."""
    caller.require_unbound()
    return Import.objects.of(caller).order_by("-id")


def pending_upload(caller: Caller, job: Import) -> dict[str, int]:
    """Return how much was sent of an import and not brought in yet."""
    with workspace_scope(caller):
        parts = job.parts.filter(is_map=False)
        lines = parts.aggregate(lines=Sum("lines"))["lines"]
        return {"parts": parts.count(), "lines": lines or 0}
