"""What the templates of Settings → Models show: choices and calls in words, and where the month's budget stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from llm.call_kinds import CallKind, Level, Tier
from llm.configuration.budget import Budget
from llm.configuration.forms import LEVELS, WORK
from llm.models import ModelChoice, PromptRun

CALLS_SHOWN = 10
KINDS: dict[str, str] = {
    CallKind.QA: "Answer or summary",
    CallKind.EXTRACT: "Extraction",
    CallKind.OBSERVE: "Observation",
    CallKind.REFLECT: "Reflection",
    CallKind.EMBED: "Vectors",
    CallKind.TEST: "Test",
}
NO_MODEL = (
    "No model is configured. Answers and summaries quote what was said, word for word, and facts are found by rules. "
    "Nothing is sent anywhere."
)
NO_MODEL_OF_THE_WORKSPACE = (
    "No model is configured for the whole workspace: only the agents and conversations below have one. Everywhere else "
    "answers and summaries quote what was said, and facts are found by rules."
)


@dataclass(frozen=True, slots=True)
class ChoiceLine:
    """One choice in words."""

    choice: ModelChoice
    work: str
    whom: str
    prices: str


@dataclass(frozen=True, slots=True)
class CallLine:
    """One call of a model in words."""

    run: PromptRun
    work: str
    ended: str
    credits: str


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """Where the month stands; `percent` is of the limit, None without one."""

    sentence: str
    percent: int | None
    warning: str


def notice(choices: Sequence[ModelChoice]) -> str:
    """Return what to know about how questions are answered here; '' when the workspace has a model."""
    if not choices:
        return NO_MODEL
    return "" if any(choice.level == Level.WORKSPACE for choice in choices) else NO_MODEL_OF_THE_WORKSPACE


def choice_lines(choices: Iterable[ModelChoice]) -> list[ChoiceLine]:
    return [
        ChoiceLine(
            choice,
            WORK[Tier(choice.tier)],
            choice.subject or LEVELS[Level.WORKSPACE],
            f"{_amount(choice.input_price)} / {_amount(choice.output_price)}",
        )
        for choice in choices
    ]


def describe_fallback(choices: Sequence[ModelChoice]) -> str:
    """Return what happens with the work of a tier that the workspace chose no model for; '' when there is none."""
    chosen = {Tier(choice.tier) for choice in choices if choice.level == Level.WORKSPACE}
    if len(chosen) != 1:
        return ""
    (missing,) = set(Tier) - chosen
    return f"{WORK[missing]} are left to the same model, until one is chosen for them."


def call_lines(runs: Iterable[PromptRun]) -> list[CallLine]:
    return [
        CallLine(run, KINDS.get(run.kind, run.kind), run.get_status_display().capitalize(), _amount(run.credits))
        for run in runs
    ]


def budget_line(budget: Budget) -> BudgetLine:
    if budget.limit is None:
        return BudgetLine(f"{_amount(budget.spent)} credits used this month, without a limit.", None, "")
    percent = min(int(100 * budget.spent / budget.limit), 100) if budget.limit else 100
    sentence = f"{_amount(budget.spent)} of {_amount(budget.limit)} credits used this month ({percent} %)."
    return BudgetLine(sentence, percent, _describe_stop(budget))


def _describe_stop(budget: Budget) -> str:
    if budget.stops_everything:
        return "The budget is used up: no model is called until next month, or until you raise it."
    if budget.stops_background:
        return "Background work has stopped: consolidation, extraction and observation wait for next month."
    return ""


def _amount(number: Decimal) -> str:
    """Cents matter up to a hundred, then they are noise; a price may be smaller than a cent."""
    if number == 0:
        return "0"
    text = f"{number:,.0f}" if number >= 100 else f"{number:,.2f}" if number >= 1 else f"{number:,.6f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
