"""What is known of the failures of a workspace's embedding model, and when it is asked again."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F

from core.clock import utc_now
from llm.models import WorkspaceEmbedder
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope

# After a failure a model is left alone for a minute, and for twice as long after each further one.
FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS = 60, 1_800


def note_problem(row: WorkspaceEmbedder, problem: str) -> None:
    """Note that a model failed, and leave it alone for a while."""
    pause = min(FIRST_RETRY_SECONDS * 2 ** min(row.failures, 10), LONGEST_RETRY_SECONDS)
    now = utc_now()
    with workspace_scope(maintenance_caller(row.workspace_id, "embedding")):
        WorkspaceEmbedder.objects.filter(workspace_id=row.workspace_id, id=row.id).update(
            failures=F("failures") + 1,
            problem=problem[: WorkspaceEmbedder.MAX_PROBLEM_CHARACTERS],
            problem_at=now,
            retry_at=now + timedelta(seconds=pause),
        )


def clear_problem(row: WorkspaceEmbedder) -> None:
    """Note that a model works again."""
    with workspace_scope(maintenance_caller(row.workspace_id, "embedding")):
        WorkspaceEmbedder.objects.filter(workspace_id=row.workspace_id, id=row.id).update(
            failures=0, problem="", retry_at=None
        )
