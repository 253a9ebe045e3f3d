"""What to advise about a pattern, by rule: the error's code says what usually helps. Pure."""

from __future__ import annotations

import re

# The first that matches counts, so the narrower ones come first.
_RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), advice)
    for pattern, advice in (
        (
            r"rate.?limit|too.?many|throttl|quota|429",
            "Slow down: space the calls out, batch them, and wait before trying again.",
        ),
        (r"time.?out|deadline|504|408", "Ask for less at once, and try again with a longer time limit."),
        (r"unauth|credential|expired.?(key|token)|401", "Check that the credentials are current before trying."),
        (
            r"forbid|denied|permission|scope|403",
            "Check that you may do this; ask a person for the right instead of trying again.",
        ),
        (
            r"not.?found|missing|absent|no.?such|404",
            "Look the target up first and use the id that comes back; do not make one up.",
        ),
        (
            r"duplicate|conflict|exists|version|stale|409",
            "Read the current state first: it may exist already, or another call changed it.",
        ),
        (r"too.?large|size|413", "Send less at once: split it, or leave out what is not needed."),
        (r"invalid|schema|valid|format|malformed|pars|422|400", "Check the fields against the schema before sending."),
        (r"dead.?end|empty|no.?result", "Searching this way finds nothing: use other words, another type, or ask."),
        (
            r"unavailable|connect|network|refused|50[023]",
            "The service behind it is often away: check it first, and wait between tries.",
        ),
    )
)
_OTHERWISE = "Find out what goes wrong here before trying it again, or take another way."


def recommendation(error_code: str) -> str:
    """One sentence for an agent that is about to try."""
    return next((advice for pattern, advice in _RULES if pattern.search(error_code)), _OTHERWISE)
