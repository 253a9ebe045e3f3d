"""A made-up office of agents: what they try, what fails for a reason, what fails by chance, and who heeds a warning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction
from telemetry.patterns.mining import Key

# Three causes that make an attempt fail nearly always.
PLANTED = (
    Key("tool_call", "invoice", "rate_limited"),
    Key("ontology_mutation", "customer", "version_conflict"),
    Key("connection_ingest", "document", "schema_mismatch"),
)
FAILS_BY_CAUSE = 0.85
FAILS_ALTHOUGH_WARNED = 0.15
FAILS_WHEN_FIXED = 0.02
# Something that goes wrong often, yet not often enough to be a pattern. Patterns count sequences, and some of these try
# it twice: 0.3 of the attempts are 0.35 of the sequences. The first evening sees some 60 of them, so the 0.6 of a
# pattern is four standard deviations away. With 0.4 it would be two, and chance alone would promote one in a hundred.
NUISANCE = Key("graph_query", "order", "empty")
FAILS_AS_NUISANCE = 0.3
FAILS_BY_CHANCE = 0.08

ACTION_TYPES = ("tool_call", "graph_query", "ontology_mutation", "config_change", "report.write", "mail.send")
NODE_TYPES = ("invoice", "order", "customer", "product", "ticket", "")
ERRORS = ("timeout", "not_found", "forbidden", "unavailable", "")

AGENTS = 10
HEEDING = ("agent-0", "agent-1")
SEQUENCES_A_DAY = 16
STEPS = (5, 11)

# Whether an agent in a session, at a moment, is warned of a key.
Warn = Callable[[str, datetime, Key], bool]


@dataclass(slots=True)
class Tally:
    """How attempts at what has a cause ended, for one group of agents."""

    tried: int = 0
    failed: int = 0

    @property
    def failure_rate(self) -> float:
        return self.failed / self.tried


@dataclass(slots=True)
class Office:
    """Agents at work for some days. `fixed` are causes that are gone; `nuisance` is how often the nuisance fails."""

    chance: Random
    nuisance: float = FAILS_AS_NUISANCE
    fixed: set[Key] = field(default_factory=set)
    heeding: Tally = field(default_factory=Tally)
    heedless: Tally = field(default_factory=Tally)

    def day(self, begins: datetime, warn: Warn) -> list[NewAction]:
        """What all agents do in a day, out of order, as reports arrive."""
        actions = [action for agent in range(AGENTS) for action in self._shift(f"agent-{agent}", begins, warn)]
        self.chance.shuffle(actions)
        return actions

    def _shift(self, agent: str, begins: datetime, warn: Warn) -> Iterator[NewAction]:
        session = f"{agent} {begins:%m-%d}"
        for number in range(SEQUENCES_A_DAY):
            at = begins + timedelta(minutes=30 * number + self.chance.uniform(0, 10))
            for _ in range(self.chance.randint(*STEPS)):
                at += timedelta(seconds=self.chance.uniform(2, 60))
                yield self._step(agent, session, at, warn)

    def _step(self, agent: str, session: str, at: datetime, warn: Warn) -> NewAction:
        draw = self.chance.random()
        if draw < 0.18:
            key = self.chance.choice(PLANTED)
            return self._action(agent, session, at, key, self._meets_cause(agent, session, at, key, warn))
        if draw < 0.24:
            return self._action(agent, session, at, NUISANCE, self.chance.random() < self.nuisance)
        error = self.chance.choice(ERRORS)
        key = Key(self.chance.choice(ACTION_TYPES), self.chance.choice(NODE_TYPES), error)
        if (key.action_type, key.node_type) in {(one.action_type, one.node_type) for one in (*PLANTED, NUISANCE)}:
            key = Key("mail.send", "", error)
        return self._action(agent, session, at, key, self.chance.random() < FAILS_BY_CHANCE)

    def _meets_cause(self, agent: str, session: str, at: datetime, key: Key, warn: Warn) -> bool:
        heeds = agent in HEEDING
        is_warned = heeds and warn(session, at - timedelta(seconds=1), key)
        rate = FAILS_ALTHOUGH_WARNED if is_warned else FAILS_BY_CAUSE
        failed = self.chance.random() < (FAILS_WHEN_FIXED if key in self.fixed else rate)
        tally = self.heeding if heeds else self.heedless
        tally.tried += 1
        tally.failed += failed
        return failed

    def _action(self, agent: str, session: str, at: datetime, key: Key, failed: bool) -> NewAction:
        return NewAction(
            session=session,
            agent=agent,
            action_type=key.action_type,
            node_type=key.node_type,
            outcome=Outcome.FAILURE if failed else Outcome.SUCCESS,
            error_code=key.error_code if failed else "",
            latency_ms=round(self.chance.uniform(5, 900), 1),
            occurred_at=at,
        )
