"""Reading patterns. `access_pattern` is the only road from an outside id to a pattern."""

from __future__ import annotations

from uuid import UUID

from django.db.models import F

from telemetry.actions.selectors import NOTHING, Narrow, get_or_not_found
from telemetry.models import Pattern, PatternQuerySet
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


def workspace_patterns(caller: Caller, narrow: Narrow = NOTHING) -> PatternQuerySet:
    """Return the workspace's patterns, newest first, for an open scope. `narrow` names fields, `suppressed` among
    them."""
    given = dict(narrow)
    suppressed = given.pop("suppressed", None)
    mine: PatternQuerySet = Pattern.objects.of(caller).filter(**given).order_by("-id")
    return mine if suppressed is None else mine.filter(suppressed_at__isnull=not suppressed)


def ranked_patterns(caller: Caller, narrow: Narrow = NOTHING) -> PatternQuerySet:
    """Return the workspace's patterns, promoted ones first, the surest and commonest before the others, for an open
    scope."""
    worth = (F("confidence") * F("support")).desc()
    return workspace_patterns(caller, narrow).order_by("status", worth, "id")


def access_pattern(caller: Caller, pattern_id: UUID) -> Pattern:
    """Return a pattern of the caller's workspace. Raises NotFoundError, MissingScopeError without `read`."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        return get_or_not_found(workspace_patterns(caller).filter(id=pattern_id))
