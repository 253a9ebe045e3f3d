"""Replays of the made-up office: through the product, and on paper, by its rules alone with lists for tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, zip_longest
from operator import attrgetter
from random import Random

import time_machine

from telemetry.actions.services.action_log import MAX_AT_ONCE, NewAction, record_actions
from telemetry.models import Pattern
from telemetry.patterns import mining as patterns_mining
from telemetry.patterns.mining import TRAILING_DAYS, Effect, Evidence, Key, Verdict, effect, verdicts
from telemetry.patterns.services.evaluation import evaluate_workspace
from telemetry.patterns.services.warning_injection import HELD_OUT_SHARE, inject_patterns
from telemetry.sequences.sessionization import GAP, FormedSequence, TimedAction, form_sequence, split_at_gaps
from tests.cast import Household
from tests.telemetry.acting import NOON, colleague
from tests.telemetry.simulator import FAILS_AS_NUISANCE, Office
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

FIRST_DAY = NOON.replace(hour=8)
JUDGED_AFTER = timedelta(hours=15)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a pattern: its evidence, and how many warned and held-out ones met the error all the same."""

    is_promoted: bool
    evidence: Evidence
    shown: int
    shown_failed: int
    held_out: int
    held_out_failed: int

    @property
    def effect(self) -> Effect | None:
        return effect(
            shown=self.shown,
            shown_failed=self.shown_failed,
            held_out=self.held_out,
            held_out_failed=self.held_out_failed,
        )


class Replay(ABC):
    """An office whose actions are reported every evening, and judged the night after."""

    def __init__(self, seed: int, *, nuisance: float = FAILS_AS_NUISANCE) -> None:
        self.office = Office(Random(seed), nuisance)
        self.actions = 0
        self._lot = Random(seed + 1_000)
        self._days = 0

    def run(self, days: int, *, warns: bool) -> None:
        for _ in range(days):
            begins = FIRST_DAY + timedelta(days=self._days)
            actions = self.office.day(begins, self._warned if warns else _nobody_is_warned)
            self.keep(actions)
            self.judge(begins + JUDGED_AFTER)
            self._days += 1
            self.actions += len(actions)

    @abstractmethod
    def keep(self, actions: Sequence[NewAction]) -> None: ...

    @abstractmethod
    def judge(self, now: datetime) -> None: ...

    @abstractmethod
    def told(self, session: str, at: datetime, key: Key, draw: float) -> Iterable[str]:
        """The errors that an agent is warned of right before an action."""

    @abstractmethod
    def standings(self) -> dict[Key, Standing]: ...

    def _warned(self, session: str, at: datetime, key: Key) -> bool:
        return key.error_code in self.told(session, at, key, self._lot.random())


class InTheProduct(Replay):
    """Through the services, the database and its statements."""

    def __init__(self, household: Household, seed: int) -> None:
        super().__init__(seed)
        self._household = household
        self._callers = (household.caller, colleague(household))

    def _caller_of(self, session: str) -> Caller:
        """Half of the agents report with one key, half with another."""
        return self._callers[int(session.removeprefix("agent-").split()[0]) % 2]

    def keep(self, actions: Sequence[NewAction]) -> None:
        for start in range(0, len(actions), MAX_AT_ONCE):
            for caller in self._callers:
                mine = [one for one in actions[start : start + MAX_AT_ONCE] if self._caller_of(one.session) == caller]
                record_actions(caller=caller, actions=mine)

    def judge(self, now: datetime) -> None:
        evaluate_workspace(workspace_id=self._household.workspace.id, now=now)

    def told(self, session: str, at: datetime, key: Key, draw: float) -> Iterable[str]:
        with time_machine.travel(at, tick=False):
            warning = inject_patterns(
                caller=self._caller_of(session),
                node_types=[key.node_type],
                action_type=key.action_type,
                session=session,
                draw=draw,
            )
        return [pattern.error_code for pattern in warning.patterns]

    def standings(self) -> dict[Key, Standing]:
        with workspace_scope(self._household.caller):
            return {
                Key(row.action_type, row.node_type, row.error_code): Standing(
                    row.status == "promoted",
                    Evidence(row.support, row.attempts),
                    row.shown,
                    row.shown_failed,
                    row.held_out,
                    row.held_out_failed,
                )
                for row in Pattern.objects.all()
            }


