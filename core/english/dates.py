"""Keeping "yesterday" true: sentences that outlive the day on which they were said."""

from __future__ import annotations

import re
from datetime import datetime

_RELATIVE_TIME = re.compile(
    r"(?i)\b(?:today|tonight|yesterday|tomorrow|recently|now|currently|lately|ago|(?:last|next|this|past) (?:night|"
    r"week|month|year|spring|summer|autumn|fall|winter|mon|tues|wednes|thurs|fri|satur|sun)\w*)\b"
)


def prefix_date(sentence: str, *, at: datetime) -> str:
    """With the day on which it was said, where "last week" would otherwise mean nothing later."""
    if not _RELATIVE_TIME.search(sentence):
        return sentence
    said = sentence.rstrip(".!?…")
    return f"{said} (said on {at.day} {at:%B %Y}){sentence[len(said) :]}"
