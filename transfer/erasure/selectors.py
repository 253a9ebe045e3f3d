"""Reading erasures of workspaces: the person or key that asked may, also when the workspace is gone."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet

from core.clock import utc_now
from core.errors import NotFoundError
from transfer.models import WorkspaceErasure
from workspaces.models import User

# A call that began before the workspace was closed may have written to a store after it was emptied.
RECHECKED_AFTER = timedelta(minutes=10)


def person_erasures(person: User) -> QuerySet[WorkspaceErasure]:
    """Return the erasures that a person asked for, or a key that they made; the latest first."""
    return WorkspaceErasure.objects.filter(person_id=person.id).order_by("-requested_at")


def access_erasure(person: User, erasure_id: UUID) -> WorkspaceErasure:
    """Return an erasure that a person asked for. Raises NotFoundError for any other."""
    return _one(person_erasures(person).filter(id=erasure_id))


def access_erasure_of_key(erasure_id: UUID, *, key_hash: str) -> WorkspaceErasure:
    """Return an erasure that the key with this hash asked for. Raises NotFoundError for any other."""
    return _one(WorkspaceErasure.objects.filter(id=erasure_id).filter(key_hash=key_hash).exclude(key_hash=""))


def has_erased(key_hash: str) -> bool:
    """Return whether the key with this hash has asked for an erasure."""
    return WorkspaceErasure.objects.filter(key_hash=key_hash).exists()


def unfinished_workspace_erasures() -> list[UUID]:
    """Return the erasures that are not finished, oldest first."""
    unfinished = WorkspaceErasure.objects.filter(finished_at=None).order_by("requested_at")
    return list(unfinished.values_list("id", flat=True))


def erasures_to_recheck() -> list[UUID]:
    """Return the erasures that were finished a while ago and have not been looked at since."""
    due = WorkspaceErasure.objects.filter(rechecked_at=None, finished_at__lt=utc_now() - RECHECKED_AFTER)
    return list(due.order_by("finished_at").values_list("id", flat=True))


def _one(found: QuerySet[WorkspaceErasure]) -> WorkspaceErasure:
    erasure = found.first()
    if erasure is None:
        raise NotFoundError("There is no such erasure, or you did not ask for it.")
    return erasure
