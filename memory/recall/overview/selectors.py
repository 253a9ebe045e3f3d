"""Reading what Home and the page of an agent show, in a number of queries that does not grow with the workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Max, Q

from memory.memories.selectors import LEARNED
from memory.models import ContextReceipt, Kind, Memory
from ontology.models import Node
from telemetry.actions.outcomes import Outcome
from telemetry.actions.selectors import Narrow, newest_actions
from telemetry.models import Pattern
from telemetry.models import Sequence as SequenceRow
from workspaces.access.callers import KIND_NOTES, Caller, Right
from workspaces.access.scope import reading_scope

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
    """An action of an agent that went wrong, how often, with which tools (the most frequent first), and the pattern
    that agents are warned of, if there is one."""

    action_type: str
    node_type: str
    error_code: str
    number: int
    last_at: datetime
    tools: Sequence[str] = ()
    pattern: Pattern | None = None


@dataclass(frozen=True, slots=True)
class CallCount:
    """What an agent called, by the name of the tool or the type of the action, how often, and how often in vain."""

    tool: str
    number: int
    failed: int


@dataclass(frozen=True, slots=True)
class AgentWork:
    """What an agent called lately, what failed, and what it wrote."""

    calls: Sequence[CallCount]
    failures: Sequence[Failure]
    memories: Sequence[Memory]
    looked_at: int
    sequences: Sequence[SequenceRow] = field(default_factory=list)


def recently_learned(caller: Caller, *, since: datetime, now: datetime) -> Learned:
    """Return what was learned in the last days."""
    caller.require(Right.READ)
    with reading_scope(caller):
        # Of nodes alone: their index has them in this order, which a join with memories would sort again.
        nodes = Node.objects.of(caller).live().filter(type__in=Kind.values).order_by("-created_at", "-id")
        recent = nodes.filter(created_at__gte=now - timedelta(days=DAYS)).values("pk", "created_at")[:MAX_LEARNED]
        counted = recent.aggregate(recent=Count("pk", filter=Q(created_at__gte=since)), **_counts_of_days(now))
        ids = list(nodes.values_list("id", flat=True)[:MAX_MEMORIES])
        found = Memory.objects.of(caller).select_related("node").in_bulk(ids)
    newest = [found[each] for each in ids if each in found]
    return Learned([counted[_day_name(day)] for day in reversed(range(DAYS))], counted["recent"], newest)


def recent_contexts(caller: Caller, *, since: datetime) -> Contexts:
    """Return how many contexts were put together since then, counted up to 2,000."""
    caller.require(Right.READ)
    with reading_scope(caller):
        found = ContextReceipt.objects.of(caller).filter(created_at__gte=since).order_by("-created_at")
        times = sorted(found.values_list("latency_ms", flat=True)[:MAX_CONTEXTS])
    return Contexts(len(times), times[int(len(times) * 0.95)] if times else 0.0)


def count_unused_facts(caller: Caller, *, most: int) -> int:
    """Return how many facts no run has cited yet, counted up to `most` and one."""
    with reading_scope(caller):
        unused = Memory.objects.of(caller).live().filter(node__type=Kind.FACT, node__reference_count=0)
        return unused.values("pk")[: most + 1].count()


def recent_agents(caller: Caller, *, now: datetime) -> list[AgentActivity]:
    """Return the agents of the newest 500 sequences, the last seen first."""
    caller.require(Right.READ)
    with reading_scope(caller):
        of_agent: dict[str, list[_SequenceTotals]] = {}
        for row in _newest_sequences(caller, {}):
            of_agent.setdefault(row.agent, []).append(row)
    found = [_sum_up(name, sequences, now=now) for name, sequences in of_agent.items()]
    return sorted(found, key=lambda one: one.last_at, reverse=True)


def find_agent(caller: Caller, name: str, *, now: datetime) -> AgentActivity | None:
    """Return what an agent did in its newest 500 sequences; None where it did nothing."""
    caller.require(Right.READ)
    with reading_scope(caller):
        rows = _newest_sequences(caller, {"agent": name})
    return _sum_up(name, rows, now=now) if rows else None


def agent_work(caller: Caller, name: str) -> AgentWork:
    """Return what an agent did in the newest 5,000 actions, and the memories that it wrote last."""
    caller.require(Right.READ)
    with reading_scope(caller):
        rows = newest_actions(caller, most=MAX_ACTIONS).rows.filter(agent=name).order_by()
        kinds = rows.values("tool", "action_type", "node_type", "error_code", "outcome")
        actions = [_ActionCount(**each) for each in kinds.annotate(number=Count("id"), last_at=Max("occurred_at"))]
        patterns = {
            (one.action_type, one.node_type, one.error_code): one for one in Pattern.objects.of(caller).promoted()
        }
        written = (
            Memory.objects.of(caller)
            .live()
            .filter(author__in=[name, *(f"{name}{note}" for note in KIND_NOTES.values())])
        )
        memories = list(written.select_related("node").order_by(f"-{LEARNED}", "-pk")[:MAX_MEMORIES])
    calls = _count_calls(actions)
    looked_at = sum(one.number for one in calls)
    return AgentWork(calls, _sum_up_failures(actions, patterns)[:MAX_FAILURES], memories, looked_at)


def count_days(times: Iterable[datetime], *, now: datetime) -> list[int]:
    """Return how many of the times lie in each of the last 14 days, the oldest day first."""
    counted = Counter((now - at) // timedelta(days=1) for at in times)
    return [counted[day] for day in reversed(range(DAYS))]


def _day_name(day: int) -> str:
    return f"day_{day}"


def _counts_of_days(now: datetime) -> dict[str, Count]:
    """Return how many of the rows lie in each of the last days, as `count_days` counts times."""
    starts = [now - timedelta(days=day) for day in range(DAYS + 1)]
    return {
        _day_name(day): Count("pk", filter=Q(created_at__gt=starts[day + 1], created_at__lte=starts[day]))
        for day in range(DAYS)
    }


class _SequenceTotals(NamedTuple):
    """What is summed up of a sequence; instances of the model would take longer to make than to read."""

    agent: str
    ended_at: datetime
    action_count: int
    failure_count: int


def _newest_sequences(caller: Caller, narrow: Narrow) -> list[_SequenceTotals]:
    rows = SequenceRow.objects.of(caller).filter(**narrow).order_by("-id").values_list(*_SequenceTotals._fields)
    return [_SequenceTotals(*row) for row in rows[:MAX_SEQUENCES]]


@dataclass(frozen=True, slots=True)
class _ActionCount:
    """How often an agent did one thing with one outcome, and when last."""

    tool: str
    action_type: str
    node_type: str
    error_code: str
    outcome: str
    number: int
    last_at: datetime


def _count_calls(actions: Iterable[_ActionCount]) -> list[CallCount]:
    """Return what was called, the most frequent first."""
    number: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for each in actions:
        number[each.tool or each.action_type] += each.number
        failed[each.tool or each.action_type] += each.number if each.outcome != Outcome.SUCCESS else 0
    return [CallCount(tool, total, failed[tool]) for tool, total in number.most_common()]


def _sum_up_failures(
    actions: Iterable[_ActionCount], patterns: Mapping[tuple[str, str, str], Pattern]
) -> list[Failure]:
    """Return what failed, the most frequent first."""
    failed: dict[tuple[str, str, str], list[_ActionCount]] = {}
    for each in actions:
        if each.outcome != Outcome.SUCCESS:
            failed.setdefault((each.action_type, each.node_type, each.error_code), []).append(each)
    found = [
        Failure(
            *step,
            sum(one.number for one in same),
            max(one.last_at for one in same),
            [call.tool for call in _count_calls(one for one in same if one.tool)],
            patterns.get(step),
        )
        for step, same in failed.items()
    ]
    return sorted(found, key=lambda one: (one.number, one.last_at), reverse=True)


def _sum_up(name: str, rows: Sequence[_SequenceTotals], *, now: datetime) -> AgentActivity:
    return AgentActivity(
        name=name,
        last_at=max(row.ended_at for row in rows),
        sequences=len(rows),
        actions=sum(row.action_count for row in rows),
        failures=sum(row.failure_count for row in rows),
        days=count_days((row.ended_at for row in rows), now=now),
    )
