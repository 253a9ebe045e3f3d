"""Where one session of a conversation ends and the next begins. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import merge

from core.clock import moment

SESSION_GAP = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Turn:
    """When a message was said, and in which session; an arriving one has '' unless its sender named the session."""

    at: datetime
    session: str = ""


def session_labels(arriving: Sequence[Turn], *, known: Sequence[Turn], ended_at: datetime | None) -> list[str]:
    """Return the session of each arriving message; both sequences are in the order of time.

    A message belongs to the session that its sender names. Otherwise it continues the session of the message before
    it, unless six hours or the end of the conversation (`ended_at`) lie between the two: then a new session begins,
    which is called after its start.
    """
    labels: list[str] = []
    last: Turn | None = None
    # At the same moment, what is known came first.
    for turn, is_arriving in merge(
        ((t, False) for t in known), ((t, True) for t in arriving), key=lambda pair: pair[0].at
    ):
        if is_arriving:
            last = Turn(turn.at, turn.session or _continue_session(last, turn.at, ended_at) or str(moment(turn.at)))
            labels.append(last.session)
        else:
            last = turn
    return labels


def _continue_session(last: Turn | None, at: datetime, ended_at: datetime | None) -> str:
    if last is None or at - last.at > SESSION_GAP:
        return ""
    is_cut = ended_at is not None and last.at <= ended_at < at
    return "" if is_cut else last.session
