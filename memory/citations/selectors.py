"""Reading runs and citations. `access_run` is the only road from an outside id to a run."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from core.errors import NotFoundError
from memory.models import (
    Memory,
    Run,
    RunCitation,
)
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope


def memory_citations(caller: Caller, memory: Memory) -> QuerySet[RunCitation]:
    """Return the runs that cited a memory, newest first."""
    mine = RunCitation.objects.of(caller).filter(memory=memory)
    return mine.select_related("run").order_by("-id")


def access_run(caller: Caller, run_id: UUID) -> Run:
    """Return a run of the caller's workspace. Raises NotFoundError."""
    caller.require(Right.READ)
    with reading_scope(caller):
        run: Run | None = Run.objects.of(caller).filter(id=run_id).first()
    if run is None:
        raise NotFoundError()
    return run


def workspace_runs(caller: Caller) -> QuerySet[Run]:
    """Return the workspace's runs, newest first."""
    return Run.objects.of(caller).order_by("-id")
