"""The briefing of a sub-agent as text: its task, the plan, and what was tried before, within a token budget. Pure.

Stored text stays on the line that it stands on (core.text.prompt_sanitiser), behind a word of the server: it can begin
neither a line nor a heading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.text.prompt_sanitiser import flat_excerpt, flatten, label

# Characters of a text of the newest attempt, of the older ones, and of any where room is short.
NEWEST_CHARACTERS, OLDER_CHARACTERS, SHORT_CHARACTERS = 1_000, 300, 100
STEP_CHARACTERS = 300
# Steps of these come first where room is short.
UNFINISHED = ("in_progress", "blocked", "pending")


@dataclass(frozen=True, slots=True)
class BriefingStep:
    """One step of the plan."""

    title: str
    status: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class BriefingPlan:
    """What the briefing says of the plan."""

    goal: str
    phase: str
    iteration_count: int
    steps: Sequence[BriefingStep] = ()


@dataclass(frozen=True, slots=True)
class BriefingAttempt:
    """One attempt, with what is known of it by name: `action`, `result`, `error`, `diagnosis`, `fix`."""

    number: int
    by: str
    at: datetime
    texts: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class RenderedBriefing:
    """The text, its tokens, and what found no room in it."""

    text: str
    tokens: int
    attempts: int
    attempts_left_out: int
    steps_left_out: int


@dataclass(frozen=True, slots=True)
class _Selection:
    """What of a briefing is in it: places of steps, and attempts from the newest on with the characters of a text."""

    has_plan: bool = False
    steps: frozenset[int] = frozenset()
    attempts: tuple[int, ...] = ()


def render_briefing(
    *,
    task_key: str,
    task: str,
    plan: BriefingPlan | None,
    attempts: Sequence[BriefingAttempt],
    budget: int,
    count: Callable[[str], int],
    trim: Callable[[str, int], str],
) -> RenderedBriefing:
    """Render what a sub-agent is given, in at most `budget` tokens; `attempts` are newest first, and read newest last.

    Where room is short, the task stays, then the goal, the newest attempt, the steps that are not finished, the others,
    and the older attempts, the newest of them first. `count` returns the tokens of a text, `trim` its beginning of at
    most a number of tokens.
    """

    def render_text(selection: _Selection) -> str:
        return "\n".join(_lines(task_key, task, plan, attempts, selection))

    best = _Selection()
    for candidates in _iterate_offers(plan, attempts):
        found = next(
            (grown for candidate in candidates if count(render_text(grown := candidate(best))) <= budget),
            None,
        )
        best = best if found is None else found
    text = render_text(best)
    if count(text) > budget:
        text = trim(text, budget)
    steps = len(plan.steps) if plan else 0
    return RenderedBriefing(
        text, count(text), len(best.attempts), len(attempts) - len(best.attempts), steps - len(best.steps)
    )


_Growth = Callable[[_Selection], _Selection]


def _iterate_offers(plan: BriefingPlan | None, attempts: Sequence[BriefingAttempt]) -> Iterator[Sequence[_Growth]]:
    """Yield what is put in, the most important first: each in its ways, the fullest first."""
    if plan:
        yield [lambda selection: replace(selection, has_plan=True)]
    if attempts:
        yield [_attempt(0, size) for size in (NEWEST_CHARACTERS, OLDER_CHARACTERS, SHORT_CHARACTERS)]
    if plan:
        places = sorted(range(len(plan.steps)), key=lambda place: (plan.steps[place].status not in UNFINISHED, place))
        for place in places:
            yield [_step(place)]
    for place in range(1, len(attempts)):
        yield [_attempt(place, size) for size in (OLDER_CHARACTERS, SHORT_CHARACTERS)]


def _step(place: int) -> _Growth:
    def grow(selection: _Selection) -> _Selection:
        return replace(selection, steps=selection.steps | {place}) if selection.has_plan else selection

    return grow


def _attempt(place: int, characters: int) -> _Growth:
    def grow(selection: _Selection) -> _Selection:
        # Without gaps: an attempt says little without those that came after it.
        is_next = len(selection.attempts) == place
        return replace(selection, attempts=(*selection.attempts, characters)) if is_next else selection

    return grow


def _lines(
    task_key: str,
    task: str,
    plan: BriefingPlan | None,
    attempts: Sequence[BriefingAttempt],
    selection: _Selection,
) -> Iterator[str]:
    yield f"Task: {flatten(task_key)}"
    if task:
        yield f"What to do: {flatten(task)}"
    if plan and selection.has_plan:
        yield from _plan_lines(plan, selection.steps)
    yield from _attempt_lines(attempts, selection.attempts)


def _plan_lines(plan: BriefingPlan, shown: frozenset[int]) -> Iterator[str]:
    yield ""
    yield "Plan:"
    yield f"- goal: {flatten(plan.goal)}"
    if plan.phase:
        yield f"- phase: {flatten(plan.phase)}"
    if plan.iteration_count:
        yield f"- iteration: {plan.iteration_count}"
    for place in sorted(shown):
        step = plan.steps[place]
        note = f" ({flat_excerpt(step.note, limit=STEP_CHARACTERS)})" if step.note else ""
        yield f"- step {place + 1}, {step.status}: {flatten(step.title)}{note}"
    if left := len(plan.steps) - len(shown):
        yield f"- {left} of {len(plan.steps)} steps left out"


def _attempt_lines(attempts: Sequence[BriefingAttempt], sizes: Sequence[int]) -> Iterator[str]:
    yield ""
    if not attempts:
        yield "Earlier attempts: none."
        return
    left = len(attempts) - len(sizes)
    yield f"Earlier attempts, the newest last{f' ({left} older left out)' if left else ''}:"
    for place in reversed(range(len(sizes))):
        attempt = attempts[place]
        yield f"- attempt {attempt.number} ({label(attempt.by)}, {attempt.at:%Y-%m-%d %H:%M} UTC)"
        for name, text in attempt.texts:
            if text:
                yield f"  {name}: {flat_excerpt(text, limit=sizes[place])}"
