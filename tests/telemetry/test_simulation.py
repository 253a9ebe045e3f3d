"""50,000 actions of agents: exactly what has a cause becomes a pattern, warnings help, and a mended cause is let go."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from tests.telemetry.acting import with_memory_on
from tests.telemetry.replaying import InTheProduct, OnPaper, Replay
from tests.telemetry.simulator import NUISANCE, PLANTED, Tally

SEEDS = range(20)
QUICK_SEEDS = 2
ACTIONS = 50_000
UNWARNED_DAYS, WARNED_DAYS = 5, 15
MENDED = PLANTED[0]


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow][seed < QUICK_SEEDS :]) for seed in SEEDS])
@pytest.mark.heavy
def test_patterns_follow_their_causes(seed: int) -> None:
    live_through(OnPaper(seed))


def test_the_product_comes_to_the_same_numbers(cast: Cast) -> None:
    paper, product = OnPaper(0), InTheProduct(with_memory_on(cast.acme), 0)
    for replay in (paper, product):
        live_through(replay)

    assert product.standings() == paper.standings()


def test_what_chance_promotes_more_sequences_retire() -> None:
    """Among few sequences, a nuisance that is not rare enough passes for a pattern, until more of them are seen."""
    replay = OnPaper(1, nuisance=0.4)
    replay.run(1, warns=False)
    assert replay.standings()[NUISANCE].is_promoted

    replay.run(UNWARNED_DAYS, warns=False)
    assert {key for key, standing in replay.standings().items() if standing.is_promoted} == set(PLANTED)


def live_through(replay: Replay) -> None:
    """Days without warnings, days with them, and days after one cause was mended."""
    office = replay.office

    # Without warnings: every cause is found, and nothing else.
    replay.run(UNWARNED_DAYS, warns=False)
    assert replay.standings().keys() == set(PLANTED)
    unwarned, office.heeding, office.heedless = office.heeding, Tally(), Tally()

    # With warnings: who heeds them does better than before and than the others, and the effect says so.
    replay.run(WARNED_DAYS, warns=True)
    assert office.heeding.failure_rate < unwarned.failure_rate - 0.3
    assert office.heeding.failure_rate < office.heedless.failure_rate - 0.3
    found = replay.standings()
    assert found.keys() == set(PLANTED)
    assert all(standing.is_promoted for standing in found.values())
    for key, standing in found.items():
        assert standing.effect is not None
        assert standing.effect.difference > 0.2, key
        assert standing.effect.is_clear, key

    # One cause is mended: its pattern is let go, the others stay, and nothing else comes up.
    office.fixed = {MENDED}
    while replay.actions < ACTIONS:
        replay.run(1, warns=False)
    assert {key: standing.is_promoted for key, standing in replay.standings().items()} == {
        key: key != MENDED for key in PLANTED
    }
