"""Task that deletes expired answers of idempotent calls."""

from __future__ import annotations

from workspaces.access.callers import system_caller
from workspaces.access.every_workspace import sum_over_workspaces
from workspaces.http import idempotency


def delete_expired_answers() -> int:
    """On the schedule: in every workspace, stored responses whose day is over."""
    return sum_over_workspaces(lambda identity: idempotency.delete_expired(caller=system_caller(identity, "answers")))
