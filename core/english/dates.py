"""The day on which a sentence was said, added to sentences such as "I moved yesterday"."""

from __future__ import annotations

from datetime import datetime

from core.english.relative_dates import write_day
from core.english.times import RELATIVE_TIME


def append_date(sentence: str, *, at: datetime) -> str:
    """Return the sentence with the day on which it was said, where "last week" would otherwise mean nothing later."""
    if not RELATIVE_TIME.search(sentence):
        return sentence
    said = sentence.rstrip(".!?…")
    return f"{said} (said on {write_day(at)}){sentence[len(said) :]}"
