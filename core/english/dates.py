"""Keeping "yesterday" true: sentences that outlive the day on which they were said."""

from __future__ import annotations

from datetime import datetime

from core.english.times import RELATIVE_TIME


def prefix_date(sentence: str, *, at: datetime) -> str:
    """With the day on which it was said, where "last week" would otherwise mean nothing later."""
    if not RELATIVE_TIME.search(sentence):
        return sentence
    said = sentence.rstrip(".!?…")
    return f"{said} (said on {at.day} {at:%B %Y}){sentence[len(said) :]}"
