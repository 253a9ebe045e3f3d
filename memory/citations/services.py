"""Runs, and the hook that counts what a finished run cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from core.clock import utc_now
from core.errors import FieldProblem, InvalidError
from core.text import TextCitations, find_citations
from core.text.validators import refuse_credential
from memory.citations.selectors import access_run
from memory.memories.sessions.selectors import with_named_session
from memory.models import Kind, Run, RunCitation, RunStatus
from ontology.models import Node
from ontology.nodes_and_edges.services.node_writer import count_references
from telemetry.actions.call_targets import note_targets
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import enter_space


@dataclass(frozen=True, slots=True)
class Citation:
    """A memory that a run's output cites; `is_counted` says whether this very call counted it."""

    memory_id: UUID
    is_counted: bool


@dataclass(frozen=True, slots=True)
class NodeCitation:
    """Any other node that a run's output cites; `is_counted` as for a memory."""

    node_id: UUID
    is_counted: bool


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run in its terminal state, what it cited, and ids that are none of this workspace.

    `malformed` and `over_limit` as in `TextCitations`.
    """

    run: Run
    citations: Sequence[Citation]
    nodes: Sequence[NodeCitation]
    unresolved: Sequence[UUID]
    malformed: Sequence[str]
    over_limit: int

    @property
    def cited_ids(self) -> list[UUID]:
        """The memories and the other nodes that it cited."""
        return [*(one.memory_id for one in self.citations), *(one.node_id for one in self.nodes)]


def start_run(*, caller: Caller, agent: str, conversation: str = "") -> Run:
    """Begin a run of an agent. Raises MissingScopeError without `write`, SecretRefusedError."""
    caller.require(Right.WRITE)
    refuse_credential(agent, field="agent")
    refuse_credential(conversation, field="conversation")
    with workspace_scope(caller):
        enter_space(caller)
        run: Run = Run.objects.create(
            workspace_id=caller.workspace_id,
            agent=agent,
            conversation=conversation,
            author_id=caller.id,
            author_kind=caller.kind,
        )
    return run


def finish_run(*, caller: Caller, run_id: UUID, status: str, output: str) -> FinishedRun:
    """Bring a run to a terminal state and count its citations, once.

    Each distinct memory that the output of a succeeded run cites as `[mem:<uuid>]`, and each node that it cites as
    `[node:<uuid>]`, is referenced once more, however often it is named there and however often or from how many places
    the run is finished. Of what is in a space that the run only reads, the citation is kept in the run's own space, and
    no counter is raised. What may not be recalled (forgotten, suppressed, out of its time) is unresolved, like what is
    not there. The output itself is not kept, except for the beginnings of marks that name no id. Raises NotFoundError,
    InvalidError for a status that is not terminal.
    """
    caller.require(Right.WRITE)
    if status not in Run.TERMINAL:
        allowed = ", ".join(sorted(Run.TERMINAL))
        raise InvalidError(problems=(FieldProblem("status", "not_terminal", f"One of {allowed}."),))
    cited = find_citations(output)
    with workspace_scope(caller):
        running = Run.objects.of(caller).filter(id=run_id, status=RunStatus.RUNNING)
        # The first of several concurrent calls changes the row; the others wait for its commit and then find nothing.
        if not running.update(status=status, finished_at=utc_now()):
            return _as_finished(caller, access_run(caller, run_id))
        run = access_run(caller, run_id)
        reader = with_named_session(caller, run.conversation)
        with workspace_scope(reader):
            session = [space for space in reader.reach.read if space not in caller.reach.read]
            return _count(reader, run, cited, is_counted=status == RunStatus.SUCCEEDED, session=session)


def _count(caller: Caller, run: Run, cited: TextCitations, *, is_counted: bool, session: Sequence[UUID]) -> FinishedRun:
    # Nodes before the citations that refer to their memories, and all of them in the order of their ids: a caller that
    # governs one of these memories meanwhile holds its node too, so no deadlock is possible. What is only read is not
    # counted, and so not locked.
    known = Node.objects.of(caller).recallable(utc_now()).filter(id__in=list(cited.ids)).order_by("id")
    own = known.filter(space_id=caller.reach.written).select_for_update(no_key=True)
    types = dict(own.values_list("id", "type"))
    types |= dict(known.exclude(space_id=caller.reach.written).values_list("id", "type"))
    memories = [identity for identity in cited.ids if types.get(identity) in Kind.values]
    others = [
        identity for identity, kind in cited.ids.items() if kind == "node" and identity in types.keys() - memories
    ]
    run.cited_nodes = [str(identity) for identity in others]
    run.unresolved = [str(identity) for identity in cited.ids if identity not in {*memories, *others}]
    run.malformed, run.over_limit = list(cited.malformed), cited.over_limit
    run.save(update_fields=["cited_nodes", "unresolved", "malformed", "over_limit"])
    RunCitation.objects.bulk_create(
        [
            RunCitation(workspace_id=caller.workspace_id, run=run, memory_id=identity, is_counted=is_counted)
            for identity in memories
        ]
    )
    note_targets((identity, types[identity]) for identity in (*memories, *others))
    if is_counted and (memories or others):
        for space_id in (caller.reach.written, *session):
            count_references(caller=caller.within(space_id), node_ids=[*memories, *others])
    return _as_finished(caller, run, is_counted=is_counted)


def _as_finished(caller: Caller, run: Run, *, is_counted: bool = False) -> FinishedRun:
    cited = RunCitation.objects.of(caller).filter(run=run).order_by("id")
    citations = [Citation(identity, is_counted) for identity in cited.values_list("memory_id", flat=True)]
    nodes = [NodeCitation(UUID(identity), is_counted) for identity in run.cited_nodes]
    unresolved = [UUID(identity) for identity in run.unresolved]
    return FinishedRun(run, citations, nodes, unresolved, run.malformed, run.over_limit)
