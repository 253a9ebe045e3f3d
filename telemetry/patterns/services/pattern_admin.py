"""What people decide about patterns: a note of their own, and which are kept from agents."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from core.clock import utc_now
from core.errors import InvalidError
from core.text.validators import refuse_secret
from telemetry.actions.services.outbox import announce
from telemetry.models import Changed, Pattern
from telemetry.patterns.selectors import access_pattern, workspace_patterns
from workspaces.access.audit import record_event
from workspaces.access.callers import PEOPLE, Caller, Right
from workspaces.access.scope import workspace_scope


def annotate_pattern(
    *, caller: Caller, pattern_id: UUID, annotation: str | None = None, suppressed: bool | None = None
) -> Pattern:
    """Note something on a pattern, or keep it from agents; what is None stays as it is. An empty note takes it away.

    The note of a person reaches agents as one of the operator, any other under the label of its key. Raises
    NotFoundError, OtherSpaceError, InvalidError when nothing is named, SecretRefusedError, MissingScopeError without
    `write`, and without `facts` for another note in the place of a person's and for lifting a suppression.
    """
    caller.require(Right.WRITE)
    if annotation is None and suppressed is None:
        raise InvalidError("Provide `annotation`, `suppressed` or both.")
    refuse_secret(annotation or "", field="annotation")
    with workspace_scope(caller):
        pattern = access_pattern(caller, pattern_id, lock=True)
        mine = Pattern.objects.of(caller).filter(id=pattern_id)
        if annotation is not None and annotation != pattern.annotation:
            if pattern.annotated_by_kind in PEOPLE:
                caller.require(Right.FACTS)
            by, kind = (caller.label, caller.kind) if annotation else ("", "")
            mine.update(annotation=annotation, annotated_by=by, annotated_by_kind=kind)
            record_event(caller=caller, action="pattern.annotated", object_type="pattern", object_id=pattern_id)
        if suppressed is not None:
            _suppress(caller, [pattern], suppressed=suppressed)
        return access_pattern(caller, pattern_id)


def suppress_patterns(*, caller: Caller, key_prefix: str, suppressed: bool) -> list[Pattern]:
    """Keep every pattern of the caller's space whose key begins like this from agents, or lift that.

    Return those that changed. Keys read `action_type/node_type/error_code`, with `*` for no type. Raises
    MissingScopeError without `write`, and without `facts` where a suppression would be lifted.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        mine = Pattern.objects.in_written_space(caller).order_by("-id")
        meant = [pattern for pattern in mine if pattern.key.startswith(key_prefix)]
        changed = _suppress(caller, meant, suppressed=suppressed)
        return list(workspace_patterns(caller).filter(id__in=changed))


def _suppress(caller: Caller, patterns: Sequence[Pattern], *, suppressed: bool) -> list[UUID]:
    ids = [pattern.id for pattern in patterns if pattern.is_suppressed != suppressed]
    if ids and not suppressed:
        caller.require(Right.FACTS)
    mine = Pattern.objects.of(caller).filter(id__in=ids, suppressed_at__isnull=suppressed)
    by = caller.label if suppressed else ""
    mine.update(suppressed_at=utc_now() if suppressed else None, suppressed_by=by)
    announce(caller, Changed.PATTERN, ids)
    action = "pattern.suppressed" if suppressed else "pattern.unsuppressed"
    for identity in ids:
        record_event(caller=caller, action=action, object_type="pattern", object_id=identity)
    return ids
