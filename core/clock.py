"""The one place that asks what time it is, so that tests can freeze it, and the one format of times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def utc_now() -> datetime:
    """Return the current moment, timezone-aware, in UTC."""
    return datetime.now(UTC)


def microseconds(at: datetime) -> int:
    """Return the microseconds from the beginning of 1970 to a moment."""
    return (at - EPOCH) // _MICROSECOND


def moment(at: datetime | None) -> str | None:
    """RFC 3339 in UTC, as all times of the API."""
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")
