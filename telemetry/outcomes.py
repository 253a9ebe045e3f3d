"""From single actions to sequences: where one ends, what it amounts to, and what late actions do to it. Pure."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """How an action ended, and a sequence: as its last action did."""

    SUCCESS = "success"
    FAILURE = "failure"
    DEAD_END = "dead_end"
