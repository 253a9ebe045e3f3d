"""Reading patterns. `access_pattern` is the only road from an outside id to a pattern."""

from __future__ import annotations

from uuid import UUID

from django.db.models import F

from telemetry.actions.selectors import NOTHING, Narrow
from telemetry.models import Pattern, PatternQuerySet
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope
from workspaces.access.tenancy import refuse_absent

# What patterns are ordered by: status, what it is worth (the most first), id.
PatternRank = tuple[str, float, str]


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


def pattern_ranks(caller: Caller, narrow: Narrow = NOTHING, *, most: int) -> list[PatternRank]:
    """Return where each of the first `most` patterns of that order stands in it, for an open scope."""
    ranked = ranked_patterns(caller, narrow).values_list("status", "confidence", "support", "id")
    return [(status, -confidence * support, str(id_)) for status, confidence, support, id_ in ranked[:most]]


def access_pattern(caller: Caller, pattern_id: UUID, *, lock: bool = False) -> Pattern:
    """Return a pattern of the caller's workspace; to change it, locked until the end of the caller's open scope.

    Raises NotFoundError, MissingScopeError without `read`, OtherSpaceError where it is to be locked and only read.
    """
    caller.require(Right.READ)
    with reading_scope(caller):
        found = workspace_patterns(caller).filter(id=pattern_id)
        pattern: Pattern | None = (found.select_for_update() if lock else found).first()
        return pattern or refuse_absent(found, lock=lock)
