"""The JSON of memories, revisions, runs and hits: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from memory.citations.services import FinishedRun
from memory.models import Run, RunCitation


def citation_json(citation: RunCitation) -> dict[str, Any]:
    return {"run": run_json(citation.run), "counted": citation.is_counted, "at": moment(citation.created_at)}


def run_json(run: Run) -> dict[str, Any]:
    return {
        "id": str(run.id),
        "agent": run.agent,
        "conversation": run.conversation or None,
        "status": run.status,
        "started_at": moment(run.started_at),
        "finished_at": moment(run.finished_at),
    }


def finished_json(finished: FinishedRun) -> dict[str, Any]:
    return {
        "run": run_json(finished.run),
        "citations": [
            {"memory_id": str(citation.memory_id), "counted": citation.is_counted} for citation in finished.citations
        ],
        "nodes": [{"node_id": str(identity), "counted": finished.is_counted} for identity in finished.node_ids],
        "unresolved": [str(identity) for identity in finished.unresolved],
    }