@dataclass(frozen=True, slots=True)
class _Warning:
    session: str
    at: datetime
    key: Key
    is_held_out: bool


class OnPaper(Replay):
    """By the pure rules alone: a seed takes a second. `InTheProduct` comes to the same numbers."""

    def __init__(self, seed: int, *, nuisance: float = FAILS_AS_NUISANCE) -> None:
        super().__init__(seed, nuisance=nuisance)
        self._sequences: list[FormedSequence] = []
        self._acts: dict[str, list[Sequence[TimedAction]]] = {}
        self._open: list[_Warning] = []
        self._settled: list[tuple[_Warning, bool]] = []
        self._known: dict[Key, tuple[Evidence, Verdict]] = {}
        self._since = FIRST_DAY

    def keep(self, actions: Sequence[NewAction]) -> None:
        """All actions of a session come at once, since a session is an agent's day."""
        ordered = sorted(actions, key=attrgetter("session", "occurred_at"))
        for session, group in groupby(ordered, key=attrgetter("session")):
            self._acts[session] = list(split_at_gaps([_act(action) for action in group]))
            self._sequences.extend(form_sequence(session, acts) for acts in self._acts[session])

    def judge(self, now: datetime) -> None:
        self._since = now - timedelta(days=TRAILING_DAYS)
        recent = [one for one in self._sequences if one.ended_at >= self._since]
        met = Counter(step for one in recent for step in one.steps)
        tried = Counter(attempt for one in recent for attempt in one.attempts)
        known = {key: outcome == Verdict.PROMOTED for key, (_, outcome) in self._known.items()}
        self._known = verdicts(patterns_mining.count_evidence(met=met.items(), attempts=tried), known=known)
        self._settled.extend(self._settlements())
        self._open = []

    def told(self, session: str, at: datetime, key: Key, draw: float) -> Iterable[str]:
        about = [
            known
            for known, (_, outcome) in self._known.items()
            if outcome == Verdict.PROMOTED and (known.action_type, known.node_type) == (key.action_type, key.node_type)
        ]
        is_held_out = draw < HELD_OUT_SHARE
        self._open.extend(_Warning(session, at, known, is_held_out) for known in about)
        return [] if is_held_out else [known.error_code for known in about]

    def standings(self) -> dict[Key, Standing]:
        return {
            key: Standing(outcome == Verdict.PROMOTED, found, *self._counts(key, False), *self._counts(key, True))
            for key, (found, outcome) in self._known.items()
        }

    def _settlements(self) -> Iterator[tuple[_Warning, bool]]:
        """Whether the error came between a warning and the next one about the same; none where nobody tried."""
        ordered = sorted(self._open, key=attrgetter("session", "key", "at"))
        for warning, after in zip_longest(ordered, ordered[1:]):
            is_repeated = after and (after.session, after.key) == (warning.session, warning.key)
            until = _microseconds(after.at) if after and is_repeated else None
            tries = [act for act in self._acts_after(warning) if until is None or act.at < until]
            if tries:
                yield warning, any(act.error == warning.key.error_code for act in tries)

    def _acts_after(self, warning: _Warning) -> list[TimedAction]:
        """The tries of what a warning was about, in the sequence that it was given to."""
        at, gap = _microseconds(warning.at), GAP // timedelta(microseconds=1)
        inside = (acts for acts in self._acts[warning.session] if acts[0].at <= at + gap and acts[-1].at >= at)
        about = (warning.key.action_type, warning.key.node_type)
        return [act for act in next(inside, []) if act.at >= at and (act.action_type, act.node_type) == about]

    def _counts(self, key: Key, is_held_out: bool) -> tuple[int, int]:
        results = [
            failed
            for warning, failed in self._settled
            if warning.key == key and warning.is_held_out == is_held_out and warning.at >= self._since
        ]
        return len(results), sum(results)


def _act(action: NewAction) -> TimedAction:
    assert action.occurred_at
    return TimedAction(
        _microseconds(action.occurred_at),
        action.agent,
        action.action_type,
        action.tool,
        action.node_type,
        action.outcome,
        action.error_code,
    )


def _microseconds(at: datetime) -> int:
    return (at - datetime.fromtimestamp(0, at.tzinfo)) // timedelta(microseconds=1)


def _nobody_is_warned(session: str, at: datetime, key: Key) -> bool:
    return False
