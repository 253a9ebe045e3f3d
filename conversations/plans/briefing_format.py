"""The briefing of a sub-agent as text: its task, the plan, and what was tried before, within a token budget. Pure.

Stored text stays on the line that it stands on (core.text.prompt_sanitiser), behind a word of the server: it can begin
neither a line nor a heading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.text.prompt_sanitiser import flat_excerpt, flatten, label

# Characters of each text of the newest attempt, and of older ones: the first number for which there is room.
NEWEST_SIZES, OLDER_SIZES = (1_000, 300, 100), (300, 100)
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
    by: str = ""


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


@dataclass
class _Room:
    """The tokens that are left; a part is taken whole or not at all."""

    left: int
    count: Callable[[str], int]

    def take(self, lines: Sequence[str]) -> bool:
        cost = self.count("\n".join(lines)) + 1  # and the line break
        if cost > self.left:
            return False
        self.left -= cost
        return True

    def take_first(self, ways: Iterable[Sequence[str]]) -> Sequence[str]:
        """Take the first of these ways of saying a thing that fits, and return it; nothing where none does."""
        return next(filter(self.take, ways), ())


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
    most a number of tokens. Each part is counted once, so that the work goes by the length of what is read.
    """
    steps = plan.steps if plan else ()
    opening = _opening_lines(task_key, task)
    longest_notes = ["", _heading(len(attempts), 0), _render_omission(len(steps), 0)]
    room = _Room(budget - count("\n".join([*opening, *longest_notes])), count)
    head = room.take_first([_plan_lines(plan)] if plan else [])
    newest = room.take_first(_attempt_lines(each, size) for each in attempts[:1] for size in NEWEST_SIZES)
    shown_steps: dict[int, str] = {}
    for place in sorted(range(len(steps)), key=lambda place: (steps[place].status not in UNFINISHED, place)):
        line = _step_line(place, steps[place])
        if head and room.take([line]):
            shown_steps[place] = line
    shown = [newest] if newest else []
    for attempt in attempts[1:] if newest else ():
        lines = room.take_first(_attempt_lines(attempt, size) for size in OLDER_SIZES)
        if not lines:  # without gaps: an attempt says little without those that came after it
            break
        shown.append(lines)
    parts = [*opening]
    if head:
        left = [_render_omission(len(steps), len(shown_steps))] if len(shown_steps) < len(steps) else []
        parts += [*head, *(shown_steps[place] for place in sorted(shown_steps)), *left]
    parts += ["", _heading(len(attempts), len(shown)), *(line for lines in reversed(shown) for line in lines)]
    text = "\n".join(parts)
    if count(text) > budget:  # the task alone is longer
        text = trim(text, budget)
    return RenderedBriefing(text, count(text), len(shown), len(attempts) - len(shown), len(steps) - len(shown_steps))


def _opening_lines(task_key: str, task: str) -> list[str]:
    return [f"Task: {flatten(task_key)}", *([f"What to do: {flatten(task)}"] if task else [])]


def _plan_lines(plan: BriefingPlan) -> list[str]:
    by = f" ({_author(plan.by)})" if plan.by else ""
    lines = ["", f"Plan{by}:", f"- goal: {flatten(plan.goal)}"]
    if plan.phase:
        lines.append(f"- phase: {flatten(plan.phase)}")
    if plan.iteration_count:
        lines.append(f"- iteration: {plan.iteration_count}")
    return lines


def _step_line(place: int, step: BriefingStep) -> str:
    note = f" ({flat_excerpt(step.note, limit=STEP_CHARACTERS)})" if step.note else ""
    return f"- step {place + 1}, {step.status}: {flatten(step.title)}{note}"


def _render_omission(steps: int, shown: int) -> str:
    return f"- {steps - shown} of {steps} steps left out"


def _heading(attempts: int, shown: int) -> str:
    if not attempts:
        return "Earlier attempts: none."
    left = attempts - shown
    return f"Earlier attempts, the newest last{f' ({left} older left out)' if left else ''}:"


def _attempt_lines(attempt: BriefingAttempt, characters: int) -> list[str]:
    said = [f"  {name}: {flat_excerpt(text, limit=characters)}" for name, text in attempt.texts if text]
    return [f"- attempt {attempt.number} ({_author(attempt.by)}, {attempt.at:%Y-%m-%d %H:%M} UTC)", *said]


def _author(signature: str) -> str:
    """Return who wrote something. A long name is cut, and not the note of a key or an app: without it, it would be read
    as that of a person."""
    name, opening, note = signature.rpartition(" (")
    return f"{label(name)} {label(note)}" if opening and note.endswith(")") else label(signature)
