"""Runs, and the hook that counts what a finished run cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from core.clock import utc_now
from core.errors import FieldProblem, InvalidError
from core.text import cited_memory_ids
from memory.models import Memory, Run, RunCitation, RunStatus
from memory.selectors import access_run
from ontology.services.nodes import count_references
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope


@dataclass(frozen=True, slots=True)
class Citation:
    """A memory that a run's output cites; `is_counted` says whether this very call raised its counter."""

    memory_id: UUID
    is_counted: bool


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run in its terminal state, what it cited, and the cited ids that are no memory of this workspace."""

    run: Run
    citations: Sequence[Citation]
    unresolved: Sequence[UUID]


def start_run(*, caller: Caller, agent: str, conversation: str = "") -> Run:
    """Begin a run of an agent. Raises MissingScopeError without `write`."""
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        run: Run = Run.objects.create(workspace_id=caller.workspace_id, agent=agent, conversation=conversation)
    return run


def finish_run(*, caller: Caller, run_id: UUID, status: str, output: str) -> FinishedRun:
    """Bring a run to a terminal state and count its citations, once.

    Each distinct live memory that the output of a succeeded run cites as `[mem:<uuid>]` is referenced once more,
    however often it is named there and however often or from how many places the run is finished. The output itself
    is not kept. Raises NotFoundError, InvalidError for a status that is not terminal.
    """
    caller.require(Right.WRITE)
    if status not in Run.TERMINAL:
        allowed = ", ".join(sorted(Run.TERMINAL))
        raise InvalidError(problems=(FieldProblem("status", "not_terminal", f"One of {allowed}."),))
    cited = cited_memory_ids(output)
    with workspace_scope(caller):
        running = Run.objects.filter(workspace_id=caller.workspace_id, id=run_id, status=RunStatus.RUNNING)
        # The first of several concurrent calls changes the row; the others wait for its commit and then find nothing.
        if not running.update(status=status, finished_at=utc_now()):
            return _as_finished(caller, access_run(caller, run_id))
        return _count(caller, access_run(caller, run_id), cited, is_counted=status == RunStatus.SUCCEEDED)


def _count(caller: Caller, run: Run, cited: Sequence[UUID], *, is_counted: bool) -> FinishedRun:
    # Nodes before the citations that refer to their memories, and in the order of their ids: whoever governs one of
    # these memories meanwhile holds its node too, so nobody waits for somebody who waits for them.
    live = Memory.objects.live().filter(workspace_id=caller.workspace_id, pk__in=cited).select_related("node")
    known = {memory.pk for memory in live.order_by("pk").select_for_update(of=("node",), no_key=True)}
    found = [identity for identity in cited if identity in known]
    unresolved = [identity for identity in cited if identity not in known]
    RunCitation.objects.bulk_create(
        [
            RunCitation(workspace_id=caller.workspace_id, run=run, memory_id=identity, is_counted=is_counted)
            for identity in found
        ]
    )
    if found and is_counted:
        count_references(caller=caller, node_ids=found)
    run.unresolved = [str(identity) for identity in unresolved]
    run.save(update_fields=["unresolved"])
    return FinishedRun(run, [Citation(identity, is_counted) for identity in found], unresolved)


def _as_finished(caller: Caller, run: Run) -> FinishedRun:
    cited = RunCitation.objects.filter(workspace_id=caller.workspace_id, run=run).order_by("id")
    citations = [Citation(identity, is_counted=False) for identity in cited.values_list("memory_id", flat=True)]
    return FinishedRun(run, citations, [UUID(identity) for identity in run.unresolved])
