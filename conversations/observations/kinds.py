"""Kinds of observations. Pure."""

from __future__ import annotations

from enum import StrEnum


class ObservationKind(StrEnum):
    """How much an observation matters: `critical` is never dropped, `info` is dropped first."""

    CRITICAL = "critical"
    IMPORTANT = "important"
    COMPLETION = "completion"
    INFO = "info"
