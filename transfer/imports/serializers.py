"""How imports look over REST."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from transfer.models import Import, ImportStatus


def import_json(job: Import, *, received: dict[str, int] | None = None, done: int | None = None) -> dict[str, Any]:
    """An import; `received` and `progress` are told of one that is not over, `report` and `error` of one that is."""
    is_waiting = job.status in {ImportStatus.OPEN, ImportStatus.QUEUED}
    return {
        "id": str(job.id),
        "status": job.status,
        "author": job.author,
        "created_at": moment(job.created_at),
        "finished_at": moment(job.finished_at),
        "received": received if is_waiting else None,
        "progress": {"done": done} if is_waiting and done is not None else None,
        "report": job.report or None,
        "error": job.error or None,
    }
