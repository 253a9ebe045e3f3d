"""The schedule: every task that runs by the clock, in one table. Times are UTC."""

from __future__ import annotations

from core.stores import queue
from core.stores.queue import Scheduled

# Not on the schedule, where one of several worker groups would take it: each group runs it by itself, once a minute.
HEARTBEAT = "workspaces.access.tasks.beat"

SCHEDULE = [
    Scheduled("expired sessions", "workspaces.accounts.tasks.delete_expired_sessions", "47 2 * * *"),
    Scheduled("foreign tasks", "workspaces.access.tasks.delete_foreign_tasks", "57 2 * * *"),
    Scheduled("unused registrations", "workspaces.oauth.tasks.forget_registrations", "37 2 * * *"),
    Scheduled("graph projection", "ontology.graph.tasks.project_all", "* * * * *"),
    Scheduled("embedding backlog", "llm.embedding.tasks.embed_all", "* * * * *"),
    Scheduled("merge candidates", "ontology.matching.tasks.match_all", "*/10 * * * *"),
    Scheduled("unfinished removals", "ontology.connections.tasks.remove_all", "*/10 * * * *"),
    Scheduled("sequences", "telemetry.sequences.tasks.sequence_all", "* * * * *"),
    Scheduled("patterns", "telemetry.patterns.tasks.evaluate_all", "*/15 * * * *"),
    Scheduled("benchmarks", "telemetry.metrics.tasks.measure_all", "23 0 * * *"),
    Scheduled("observations", "conversations.observations.tasks.observe_all", "* * * * *"),
    Scheduled("message word index", "conversations.indexing.tasks.index_all", "*/5 * * * *"),
    Scheduled("consolidation", "memory.episodes.tasks.consolidate_all", "17 3 * * *"),
    Scheduled("confidence", "memory.recall.tasks.calibrate_all", "17 4 * * *"),
    Scheduled("added messages", "memory.episodes.tasks.extract_quiet", "* * * * *"),
    Scheduled("waiting turns", "memory.episodes.tasks.resume_waiting", "*/5 * * * *"),
    Scheduled("rejected memories", "memory.memories.review.tasks.erase_rejected_memories", "37 * * * *"),
    Scheduled("expired slots", "memory.working_memory.tasks.delete_expired_slots", "7 * * * *"),
    Scheduled("expired answers", "workspaces.http.tasks.delete_expired_answers", "27 * * * *"),
    Scheduled("interrupted imports", "transfer.imports.tasks.resume_interrupted", "*/10 * * * *"),
    Scheduled("unfinished erasures", "transfer.erasure.tasks.erase_all", "*/10 * * * *"),
    Scheduled("unfinished erasures of workspaces", "transfer.erasure.tasks.erase_workspaces", "* * * * *"),
    Scheduled("unfinished undos", "transfer.undo.tasks.resume_all", "*/5 * * * *"),
    Scheduled("abandoned imports", "transfer.imports.tasks.delete_abandoned", "37 * * * *"),
    Scheduled("message retention", "memory.episodes.tasks.expire_all_messages", "57 3 * * *"),
    Scheduled("receipt retention", "memory.recall.tasks.expire_all_receipts", "27 4 * * *"),
    Scheduled("kept sources", "memory.episodes.tasks.delete_expired_sources", "47 3 * * *"),
]


def write_schedules() -> None:
    queue.write_schedules(SCHEDULE)
