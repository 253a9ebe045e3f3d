"""Reading operators' keys, what was done with them, and which workspaces they made."""

from __future__ import annotations

from workspaces.access.operators import Operator
from workspaces.access.scope import directory_scope
from workspaces.models import OperatorEvent, OperatorKey, Workspace, WorkspaceFounding


def operator_keys() -> list[OperatorKey]:
    """Return every operator's key, the newest first, revoked ones last."""
    return sorted(OperatorKey.objects.order_by("-id"), key=lambda key: key.revoked_at is not None)


def operator_events() -> list[OperatorEvent]:
    """Return what was done to operators' keys and with them, the oldest first."""
    return list(OperatorEvent.objects.select_related("key").order_by("id"))


def operator_workspaces(operator: Operator) -> list[Workspace]:
    """Return the live workspaces that an operator's key has made, by name."""
    made = WorkspaceFounding.objects.filter(key_id=operator.id).values_list("made_id", flat=True)
    with directory_scope():
        return list(Workspace.objects.live().filter(id__in=list(made)).order_by("name", "id"))
