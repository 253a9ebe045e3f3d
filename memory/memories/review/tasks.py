"""Tasks of the review: the deletion of what was rejected."""

from __future__ import annotations

from memory.memories.review.services import rejection
from workspaces.access.every_workspace import sum_over_workspaces


def erase_rejected_memories() -> int:
    """On the schedule: delete memories that were rejected more than an hour ago; return their number."""
    return sum_over_workspaces(lambda identity: rejection.erase_rejected(workspace_id=identity))
