"""The outcomes of an action and of a sequence. Pure."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """How an action ended, and a sequence: as its last action did."""

    SUCCESS = "success"
    FAILURE = "failure"
    DEAD_END = "dead_end"
