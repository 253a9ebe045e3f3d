"""Tasks of patterns: evaluation every quarter of an hour, and recommendations of a model."""

from __future__ import annotations

import logging
from uuid import UUID

from core.stores import queue
from llm.providers.errors import ModelError
from telemetry.patterns.services import evaluation, recommendations
from workspaces.settings.selectors import workspaces_with_memory

log = logging.getLogger(__name__)

EVALUATE_TASK = "telemetry.patterns.tasks.evaluate_workspace"


def evaluate_workspace(workspace_id: str) -> int:
    """Look for patterns in one workspace; return the number that changed."""
    return evaluation.evaluate_workspace(workspace_id=UUID(workspace_id)).changed


def evaluate_all() -> int:
    """On the schedule: a task for each workspace that has memory on; return their number."""
    enabled = workspaces_with_memory()
    for identity in enabled:
        queue.enqueue_unless_waiting(EVALUATE_TASK, str(identity))
    return len(enabled)


def recommend(workspace_id: str, pattern_id: str) -> bool:
    """Have the workspace's model advise about a pattern; when it cannot, the rule's advice stays."""
    try:
        return recommendations.recommend_by_model(workspace_id=UUID(workspace_id), pattern_id=UUID(pattern_id))
    except ModelError as error:
        log.warning("recommendation_failed pattern=%s code=%s", pattern_id, error.code)
        return False
