"""Reading telemetry. `access_sequence` and its like are the only road from an outside id to a row."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import BooleanField, F, Model, Q, QuerySet, Window
from django.db.models.expressions import RawSQL
from django.db.models.functions import RowNumber

from core.errors import NotFoundError
from core.text import has_forbidden_characters
from telemetry.benchmarks_maths import Trend, trend
from telemetry.mining import SEPARATOR
from telemetry.models import Action, Benchmark, Injection, Metric, Pattern, PatternQuerySet
from telemetry.models import Sequence as SequenceRow
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope

M = TypeVar("M", bound=Model)
Narrow = Mapping[str, Any]

NOTHING: Narrow = {}
MOST_POINTS = 90
MOST_ACTIONS_SHOWN = 1_000
PARTS_OF_STEP = ("action_type", "node_type", "error_code")


@dataclass(frozen=True, slots=True)
class History:
    """A metric's values, oldest first, and where the last ones are heading."""

    metric: Metric
    points: Sequence[Benchmark]

    @property
    def latest(self) -> Benchmark | None:
        return self.points[-1] if self.points else None

    @property
    def trend(self) -> Trend | None:
        return trend([point.value for point in self.points])


def actions_of(caller: Caller, narrow: Narrow = NOTHING) -> QuerySet[Action]:
    """The workspace's actions as they arrived, newest first, for an open scope. `narrow` names fields."""
    return Action.objects.filter(
        _within("occurred_at", narrow), workspace_id=caller.workspace_id, **_named(narrow)
    ).order_by("-id")


def sequences_of(caller: Caller, narrow: Narrow = NOTHING) -> QuerySet[SequenceRow]:
    """The workspace's sequences, the latest beginning first, for an open scope.

    `narrow` may name session, agent and outcome, since and until (of its end), and action_type, node_type and
    error_code: those that have a step with all of these.
    """
    parts = {name: narrow[name] for name in PARTS_OF_STEP if name in narrow}
    whole = {name: value for name, value in _named(narrow).items() if name not in parts}
    mine = SequenceRow.objects.filter(_within("ended_at", narrow), workspace_id=caller.workspace_id, **whole)
    if parts:
        mine = mine.filter(_has_step(parts))
    return mine.select_related("intent").defer("intent__vector", "steps", "attempts").order_by("-id")


def access_sequence(caller: Caller, sequence_id: UUID) -> SequenceRow:
    """A sequence of the caller's workspace. Raises NotFoundError, MissingScopeError without `read`."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        return _found(sequences_of(caller).filter(id=sequence_id))


def actions_in(caller: Caller, sequence: SequenceRow) -> QuerySet[Action]:
    """A sequence's actions in the order of their times, for an open scope."""
    return Action.objects.filter(
        workspace_id=caller.workspace_id,
        session=sequence.session,
        occurred_at__range=(sequence.started_at, sequence.ended_at),
    ).order_by("occurred_at", "id")


def warnings_in(caller: Caller, sequence: SequenceRow) -> QuerySet[Injection]:
    """The warnings that a sequence was given or, by lot, was not, in the order of their times, for an open scope."""
    mine = Injection.objects.filter(workspace_id=caller.workspace_id, sequence_id=sequence.id)
    return mine.select_related("pattern").order_by("injected_at", "id")


def mark_of(sequences: Sequence[SequenceRow]) -> str:
    """A text that changes when the list does: a sequence came, or one of them grew."""
    seen = [f"{one.id} {one.ended_at.isoformat()} {one.action_count}" for one in sequences]
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()[:16]


def patterns_of(caller: Caller, narrow: Narrow = NOTHING) -> PatternQuerySet:
    """The workspace's patterns, newest first, for an open scope. `narrow` names fields, `suppressed` among them."""
    given = dict(narrow)
    suppressed = given.pop("suppressed", None)
    mine: PatternQuerySet = Pattern.objects.filter(workspace_id=caller.workspace_id, **given).order_by("-id")
    return mine if suppressed is None else mine.filter(suppressed_at__isnull=not suppressed)


def ranked_patterns(caller: Caller, narrow: Narrow = NOTHING) -> PatternQuerySet:
    """The workspace's patterns, promoted ones first, the surest and commonest before the others, for an open scope."""
    worth = (F("confidence") * F("support")).desc()
    return patterns_of(caller, narrow).order_by("status", worth, "id")


def access_pattern(caller: Caller, pattern_id: UUID) -> Pattern:
    """A pattern of the caller's workspace. Raises NotFoundError, MissingScopeError without `read`."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        return _found(patterns_of(caller).filter(id=pattern_id))


def access_metric(caller: Caller, address: str) -> Metric:
    """A metric of the caller's workspace by its name or id. Raises NotFoundError, MissingScopeError without `read`."""
    caller.require(Right.READ)
    if has_forbidden_characters(address):
        raise NotFoundError()
    with workspace_scope(caller):
        mine = Metric.objects.filter(workspace_id=caller.workspace_id)
        return _found(mine.filter(Q(name=address) | Q(id=_as_id(address))).order_by("id"))


def history_of(caller: Caller, metric: Metric, *, most: int = MOST_POINTS) -> History:
    """The newest values of a metric. Raises MissingScopeError without `read`."""
    return histories_of(caller, [metric], most=most)[0]


def histories_of(caller: Caller, metrics: Sequence[Metric], *, most: int = MOST_POINTS) -> list[History]:
    """The newest values of each metric. Raises MissingScopeError without `read`."""
    caller.require(Right.READ)
    known: dict[UUID, list[Benchmark]] = {metric.id: [] for metric in metrics}
    newest = Window(RowNumber(), partition_by="metric_id", order_by="-date")
    with workspace_scope(caller):
        points = Benchmark.objects.filter(workspace_id=caller.workspace_id, metric_id__in=known)
        for point in points.annotate(place=newest).filter(place__lte=most).order_by("date"):
            known[point.metric_id].append(point)
    return [History(metric, known[metric.id]) for metric in metrics]


def _has_step(parts: Mapping[str, str]) -> RawSQL:
    """Whether one step of a sequence has all of these parts, which steps name in the order of PARTS_OF_STEP."""
    places = [PARTS_OF_STEP.index(name) + 1 for name in parts]
    fits = " AND ".join(["split_part(step, %s, %s) = %s"] * len(places))
    bound = [value for place, part in zip(places, parts.values(), strict=True) for value in (SEPARATOR, place, part)]
    return RawSQL(f"EXISTS (SELECT FROM unnest(agent_sequences.steps) AS step WHERE {fits})", bound, BooleanField())  # noqa: S611  # bound


def _within(moment: str, narrow: Narrow) -> Q:
    bounds = {"since": f"{moment}__gte", "until": f"{moment}__lt"}
    return Q(**{lookup: narrow[name] for name, lookup in bounds.items() if name in narrow})


def _named(narrow: Narrow) -> dict[str, Any]:
    return {name: value for name, value in narrow.items() if name not in {"since", "until"}}


def _found(rows: QuerySet[M]) -> M:
    row = rows.first()
    if row is None:
        raise NotFoundError()
    return row


def _as_id(address: str) -> UUID | None:
    try:
        return UUID(address)
    except ValueError:
        return None
