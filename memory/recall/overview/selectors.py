"""Reading what Home and the page of an agent show, in a number of queries that does not grow with the workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memory.memories.selectors import LEARNED
from memory.models import ContextReceipt, Kind, Memory
from ontology.models import Node
from telemetry.actions.outcomes import Outcome
from telemetry.models import Action, Pattern
from telemetry.models import Sequence as SequenceRow
from workspaces.access.callers import KIND_NOTES, Caller, Right
from workspaces.access.scope import workspace_scope

DAYS = 14
ACTIVE_FOR = timedelta(hours=1)
# Beyond these the newest stand for all: the page says what it looked at.
MAX_LEARNED, MAX_CONTEXTS, MAX_SEQUENCES, MAX_ACTIONS = 5_000, 2_000, 500, 5_000
MAX_MEMORIES, MAX_FAILURES = 8, 8


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned lately: how many on each of the last days, the oldest first, and the newest memories."""

    days: Sequence[int]
    recent: int
    newest: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class Contexts:
    """How many contexts were put together since a time, and within which time nearly all of them were."""

    number: int
    p95_ms: float


@dataclass(frozen=True, slots=True)
class AgentActivity:
    """What one agent did in its newest sequences."""

    name: str
    last_at: datetime
    sequences: int
    actions: int
    failures: int
    days: Sequence[int]

    def is_active(self, now: datetime) -> bool:
        return now - self.last_at <= ACTIVE_FOR


@dataclass(frozen=True, slots=True)
class Failure:
    """An action of an agent that went wrong, how often, and the pattern that agents are warned of, if there is one."""

    action_type: str
    node_type: str
    error_code: str
    number: int
    last_at: datetime
    pattern: Pattern | None = None


@dataclass(frozen=True, slots=True)
class AgentWork:
    """What an agent called lately, what failed, and what it wrote."""

    calls: Sequence[tuple[str, int]]
    failures: Sequence[Failure]
    memories: Sequence[Memory]
    looked_at: int
    sequences: Sequence[SequenceRow] = field(default_factory=list)


def recently_learned(caller: Caller, *, since: datetime, now: datetime) -> Learned:
    """Return what was learned in the last days."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        # Of nodes alone: their index has them in this order, which a join with memories would sort again.
        nodes = Node.objects.of(caller).live().filter(type__in=Kind.values).order_by("-created_at", "-id")
        recent = nodes.filter(created_at__gte=now - timedelta(days=DAYS))
        times = list(recent.values_list("created_at", flat=True)[:MAX_LEARNED])
        ids = list(nodes.values_list("id", flat=True)[:MAX_MEMORIES])
        found = Memory.objects.of(caller).select_related("node").in_bulk(ids)
    newest = [found[each] for each in ids if each in found]
    return Learned(count_days(times, now=now), sum(at >= since for at in times), newest)


def recent_contexts(caller: Caller, *, since: datetime) -> Contexts:
    """Return how many contexts were put together since then, counted up to 2,000."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        found = ContextReceipt.objects.of(caller).filter(created_at__gte=since).order_by("-created_at")
        times = sorted(found.values_list("latency_ms", flat=True)[:MAX_CONTEXTS])
    return Contexts(len(times), times[int(len(times) * 0.95)] if times else 0.0)


def count_unused_facts(caller: Caller, *, most: int) -> int:
    """Return how many facts no run has cited yet, counted up to `most` and one."""
    with workspace_scope(caller):
        unused = Memory.objects.of(caller).live().filter(node__type=Kind.FACT, node__reference_count=0)
        return unused.values("pk")[: most + 1].count()


def recent_agents(caller: Caller, *, now: datetime) -> list[AgentActivity]:
    """Return the agents of the newest 500 sequences, the last seen first."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        rows = SequenceRow.objects.of(caller).order_by("-id").only(*_PARTS)[:MAX_SEQUENCES]
        of_agent: dict[str, list[SequenceRow]] = {}
        for row in rows:
            of_agent.setdefault(row.agent, []).append(row)
    found = [_sum_up(name, sequences, now=now) for name, sequences in of_agent.items()]
    return sorted(found, key=lambda one: one.last_at, reverse=True)


def find_agent(caller: Caller, name: str, *, now: datetime) -> AgentActivity | None:
    """Return what an agent did in its newest 500 sequences; None where it did nothing."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        rows = list(SequenceRow.objects.of(caller).filter(agent=name).order_by("-id").only(*_PARTS)[:MAX_SEQUENCES])
    return _sum_up(name, rows, now=now) if rows else None


def agent_work(caller: Caller, name: str) -> AgentWork:
    """Return what an agent did in the newest 5,000 actions, and the memories that it wrote last."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        newest = Action.objects.of(caller).order_by("-id")[:MAX_ACTIONS].values("id")
        rows = Action.objects.of(caller).filter(id__in=newest, agent=name)
        actions = list(rows.values_list("tool", "action_type", "node_type", "error_code", "outcome", "occurred_at"))
        patterns = {
            (one.action_type, one.node_type, one.error_code): one for one in Pattern.objects.of(caller).promoted()
        }
        written = (
            Memory.objects.of(caller)
            .live()
            .filter(author__in=[name, *(f"{name}{note}" for note in KIND_NOTES.values())])
        )
        memories = list(written.select_related("node").order_by(f"-{LEARNED}", "-pk")[:MAX_MEMORIES])
    failed: dict[tuple[str, str, str], list[datetime]] = {}
    for _, action_type, node_type, error_code, outcome, at in actions:
        if outcome != Outcome.SUCCESS:
            failed.setdefault((action_type, node_type, error_code), []).append(at)
    failures = [Failure(*step, len(times), max(times), patterns.get(step)) for step, times in failed.items()]
    failures.sort(key=lambda one: (one.number, one.last_at), reverse=True)
    calls = Counter(tool or action_type for tool, action_type, *_ in actions).most_common()
    return AgentWork(calls, failures[:MAX_FAILURES], memories, len(actions))


def count_days(times: Iterable[datetime], *, now: datetime) -> list[int]:
    """Return how many of the times lie in each of the last 14 days, the oldest day first."""
    counted = Counter((now - at) // timedelta(days=1) for at in times)
    return [counted[day] for day in reversed(range(DAYS))]


_PARTS = ("id", "agent", "ended_at", "action_count", "failure_count")


def _sum_up(name: str, rows: Sequence[SequenceRow], *, now: datetime) -> AgentActivity:
    return AgentActivity(
        name=name,
        last_at=max(row.ended_at for row in rows),
        sequences=len(rows),
        actions=sum(row.action_count for row in rows),
        failures=sum(row.failure_count for row in rows),
        days=count_days((row.ended_at for row in rows), now=now),
    )
