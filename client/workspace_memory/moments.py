"""Times in ISO 8601 as other programs write them, read alike by every version of Python. Pure."""

from __future__ import annotations

import re
from datetime import datetime

# Until Python 3.11 a fraction has three digits or six, and `Z` is not an offset.
_FRACTION = re.compile(r"(?<=:\d\d)[.,](\d+)")


def parse_moment(text: str) -> datetime:
    """Return the time that a text names, without a zone where it has none. Raises ValueError."""
    text = re.sub(r"[zZ]$", "+00:00", text.strip())
    return datetime.fromisoformat(_FRACTION.sub(lambda found: f".{found[1][:6]:0<6}", text))
