"""The schedule: every task that runs by the clock, in one table. Times are UTC."""

from __future__ import annotations

from core import queue
from core.queue import Scheduled

HEARTBEAT = "workspaces.tasks.beat"

SCHEDULE = [
    Scheduled("worker heartbeat", HEARTBEAT, "* * * * *"),
    Scheduled("unused registrations", "workspaces.tasks.forget_registrations", "37 2 * * *"),
    Scheduled("graph projection", "ontology.tasks.project_all", "* * * * *"),
    Scheduled("embedding backlog", "ontology.tasks.embed_all", "* * * * *"),
    Scheduled("merge candidates", "ontology.tasks.match_all", "*/10 * * * *"),
    Scheduled("unfinished removals", "ontology.tasks.remove_all", "*/10 * * * *"),
    Scheduled("message embedding backlog", "conversations.tasks.embed_all", "* * * * *"),
    Scheduled("sequences", "telemetry.tasks.sequence_all", "* * * * *"),
    Scheduled("patterns", "telemetry.tasks.evaluate_all", "*/15 * * * *"),
    Scheduled("benchmarks", "telemetry.tasks.measure_all", "23 0 * * *"),
    Scheduled("intent embedding backlog", "telemetry.tasks.embed_all", "* * * * *"),
    Scheduled("message word index", "conversations.tasks.index_all", "*/5 * * * *"),
    Scheduled("consolidation", "memory.tasks.consolidate_all", "17 3 * * *"),
    Scheduled("slot embedding backlog", "memory.tasks.embed_all_slots", "* * * * *"),
    Scheduled("expired slots", "memory.tasks.delete_expired_slots", "7 * * * *"),
    Scheduled("outlived answers", "workspaces.tasks.delete_outlived_answers", "27 * * * *"),
    Scheduled("interrupted imports", "transfer.tasks.resume_interrupted", "*/10 * * * *"),
    Scheduled("abandoned imports", "transfer.tasks.delete_abandoned", "37 * * * *"),
    Scheduled("kept sources", "memory.tasks.delete_outlived_sources", "47 3 * * *"),
]


def write_schedules() -> None:
    queue.write_schedules(SCHEDULE)
