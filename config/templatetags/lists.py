"""What templates of lists ask: the day above rows that are in the order of time, whether filters are folded, and short
ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django import template

from core import ids
from core.clock import utc_now

register = template.Library()


@register.filter
def day_name(at: datetime | None) -> str:
    """Return "Today", "Yesterday", "Tuesday 24 November", or with its year a day of another one; in UTC, like the
    times of the rows below."""
    if at is None:
        return "Never"
    today, day = utc_now().date(), at.date()
    if day == today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    return f"{day:%A} {day.day} {day:%B}" + (f" {day.year}" if day.year != today.year else "")


@register.filter
def has_folded(groups: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether a filter bar has chips that stand behind *More filters*."""
    return any(group.get("folded") and any(not chip["on"] for chip in group["chips"]) for group in groups or ())


@register.filter
def abbreviate_id(text: str) -> str:
    """Return the end of a text that is an id, and any other text as it is."""
    return ids.abbreviate_id(text)
