"""The three metrics that every workspace has from the first enabling of memory on. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from telemetry.metrics.aggregation import Aggregation, Measure

TASK_SUCCESS = "task_success_rate"
EFFICIENCY = "efficiency_delta"
UTILISATION = "pattern_utilisation"


@dataclass(frozen=True, slots=True)
class Builtin:
    """A metric that is given. The second and third are more than the language of metrics can say."""

    name: str
    title: str
    description: str
    aggregation: Aggregation
    measure: Measure = Measure.DURATION
    success_condition: str = ""
    window_days: int = 7


BUILTINS = (
    Builtin(
        TASK_SUCCESS,
        "Tasks that succeed",
        "The fraction of sequences that ended in success, over seven days.",
        Aggregation.RATE,
        success_condition='outcome = "success"',
    ),
    Builtin(
        EFFICIENCY,
        "Change in actions per task",
        "How much the mean number of actions of a sequence changed against the 28 days before: -0.1 is a tenth fewer.",
        Aggregation.AVERAGE,
        measure=Measure.ACTIONS,
    ),
    Builtin(
        UTILISATION,
        "Warnings that are heeded",
        "The fraction of sequences with a warning whose error did not occur, over seven days.",
        Aggregation.RATE,
    ),
)


TITLES = {given.name: given.title for given in BUILTINS}


def metric_title(name: str, *, is_builtin: bool) -> str:
    """Return the name of a metric in words: "Tasks that succeed" for `task_success_rate`."""
    if is_builtin and name in TITLES:
        return TITLES[name]
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:] or name
