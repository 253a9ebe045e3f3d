"""The one place that asks what time it is, so that tests can freeze it."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The current moment, timezone-aware, in UTC."""
    return datetime.now(UTC)
