"""What the Agents templates show: rows of the timeline, chips, patterns with their effect, metrics as charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from core.text import excerpt
from telemetry.benchmarks_maths import Aggregation, Measure, Trend
from telemetry.builtin import EFFICIENCY
from telemetry.charts import Chart, chart
from telemetry.mining import Effect, effect
from telemetry.models import Action, Metric, Pattern, PatternStatus
from telemetry.models import Sequence as SequenceRow
from telemetry.selectors import History
from telemetry.sequencing import Outcome
from telemetry.services.injecting import pattern_line
from telemetry.services.measuring import Point
from workspaces.selectors import Seat

OUTCOME_LABELS = {Outcome.SUCCESS: "Success", Outcome.FAILURE: "Failure", Outcome.DEAD_END: "Dead end"}
TREND_LABELS = {Trend.UP: "rising", Trend.DOWN: "falling", Trend.FLAT: "steady"}
MOST_CHIPS = 8
MOST_CHARACTERS_OF_CHIP = 28


@dataclass(frozen=True, slots=True)
class TimelineLine:
    """One sequence as `parts/timeline_row.html` shows it."""

    sequence: SequenceRow
    url: str
    text: str
    badge: str
    tone: str


@dataclass(frozen=True, slots=True)
class ActionLine:
    """One action of a sequence as `parts/timeline_row.html` shows it."""

    action: Action
    title: str
    text: str
    badge: str
    tone: str


@dataclass(frozen=True, slots=True)
class PatternLine:
    """One pattern as the list shows it."""

    pattern: Pattern
    url: str
    effect: str


@dataclass(frozen=True, slots=True)
class MetricPanel:
    """One metric with its values, as the benchmarks page shows it."""

    metric: Metric
    url: str
    latest: str
    trend: str
    chart: Chart | None
    low: str
    high: str
    label: str
    points: Sequence[Mapping[str, Any]]


def tabs(seat: Seat, current: str) -> list[dict[str, Any]]:
    """The pages of Agents."""
    pages = [("Timeline", "agents"), ("Patterns", "agent-patterns"), ("Benchmarks", "agent-benchmarks")]
    return [
        {"label": label, "url": reverse(name, args=[seat.workspace.slug]), "current": name == current}
        for label, name in pages
    ]


def timeline_lines(seat: Seat, sequences: Iterable[SequenceRow]) -> list[TimelineLine]:
    return [
        TimelineLine(
            sequence=one,
            url=sequence_url(seat, one),
            text=f"{one.agent} · {_counted(one.action_count, 'action')} · {duration(one.duration)}",
            badge="" if one.outcome == Outcome.SUCCESS else OUTCOME_LABELS[Outcome(one.outcome)],
            tone="" if one.outcome == Outcome.SUCCESS else "warning",
        )
        for one in sequences
    ]


def action_lines(actions: Iterable[Action]) -> list[ActionLine]:
    return [_action_line(action) for action in actions]


def sequence_url(seat: Seat, sequence: SequenceRow) -> str:
    return reverse("agent-sequence", args=[seat.workspace.slug, sequence.id])


def pattern_url(seat: Seat, pattern: Pattern) -> str:
    return reverse("agent-pattern", args=[seat.workspace.slug, pattern.id])


def metric_url(seat: Seat, metric: Metric) -> str:
    return reverse("agent-metric", args=[seat.workspace.slug, metric.id])


def timeline_chips(narrow: Mapping[str, str], recent: Sequence[SequenceRow]) -> list[dict[str, Any]]:
    """Outcomes, and the agents of recent sequences; what came by a link from elsewhere can be taken away."""
    outcomes = [_chip(narrow, "outcome", label, str(outcome)) for outcome, label in OUTCOME_LABELS.items()]
    seen = [name for name, _ in Counter(one.agent for one in recent).most_common(MOST_CHIPS)]
    chosen = narrow.get("agent")
    agents = seen if not chosen or chosen in seen else [chosen, *seen]
    others = [name for name in ("session", "action_type", "node_type", "error_code") if name in narrow]
    groups = [
        {"label": "Outcome", "chips": outcomes},
        {"label": "Agent", "chips": [_chip(narrow, "agent", name, name) for name in agents]},
        {"label": "About", "chips": [_chip(narrow, name, narrow[name], narrow[name]) for name in others]},
    ]
    return [group for group in groups if len(group["chips"]) > (group["label"] == "Agent" and not chosen)]


def pattern_chips(narrow: Mapping[str, str]) -> list[dict[str, Any]]:
    statuses = [_chip(narrow, "status", str(status.label), str(status.value)) for status in PatternStatus]
    return [{"label": "Status", "chips": [*statuses, _chip(narrow, "suppressed", "Suppressed", "true")]}]


def pattern_lines(seat: Seat, patterns: Iterable[Pattern]) -> list[PatternLine]:
    return [PatternLine(one, pattern_url(seat, one), _effect_in_short(effect_of(one))) for one in patterns]


def effect_of(pattern: Pattern) -> Effect | None:
    return effect(
        shown=pattern.shown,
        shown_failed=pattern.shown_failed,
        held_out=pattern.held_out,
        held_out_failed=pattern.held_out_failed,
    )


def effect_arms(pattern: Pattern) -> list[dict[str, Any]]:
    """With the warning and without it: how often the error came all the same."""
    arms = [
        ("With the warning", pattern.shown, pattern.shown_failed),
        ("Held out", pattern.held_out, pattern.held_out_failed),
    ]
    return [
        {"label": label, "tried": tried, "failed": failed, "rate": failed / tried if tried else 0.0}
        for label, tried, failed in arms
    ]


def effect_in_words(pattern: Pattern) -> str:
    """One sentence on what the warning is worth."""
    found = effect_of(pattern)
    if found is None:
        return "Not measured yet: it takes tries with the warning and tries for which it was held out."
    points = abs(found.difference) * 100
    if not found.is_clear:
        return f"Too few tries to tell: the difference of {points:.0f} points may be chance."
    direction = "less often" if found.difference > 0 else "more often"
    return (
        f"The error comes {direction} with the warning: by {points:.0f} points, give or take {found.margin * 100:.0f}."
    )


def told_line(pattern: Pattern) -> str:
    """What agents read about it."""
    return pattern_line(pattern).removeprefix("- ")


def met_url(seat: Seat, pattern: Pattern) -> str:
    """The timeline of those that met it."""
    parts = {"action_type": pattern.action_type, "node_type": pattern.node_type, "error_code": pattern.error_code}
    query = urlencode({name: value for name, value in parts.items() if value})
    return f"{reverse('agents', args=[seat.workspace.slug])}?{query}"


def metric_panel(seat: Seat, history: History) -> MetricPanel:
    metric, latest = history.metric, history.latest
    values = [point.value for point in history.points]
    is_share = metric.aggregation == Aggregation.RATE
    drawn = chart(values, least=0.0 if is_share else None, most=1.0 if is_share else None)
    shown = formatted(metric, latest.value) if latest else "–"
    return MetricPanel(
        metric=metric,
        url=metric_url(seat, metric),
        latest=shown,
        trend=TREND_LABELS[history.trend] if history.trend else "",
        chart=drawn,
        low=formatted(metric, drawn.low) if drawn else "",
        high=formatted(metric, drawn.high) if drawn else "",
        label=f"{metric.name}: {_counted(len(values), 'day')}, the last {shown}",
        points=[
            {"date": point.date, "value": formatted(metric, point.value), "sequences": point.sequences}
            for point in reversed(history.points)
        ],
    )


def trial_lines(metric: Metric, found: Sequence[Point]) -> list[dict[str, Any]]:
    """What a metric would have said, the latest day first."""
    return [
        {"date": point.day, "value": formatted(metric, point.value), "sequences": point.sequences}
        for point in reversed(found)
        if point.sequences
    ]


def definition(metric: Metric) -> list[dict[str, Any]]:
    """How a metric is measured, as `parts/key_values.html` shows it."""
    pairs: list[dict[str, Any]] = [
        {"label": "Value", "value": str(metric.aggregation), "mono": True},
        {"label": "Events", "value": metric.event_filter or "every sequence", "mono": bool(metric.event_filter)},
        {"label": "Condition", "value": metric.success_condition or "none", "mono": bool(metric.success_condition)},
        {"label": "Window", "value": _counted(metric.window_days, "day")},
    ]
    if metric.aggregation != Aggregation.RATE:
        pairs.insert(1, {"label": "Of", "value": str(metric.measure), "mono": True})
    return pairs


def formatted(metric: Metric, value: float | None) -> str:
    """A value with its unit."""
    if value is None:
        return "–"
    if metric.is_builtin and metric.name == EFFICIENCY:
        return f"{value:+.1%}"
    if metric.aggregation == Aggregation.RATE:
        return f"{value:.1%}"
    return duration(timedelta(milliseconds=value)) if metric.measure == Measure.DURATION else f"{value:,.1f}"


def duration(time: timedelta) -> str:
    """A length of time in its two largest units."""
    seconds = time.total_seconds()
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _action_line(action: Action) -> ActionLine:
    parts = [
        action.action_type if action.tool else "",
        f"on {action.node_type}" if action.node_type else "",
        _counted(len(action.node_ids), "node") if action.node_ids else "",
        "" if action.latency_ms is None else duration(timedelta(milliseconds=action.latency_ms)),
    ]
    is_fine = action.outcome == Outcome.SUCCESS
    return ActionLine(
        action=action,
        title=action.tool or action.action_type,
        text=" · ".join(part for part in parts if part),
        badge="" if is_fine else action.error_code or OUTCOME_LABELS[Outcome(action.outcome)],
        tone="" if is_fine else "warning",
    )


def _effect_in_short(found: Effect | None) -> str:
    if found is None:
        return "not measured yet"
    if not found.is_clear:
        return "unclear"
    return f"{abs(found.difference):.0%} {'fewer' if found.difference > 0 else 'more'} errors"


def _chip(narrow: Mapping[str, str], name: str, label: str, value: str) -> dict[str, Any]:
    """A link that narrows to a value, or takes that away again."""
    is_on = narrow.get(name) == value
    rest = {other: kept for other, kept in narrow.items() if other != name}
    query = urlencode(rest if is_on else {**rest, name: value})
    return {"label": excerpt(label, limit=MOST_CHARACTERS_OF_CHIP), "url": f"?{query}", "on": is_on, "count": None}


def _counted(number: int, thing: str) -> str:
    return f"1 {thing}" if number == 1 else f"{number:,} {thing}s"
