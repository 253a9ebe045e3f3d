"""Tasks of telemetry: sequences as actions arrive, patterns every quarter of an hour, benchmarks every night."""

from __future__ import annotations

import logging
from uuid import UUID

from core import queue
from core.errors import NotFoundError
from llm.errors import ModelError
from telemetry.selectors import access_metric
from telemetry.services import embedding, measuring, metrics, mining, recommending, sequencing
from telemetry.services.recording import SEQUENCE_TASK
from workspaces.callers import system_caller
from workspaces.selectors import all_workspace_ids, workspace_of
from workspaces.switches import is_memory_enabled

log = logging.getLogger(__name__)

EVALUATE_TASK = "telemetry.tasks.evaluate_workspace"
MEASURE_TASK = "telemetry.tasks.measure_workspace"
# What one task embeds at the most, so that no workspace keeps a worker to itself.
EMBED_AT_ONCE = 512


def sequence_workspace(workspace_id: str) -> int:
    """Put a workspace's new actions into sequences."""
    queue.nudge_received(SEQUENCE_TASK, UUID(workspace_id))
    return sequencing.sequence_pending(workspace_id=UUID(workspace_id))


def sequence_all() -> int:
    """Every workspace, on the schedule: finds what a lost nudge left behind."""
    return sum(sequencing.sequence_pending(workspace_id=identity) for identity in all_workspace_ids())


def embed_all() -> int:
    """Every workspace, on the schedule: vectors of another model are queued again, and what waits is embedded."""
    done = 0
    for identity in all_workspace_ids():
        embedding.mark_other_models(workspace_id=identity)
        done += embedding.embed_pending(workspace_id=identity, most=EMBED_AT_ONCE)
    return done


def evaluate_workspace(workspace_id: str) -> int:
    """Look for patterns in one workspace; answer how many changed."""
    return mining.evaluate_workspace(workspace_id=UUID(workspace_id)).changed


def evaluate_all() -> int:
    """On the schedule: a task for each workspace that has memory on; answer how many."""
    enabled = _enabled_workspaces()
    for identity in enabled:
        queue.enqueue(EVALUATE_TASK, str(identity))
    return len(enabled)


def recommend(workspace_id: str, pattern_id: str) -> bool:
    """Have the workspace's model advise about a pattern; when it cannot, the rule's advice stays."""
    try:
        return recommending.recommend_by_model(workspace_id=UUID(workspace_id), pattern_id=UUID(pattern_id))
    except ModelError as error:
        log.warning("recommendation_failed pattern=%s code=%s", pattern_id, error.code)
        return False


def measure_workspace(workspace_id: str) -> int:
    """Measure the metrics of one workspace for the days that ended last, and clear away what nothing uses any more."""
    caller = system_caller(UUID(workspace_id), "benchmarks")
    sequencing.forget_unused_intents(workspace_id=caller.workspace_id)
    metrics.ensure_builtin_metrics(caller=caller)
    return measuring.measure_night(caller=caller)


def measure_all() -> int:
    """On the schedule: a task for each workspace that has memory on; answer how many."""
    enabled = _enabled_workspaces()
    for identity in enabled:
        queue.enqueue(MEASURE_TASK, str(identity))
    return len(enabled)


def back_fill(workspace_id: str, metric_id: str) -> int:
    """Measure a metric over the sequences that there are, day by day."""
    caller = system_caller(UUID(workspace_id), "benchmarks")
    try:
        return measuring.back_fill(caller=caller, metric=access_metric(caller, metric_id))
    except NotFoundError:
        return 0


def _enabled_workspaces() -> list[UUID]:
    return [
        identity
        for identity in all_workspace_ids()
        if is_memory_enabled(workspace_of(system_caller(identity, "telemetry")))
    ]
