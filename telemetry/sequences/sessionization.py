"""From single actions to sequences: where one ends, what it amounts to, and what late actions do to it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Ordered
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from core.text import excerpt
from telemetry.actions.outcomes import Outcome
from telemetry.sequences.step_keys import attempt_key, step

# PRODUCT section 7: actions of one session with gaps of at most five minutes.
GAP = timedelta(minutes=5)
MAX_CHARACTERS_OF_SUMMARY = 600
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_GAP = GAP // timedelta(microseconds=1)


class TimedAction(NamedTuple):
    """What a sequence needs of an action. A tuple with a plain number for its time (microseconds since 1970), since
    a million of them are read at once.
    """

    at: int
    agent: str
    action_type: str
    tool: str
    node_type: str
    outcome: str
    error_code: str
    is_trusted: bool = False

    @property
    def error(self) -> str:
        """The code of what went wrong; how it ended where no code was given; '' for a success."""
        return "" if self.outcome == Outcome.SUCCESS else self.error_code or self.outcome


@dataclass(frozen=True, slots=True)
class Span:
    """Time of one reporter's session; `known` is the sequence that holds it, None for what has just arrived."""

    reporter: str
    session: str
    first_at: datetime
    last_at: datetime
    known: UUID | None = None


@dataclass(frozen=True, slots=True)
class SessionWindow:
    """Time of one session whose actions must be looked at together.

    `known` are the sequences that lie in it, oldest first; `news_at` is when the first of the arrivals happened.
    """

    reporter: str
    session: str
    first_at: datetime
    last_at: datetime
    known: Ordered[Span]
    news_at: datetime


@dataclass(frozen=True, slots=True)
class FormedSequence:
    """A sequence as its actions make it, from the first to the last of them. `steps` and `attempts` are sorted."""

    session: str
    agent: str
    started_at: datetime
    ended_at: datetime
    outcome: str
    action_count: int
    failure_count: int
    duration_ms: int
    steps: Ordered[str]
    attempts: Ordered[str]
    summary: str
    reporter: str
    is_trusted: bool


def session_windows(spans: Iterable[Span]) -> list[SessionWindow]:
    """Arrivals and the sequences near them, joined where no more than the gap is between two."""
    groups: list[list[Span]] = []
    end = _EPOCH
    for span in sorted(spans, key=lambda span: (span.reporter, span.session, span.first_at)):
        before = groups[-1][0] if groups else None
        is_same = before and (before.reporter, before.session) == (span.reporter, span.session)
        if is_same and span.first_at - end <= GAP:
            groups[-1].append(span)
            end = max(end, span.last_at)
        else:
            groups.append([span])
            end = span.last_at
    return [_build_window(group) for group in groups]


def split_at_gaps(actions: Ordered[TimedAction]) -> Iterator[Ordered[TimedAction]]:
    """Yield the actions of a session, in the order of their times, cut wherever the gap is too long."""
    start = 0
    for place, (before, after) in enumerate(pairwise(actions), start=1):
        if after.at - before.at > _GAP:
            yield actions[start:place]
            start = place
    if actions:
        yield actions[start:]


def form_sequence(session: str, actions: Ordered[TimedAction], *, reporter: str = "") -> FormedSequence:
    """Return the sequence that some actions make, given in the order of their times."""
    first, last = actions[0], actions[-1]
    seen = {_describe_kind(action.action_type, action.tool, action.node_type, action.error) for action in actions}
    return FormedSequence(
        session=session,
        agent=first.agent,
        started_at=_EPOCH + timedelta(microseconds=first.at),
        ended_at=_EPOCH + timedelta(microseconds=last.at),
        outcome=last.outcome,
        action_count=len(actions),
        failure_count=sum(action.outcome != Outcome.SUCCESS for action in actions),
        duration_ms=(last.at - first.at) // 1_000,
        steps=sorted({one.step for one in seen}),
        attempts=sorted({one.attempt for one in seen}),
        summary=_summary(seen),
        reporter=reporter,
        is_trusted=all(action.is_trusted for action in actions),
    )


class _ActionKind(NamedTuple):
    """One kind of thing that happened in a sequence, in the words of `mining` and of summaries."""

    step: str
    attempt: str
    phrase: str
    error: str


@lru_cache(maxsize=4_096)
def _describe_kind(action_type: str, tool: str, node_type: str, error: str) -> _ActionKind:
    """Kept, because a million actions are of some hundred kinds."""
    made = step(action_type, node_type, error)
    words = (action_type, tool, f"on {node_type}" if node_type else "")
    return _ActionKind(made, attempt_key(made), " ".join(word for word in words if word), error)


def _summary(seen: Iterable[_ActionKind]) -> str:
    """Return what a sequence was about, in words that can be searched by meaning.

    It consists of types alone, without order or numbers, so that sequences of one intent share one summary.
    """
    done = sorted({one.phrase for one in seen})
    met = sorted({one.error for one in seen} - {""})
    errors = f"; met {', '.join(met)}" if met else ""
    return excerpt(f"{', '.join(done)}{errors}".replace("_", " "), limit=MAX_CHARACTERS_OF_SUMMARY)


def _build_window(spans: Ordered[Span]) -> SessionWindow:
    first_at, last_at = spans[0].first_at, max(span.last_at for span in spans)
    news_at = min((span.first_at for span in spans if span.known is None), default=last_at)
    return SessionWindow(
        spans[0].reporter, spans[0].session, first_at, last_at, [span for span in spans if span.known], news_at
    )
