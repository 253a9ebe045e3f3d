"""What an undo is about: whose writes, of which time, in which spaces."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter
from uuid import UUID

from django.db.models import Q

from conversations.messages.selectors import find_own_conversation
from core.clock import utc_now
from core.errors import FieldProblem, InvalidError, NotFoundError
from core.ids import id_from_time, parse_id
from memory.citations.selectors import access_run
from memory.models import Run
from transfer.imports.selectors import access_import
from transfer.models import ImportStatus, UndoTarget
from workspaces.access.callers import KIND_NOTES, ActorKind, Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import OtherSpaceError
from workspaces.oauth.selectors import known_agents, plain_agent_name

AGENTS = frozenset(KIND_NOTES)
# Ids tell no time before it.
FIRST_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """What a caller wants undone: `subject` is the id of a run or import, or names a key or connected app.

    What was written after `until` stays. `is_everywhere` is for every space of the workspace.
    """

    target: UndoTarget
    subject: str
    since: datetime | None = None
    until: datetime | None = None
    is_everywhere: bool = False


@dataclass(frozen=True, slots=True)
class UndoScope:
    """What an undo looks for, with the caller who reads it: `authors` are ids of keys and apps, `names` their names.

    `name_is_shared` says that another key or app has one of these names. `conversation` is that of a run, whose
    extracted memories belong to it. `overlaps` are the times of other runs of the author, in order and apart. What has
    an id before `imported_before` came in with an import.
    """

    request: UndoRequest
    reader: Caller
    until: datetime
    since: datetime | None = None
    authors: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    name_is_shared: bool = False
    conversation: UUID | None = None
    imported_before: UUID | None = None
    overlaps: tuple[tuple[datetime, datetime], ...] = field(default=())

    def time_condition(self, *, at: str = "created_at") -> Q:
        """Return the condition for rows of the time that is undone. Ids are in the order of time, and have an index."""
        if self.since is None:
            return Q(pk__in=())
        first = id_from_time(max(self.since, FIRST_MOMENT))
        return Q(id__gte=first, **{f"{at}__gte": self.since, f"{at}__lte": self.until})

    def is_ambiguous(self, at: datetime) -> bool:
        """Return whether another run of the author was at work at that moment."""
        place = bisect_right(self.overlaps, at, key=itemgetter(0))
        return place > 0 and at <= self.overlaps[place - 1][1]


def find_scope(*, caller: Caller, wanted: UndoRequest) -> UndoScope:
    """Return what an undo is about.

    Raises MissingScopeError without `write`, and without `admin` for all but a run of the caller's own; NotFoundError
    for a run, an import or an agent that is not of the workspace; SpaceNotAllowedError for a bound key where every
    space is meant; OtherSpaceError for a run of a space that is only read; InvalidError for an impossible time.
    """
    caller.require(Right.WRITE)
    return _FINDERS[wanted.target](caller, wanted)


def _find_run(caller: Caller, wanted: UndoRequest) -> UndoScope:
    run = access_run(caller, _identity(wanted))
    is_own = caller.is_agent and (run.author_id, run.author_kind) == (caller.id, caller.kind)
    if not is_own:
        caller.require(Right.ADMIN)
    if run.space_id != caller.reach.written:
        raise OtherSpaceError()
    reader = caller.alone()
    until = min(run.finished_at or utc_now(), wanted.until or utc_now())
    with workspace_scope(reader):
        conversation = find_own_conversation(reader, run.conversation) if run.conversation else None
        overlaps = _overlapping_runs(reader, run, until)
    # What a person did meanwhile on pages is not a part of a run that they began in the chat.
    authors = frozenset({run.author_id}) if run.author_kind in AGENTS else frozenset()
    names, is_shared = _names(caller, authors)
    return UndoScope(
        request=wanted,
        reader=reader,
        since=run.started_at,
        until=until,
        authors=authors,
        names=names,
        name_is_shared=is_shared,
        conversation=conversation.id if conversation else None,
        overlaps=overlaps,
    )


def _overlapping_runs(reader: Caller, run: Run, until: datetime) -> tuple[tuple[datetime, datetime], ...]:
    if not run.author_id:
        return ()
    others = Run.objects.of(reader).filter(author_id=run.author_id, started_at__lte=until).exclude(id=run.id)
    at_work = others.filter(Q(finished_at=None) | Q(finished_at__gte=run.started_at))
    now = utc_now()
    times = at_work.order_by("started_at").values_list("started_at", "finished_at")
    return join_times((start, end or now) for start, end in times.iterator())


def join_times(times: Iterable[tuple[datetime, datetime]]) -> tuple[tuple[datetime, datetime], ...]:
    """Return times that overlap as one, in order of their beginnings, in which they come."""
    joined: list[tuple[datetime, datetime]] = []
    for start, end in times:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return tuple(joined)


def _find_import(caller: Caller, wanted: UndoRequest) -> UndoScope:
    job = access_import(caller, _identity(wanted))
    if job.status != ImportStatus.DONE:
        problem = FieldProblem("import", "not_done", "This import is not done, so that nothing of it is here.")
        raise InvalidError(problems=(problem,))
    # It came into an empty workspace, in one transaction, with the ids that it had: what is older is of it.
    bound = id_from_time(job.started_at or job.created_at)
    until = wanted.until or utc_now()
    return UndoScope(request=wanted, reader=caller.in_every_space(), until=until, imported_before=bound)


def _find_agent(caller: Caller, wanted: UndoRequest) -> UndoScope:
    caller.require(Right.ADMIN)
    until = wanted.until or utc_now()
    if wanted.since is None:
        raise InvalidError(problems=(FieldProblem("since", "required", "Name the time from which on to undo."),))
    if wanted.since >= until:
        problem = FieldProblem("since", "in_the_future", "Name a time that is over, and before `until`.")
        raise InvalidError(problems=(problem,))
    reader = caller.in_every_space() if wanted.is_everywhere else caller.alone()
    authors = _named_authors(caller, wanted.subject)
    if not authors:
        sentence = "No API key or connected app of this workspace has this name or id."
        raise NotFoundError(problems=(FieldProblem("agent", "not_found", sentence),))
    names, is_shared = _names(caller, authors)
    return UndoScope(
        request=wanted,
        reader=reader,
        since=wanted.since,
        until=until,
        authors=authors,
        names=names,
        name_is_shared=is_shared,
    )


def _identity(wanted: UndoRequest) -> UUID:
    identity = parse_id(wanted.subject)
    if identity is None:
        raise NotFoundError()
    return identity


def _named_authors(caller: Caller, subject: str) -> frozenset[str]:
    """Return the ids of the keys and apps that a name or an id means, those without a way in by now among them."""
    name, identity = plain_agent_name(subject), parse_id(subject)
    known = known_agents(caller)
    return frozenset(each for each, label in known if (each == str(identity) if identity else label == name))


def _names(caller: Caller, authors: frozenset[str]) -> tuple[frozenset[str], bool]:
    """Return the names of keys and apps, and whether another one has the same."""
    known = known_agents(caller)
    names = frozenset(name for identity, name in known if identity in authors)
    return names, any(name in names and identity not in authors for identity, name in known)


_FINDERS: dict[str, Callable[[Caller, UndoRequest], UndoScope]] = {
    UndoTarget.RUN: _find_run,
    UndoTarget.IMPORT: _find_import,
    UndoTarget.AGENT: _find_agent,
}


def is_author(scope: UndoScope, *, kind: str, identity: str) -> bool:
    """Return whether a step is of one whose writes are undone."""
    return identity in scope.authors and ActorKind(kind) in AGENTS
