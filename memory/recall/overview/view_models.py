"""View models of Home and of an agent's page: what needs a person, bars of days, what agents did in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from memory.memories.forms import View
from memory.memories.review.item_kinds import ItemKind
from memory.memories.selectors import FactsBudget
from memory.memories.view_models import list_url
from memory.recall.overview.selectors import AgentActivity, CallCount, Failure
from telemetry.patterns.view_models import effect_in_words, pattern_url, prompt_line
from telemetry.sequences.call_words import call_as_title, is_own_call, kind_in_words
from workspaces.access.selectors import ConsoleContext

BAR_WIDTH, BAR_HEIGHT = 6, 20
MAX_TOOLS = 3


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a person should decide."""

    number: str
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class AgentLine:
    """One agent of a list; `bars` are its days."""

    activity: AgentActivity
    url: str
    is_active: bool
    bars: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class CallName:
    """What was called: words for a call of this server, the name of any other tool as code."""

    text: str
    is_code: bool


@dataclass(frozen=True, slots=True)
class AgentCall:
    """What an agent called, how often, and how often in vain."""

    name: CallName
    number: int
    failed: int


@dataclass(frozen=True, slots=True)
class FailureLine:
    """What keeps going wrong for an agent; `title` is the code of its error, '' for none. `warning` and `effect` where
    there is a warning, which agents are not given while it `is_suppressed`."""

    failure: Failure
    title: str
    tools: Sequence[CallName]
    kind: str
    url: str
    warning: str
    effect: str
    is_suppressed: bool


# What waits in the review queue, one and many of it; the most urgent first, as the queue has them.
WAITING = {
    ItemKind.PENDING: ("memory is kept from agents", "memories are kept from agents"),
    ItemKind.PROPOSAL: ("proposal of another space", "proposals of other spaces"),
    ItemKind.CONTRADICTION: ("contradiction", "contradictions"),
    ItemKind.PATTERN: ("new pattern of failures", "new patterns of failures"),
    ItemKind.MERGE: ("pair that looks like one thing", "pairs that look like one thing"),
    ItemKind.SUGGESTION: ("suggestion to decide", "suggestions to decide"),
    ItemKind.STALE: ("stale memory", "stale memories"),
}


def needs(
    seat: ConsoleContext, waiting: Mapping[ItemKind, int], *, budget: FactsBudget, patterns: int, most: int
) -> list[Need]:
    """Return what waits for a person, the most urgent first: the numbers of the review queue, beyond `most` rounded."""
    slug = seat.workspace.slug
    found = []
    if budget.is_exceeded:
        found.append(Need("", "The facts take more than their budget", list_url(seat, View.FACTS)))
    for kind, (one, many) in WAITING.items():
        if number := waiting[kind]:
            text = one if number == 1 else many
            found.append(Need(_format_bound(number, most), text, reverse("review", args=[slug])))
    if patterns:
        text = "error that agents are warned of" if patterns == 1 else "errors that agents are warned of"
        found.append(Need(f"{patterns:,}", text, reverse("agent-patterns", args=[slug])))
    return found


def agent_lines(seat: ConsoleContext, agents: Iterable[AgentActivity], *, now: datetime) -> list[AgentLine]:
    return [AgentLine(one, agent_url(seat, one.name), one.is_active(now), bars(one.days)) for one in agents]


def agent_url(seat: ConsoleContext, name: str) -> str:
    return f"{reverse('agent', args=[seat.workspace.slug])}?{urlencode({'name': name})}"


def failure_lines(seat: ConsoleContext, failures: Iterable[Failure]) -> list[FailureLine]:
    lines = []
    for one in failures:
        pattern = one.pattern
        parts = {"action_type": one.action_type, "node_type": one.node_type, "error_code": one.error_code}
        timeline = f"{reverse('agents', args=[seat.workspace.slug])}?{urlencode({k: v for k, v in parts.items() if v})}"
        lines.append(
            FailureLine(
                failure=one,
                title=one.error_code,
                tools=[_name_call(tool) for tool in one.tools[:MAX_TOOLS]],
                kind=kind_in_words(one.action_type, one.node_type),
                url=pattern_url(seat, pattern) if pattern else timeline,
                warning=prompt_line(pattern) if pattern else "",
                effect=effect_in_words(pattern) if pattern else "",
                is_suppressed=pattern is not None and pattern.suppressed_at is not None,
            )
        )
    return lines


def call_lines(calls: Iterable[CallCount]) -> list[AgentCall]:
    """Return what an agent called, in words, with the number of times; the same words once."""
    counted: dict[CallName, AgentCall] = {}
    for call in calls:
        name = _name_call(call.tool)
        same = counted.get(name, AgentCall(name, 0, 0))
        counted[name] = AgentCall(name, same.number + call.number, same.failed + call.failed)
    return list(counted.values())


def _name_call(tool: str) -> CallName:
    return CallName(call_as_title(tool), is_code=not is_own_call(tool))


def bars(days: Sequence[int]) -> list[dict[str, Any]]:
    """Return one bar for each day, scaled to the highest, as `parts/spark.html` draws them."""
    top = max(days, default=0) or 1
    drawn = []
    for place, number in enumerate(days):
        height = max(round(BAR_HEIGHT * number / top), 1)
        drawn.append({"x": place * (BAR_WIDTH + 2), "y": BAR_HEIGHT - height, "height": height, "number": number})
    return drawn


def _format_bound(number: int, most: int) -> str:
    return f"{most:,}+" if number > most else f"{number:,}"
