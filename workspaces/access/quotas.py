"""Limits on rows and bytes of a workspace, checked against a count that is at most a minute old."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from uuid import UUID

from cachetools import TTLCache, cached
from django.conf import settings
from django.db.models import Model

from core.errors import ConflictError
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope

RECOUNTED_AFTER_SECONDS = 60.0
REMEMBERED = 10_000


class QuotaExceededError(ConflictError):
    """The workspace has as many rows of a kind as it may have; hidden and forgotten ones count as well."""

    code = "quota_exceeded"


# Several processes together may pass a limit by what a minute brings.
_counts: TTLCache[tuple[UUID, str], int] = TTLCache(maxsize=REMEMBERED, ttl=RECOUNTED_AFTER_SECONDS)
# What is claimed is added to it, and does not make it last longer: a list of one number.
_sizes: TTLCache[tuple[UUID, str], list[int]] = TTLCache(maxsize=REMEMBERED, ttl=RECOUNTED_AFTER_SECONDS)
_lock = Lock()


def refuse_full(*, caller: Caller, model: type[Model], setting: str) -> None:
    """Raise QuotaExceededError when a workspace has as many rows of a table as `setting` allows, in an open scope."""
    if is_full(caller=caller, model=model, setting=setting):
        limit, what = getattr(settings, setting), model._meta.verbose_name_plural
        raise QuotaExceededError(
            f"This workspace has {limit:,} {what}, the most that it may have. Ask the operator to raise {setting}."
        )


def is_full(*, caller: Caller, model: type[Model], setting: str) -> bool:
    """Return whether a workspace has as many rows of a table as `setting` allows (0: any number), in an open scope."""
    limit: int = getattr(settings, setting)
    return bool(limit) and _count(caller.workspace_id, model, limit) >= limit


def claim_bytes(*, caller: Caller, setting: str, added: int, count: Callable[[], int]) -> None:
    """Add to what a workspace holds of something, in an open scope; less than 0 takes away.

    `count` returns what it holds in fact, before or after the change, and is asked once a minute. Raises
    QuotaExceededError beyond what `setting` allows (0: any number).
    """
    limit: int = getattr(settings, setting)
    key = (caller.workspace_id, setting)
    with _lock:
        size = _sizes.get(key)
    if size is None:
        size = [count()]
    if limit and added > 0 and size[0] + added > limit:
        raise QuotaExceededError(
            f"This workspace may keep {limit:,} bytes of this, and that would be more. Delete some, or ask the "
            f"operator to raise {setting}."
        )
    with _lock:
        size[0] += added
        _sizes.setdefault(key, size)


def forget_counts() -> None:
    """Count again at the next check."""
    with _lock:
        _counts.clear()
        _sizes.clear()


def _key(workspace_id: UUID, model: type[Model], limit: int) -> tuple[UUID, str]:
    return workspace_id, model._meta.db_table


@cached(_counts, key=_key, lock=_lock)
def _count(workspace_id: UUID, model: type[Model], limit: int) -> int:
    with workspace_scope(maintenance_caller(workspace_id, "quotas")):  # the limit is one for all spaces together
        # Up to the limit only, so that it reads an index and no more of it than necessary.
        return model._default_manager.filter(workspace_id=workspace_id).order_by().values("pk")[:limit].count()
