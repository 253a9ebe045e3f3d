"""View models of the timeline: rows of sequences and actions, tabs, chips, durations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse

from telemetry.actions.outcomes import Outcome
from telemetry.models import Action
from telemetry.models import Sequence as SequenceRow
from telemetry.sequences.call_words import call_as_title, kind_in_words, summary_in_words
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import build_tabs
from workspaces.http.console_lists import Filters, chip_groups

OUTCOME_LABELS = {Outcome.SUCCESS: "Success", Outcome.FAILURE: "Failure", Outcome.DEAD_END: "Dead end"}
MAX_CHIPS = 8


@dataclass(frozen=True, slots=True)
class TimelineLine:
    """One sequence as `parts/timeline_row.html` shows it."""

    sequence: SequenceRow
    title: str
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


def tabs(seat: ConsoleContext, current: str) -> list[dict[str, Any]]:
    """Return the pages of Agents."""
    pages = [("Timeline", "agents"), ("Patterns", "agent-patterns"), ("Benchmarks", "agent-benchmarks")]
    return build_tabs(seat, pages, current)


def timeline_lines(seat: ConsoleContext, sequences: Iterable[SequenceRow]) -> list[TimelineLine]:
    return [
        TimelineLine(
            sequence=one,
            title=summary_in_words(one.intent.summary),
            url=sequence_url(seat, one),
            text=" · ".join([one.agent, format_count(one.action_count, "action"), *_lasting(one)]),
            badge=_label_outcome(one),
            tone="warning" if one.failure_count else "",
        )
        for one in sequences
    ]


def _lasting(sequence: SequenceRow) -> list[str]:
    """Return how long a sequence went on, from its first action to its last: nothing for actions that were reported
    for one moment, since how long each took is not in it."""
    return [f"within {duration(sequence.duration)}"] if sequence.duration_ms else []


def _label_outcome(sequence: SequenceRow) -> str:
    """Return how a sequence ended, or how much failed in one that ended well."""
    if sequence.outcome != Outcome.SUCCESS:
        return OUTCOME_LABELS[Outcome(sequence.outcome)]
    return f"{sequence.failure_count:,} failed" if sequence.failure_count else ""


def action_lines(actions: Iterable[Action]) -> list[ActionLine]:
    return [_action_line(action) for action in actions]


def sequence_url(seat: ConsoleContext, sequence: SequenceRow) -> str:
    return reverse("agent-sequence", args=[seat.workspace.slug, sequence.id])


def timeline_chips(narrow: Mapping[str, str], recent: Sequence[SequenceRow]) -> list[dict[str, Any]]:
    """Outcomes, and the agents of recent sequences; what came by a link from elsewhere can be taken away."""
    chip = Filters.single(narrow).chip
    seen = [name for name, _ in Counter(one.agent for one in recent).most_common(MAX_CHIPS)]
    chosen = narrow.get("agent")
    agents = seen if not chosen or chosen in seen else [chosen, *seen]
    others = [name for name in ("session", "action_type", "node_type", "error_code") if name in narrow]
    return chip_groups(
        [
            ("Outcome", [chip("outcome", label, str(name), alone=True) for name, label in OUTCOME_LABELS.items()]),
            # A single agent is nothing to choose from.
            ("Agent", [chip("agent", name, name, alone=True) for name in agents if chosen or len(agents) > 1]),
            ("About", [chip(name, narrow[name], narrow[name], alone=True) for name in others]),
        ]
    )


def duration(time: timedelta) -> str:
    """Return a length of time in its two largest units."""
    seconds = time.total_seconds()
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _action_line(action: Action) -> ActionLine:
    kind = kind_in_words(action.action_type, action.node_type)
    parts = [
        kind if action.tool else "",
        format_count(len(action.node_ids), "node") if action.node_ids else "",
        "" if action.latency_ms is None else duration(timedelta(milliseconds=action.latency_ms)),
    ]
    is_fine = action.outcome == Outcome.SUCCESS
    return ActionLine(
        action=action,
        title=call_as_title(action.tool) if action.tool else f"{kind[:1].upper()}{kind[1:]}",
        text=" · ".join(part for part in parts if part),
        badge="" if is_fine else action.error_code or OUTCOME_LABELS[Outcome(action.outcome)],
        tone="" if is_fine else "warning",
    )


def format_count(number: int, thing: str) -> str:
    return f"1 {thing}" if number == 1 else f"{number:,} {thing}s"
