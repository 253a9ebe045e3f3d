"""50,000 actions of agents: exactly what has a cause becomes a pattern, warnings help, and a mended cause is let go."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest
import time_machine

from telemetry.mining import Key, effect
from telemetry.models import Action, Pattern
from telemetry.services.injecting import inject_patterns
from telemetry.services.mining import Evaluation, evaluate_workspace
from telemetry.services.recording import record_actions
from tests.cast import Cast, Household
from tests.telemetry.acting import NOON, with_memory_on
from tests.telemetry.simulator import PLANTED, Office, Tally, Warn, batches
from workspaces.scope import workspace_scope

SEEDS = [0]
ACTIONS = 50_000
FIRST_DAY = NOON.replace(hour=8)
UNWARNED_DAYS, WARNED_DAYS = 5, 15
MENDED = PLANTED[0]


class Simulation:
    """An office whose actions are reported every evening, and judged the night after."""

    def __init__(self, household: Household, seed: int) -> None:
        self.household = household
        self.office = Office(Random(seed))
        self.lot = Random(seed + 1_000)
        self.days = 0

    def run(self, days: int, warn: Warn) -> list[Evaluation]:
        return [self._day(warn) for _ in range(days)]

    def warned(self, session: str, at: datetime, key: Key) -> bool:
        """Ask for warnings at that moment, as a heeding agent does before it acts."""
        with time_machine.travel(at, tick=False):
            told = inject_patterns(
                caller=self.household.caller,
                node_types=[key.node_type],
                action_type=key.action_type,
                session=session,
                draw=self.lot.random(),
            )
        return any(pattern.error_code == key.error_code for pattern in told.patterns)

    def patterns(self) -> dict[Key, Pattern]:
        with workspace_scope(self.household.caller):
            rows = Pattern.objects.all()
            return {Key(row.action_type, row.node_type, row.error_code): row for row in rows}

    def number_of_actions(self) -> int:
        with workspace_scope(self.household.caller):
            return Action.objects.count()

    def _day(self, warn: Warn) -> Evaluation:
        begins = FIRST_DAY + timedelta(days=self.days)
        self.days += 1
        for batch in batches(self.office.day(begins, warn)):
            record_actions(caller=self.household.caller, actions=batch)
        return evaluate_workspace(workspace_id=self.household.workspace.id, now=begins + timedelta(hours=15))


def nobody_is_warned(session: str, at: datetime, key: Key) -> bool:
    return False


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
def test_patterns_follow_their_causes(cast: Cast, seed: int) -> None:
    simulation = Simulation(with_memory_on(cast.acme), seed)

    # Without warnings: every cause is found, and nothing else.
    simulation.run(UNWARNED_DAYS, nobody_is_warned)
    assert simulation.patterns().keys() == set(PLANTED)
    office = simulation.office
    unwarned, office.heeding, office.heedless = office.heeding, Tally(), Tally()

    # With warnings: who heeds them does better than before and than the others, and the effect says so.
    simulation.run(WARNED_DAYS, simulation.warned)
    assert office.heeding.failure_rate < unwarned.failure_rate - 0.3
    assert office.heeding.failure_rate < office.heedless.failure_rate - 0.3
    found = simulation.patterns()
    assert found.keys() == set(PLANTED)
    assert {pattern.status for pattern in found.values()} == {"promoted"}
    for pattern in found.values():
        measured = effect(
            shown=pattern.shown,
            shown_failed=pattern.shown_failed,
            held_out=pattern.held_out,
            held_out_failed=pattern.held_out_failed,
        )
        assert measured is not None
        assert measured.difference > 0.2, pattern.key
        assert measured.is_clear, pattern.key

    # One cause is mended: its pattern is let go, the others stay, and nothing else comes up.
    office.fixed = {MENDED}
    while simulation.number_of_actions() < ACTIONS:
        simulation.run(1, nobody_is_warned)
    standing = {key: pattern.status for key, pattern in simulation.patterns().items()}
    assert standing == {key: "retired" if key == MENDED else "promoted" for key in PLANTED}
