"""What recall is meant to reach, by data set, level and measure; the table shows it next to what was measured."""

from __future__ import annotations

from collections.abc import Mapping

# (suite, category, measure) → minimum per cent. Data sets are found by how their names begin.
TARGETS: Mapping[str, Mapping[tuple[str, str, str], float]] = {
    "locomo": {
        ("turn", "all", "any@5"): 84.0,
        ("turn", "all", "frac@10"): 87.5,
        ("session", "all", "any@5"): 96.5,
        ("session", "all", "all@5"): 89.0,
        ("session", "multi-hop", "all@5"): 50.0,
        ("turn, all at once", "all", "frac@10"): 86.0,
        ("turn, words alone", "all", "frac@10"): 78.0,
    },
    "beam": {
        ("turn", "all", "frac@10"): 50.0,
        ("turn", "all", "all@10"): 36.0,
    },
}


def targets_of(data_set: str) -> Mapping[tuple[str, str, str], float]:
    return next((found for name, found in TARGETS.items() if data_set.lower().startswith(name)), {})
