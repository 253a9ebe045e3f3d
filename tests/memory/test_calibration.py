"""Platt scaling of confidence: it follows citations, as far as there are many, rises, and stays within its bounds."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import numpy as np
import pytest

from core.ids import new_id
from memory.recall.calibration import (
    IDENTITY,
    MAX_SHIFT,
    MAX_SLOPE,
    MIN_RAISED,
    MIN_SLOPE,
    Calibration,
    CitationOutcome,
    fit_calibration,
)
from memory.recall.citation_outcomes import MAX_OF_ITEM, MIN_RATE, MIN_UNCITED, GivenContext, Outcomes, find_outcomes

RAW = [0.0001, 0.0004, 0.0005, 0.002, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 0.99, 0.9999]


def outcomes(*groups: tuple[int, float, bool]) -> list[CitationOutcome]:
    return [
        CitationOutcome(confidence, float(is_cited)) for number, confidence, is_cited in groups for _ in range(number)
    ]


def odds(probability: float) -> float:
    return float(np.log(probability / (1 - probability)))


def test_without_citations_nothing_changes() -> None:
    found = fit_calibration([])

    assert found == IDENTITY
    assert [found.apply(raw) for raw in RAW] == RAW


def test_what_is_cited_more_often_than_its_confidence_says_rises_and_the_other_way_round() -> None:
    risen = fit_calibration(outcomes((300, 0.1, True), (200, 0.1, False)))
    fallen = fit_calibration(outcomes((5, 0.4, True), (500, 0.4, False)))

    assert risen.apply(0.1) == pytest.approx(0.42, abs=0.06)
    assert fallen.apply(0.4) < 0.1


def test_a_clean_separation_makes_the_slope_steeper_and_no_number_infinite() -> None:
    found = fit_calibration(outcomes((500, 0.6, True), (500, 0.05, False)))

    assert 1 < found.slope <= MAX_SLOPE
    assert found.apply(0.6) > 0.6
    assert found.apply(0.05) < 0.05


def test_few_citations_change_little() -> None:
    few = fit_calibration(outcomes((3, 0.1, True)))
    many = fit_calibration(outcomes((300, 0.1, True)))

    assert 0.1 < few.apply(0.1) < 0.2 < many.apply(0.1)


@pytest.mark.parametrize(
    "groups",
    [
        [(5_000, 0.001, True)],
        [(5_000, 0.9, False)],
        [(5_000, 0.9, False), (5_000, 0.001, True)],  # the wrong way round
        [(5_000, 0.9, True), (5_000, 0.001, False)],
        [(5_000, 0.0, True), (5_000, 1.0, False)],
        [(1, 0.3, True)],
    ],
)
def test_whatever_is_cited_it_rises_and_stays_within_its_bounds(groups: list[tuple[int, float, bool]]) -> None:
    found = fit_calibration(outcomes(*groups))
    every = [place / 10_000 for place in range(10_001)]
    applied = [found.apply(raw) for raw in every]

    assert MIN_SLOPE <= found.slope <= MAX_SLOPE
    assert applied == sorted(applied)
    assert (applied[0], applied[-1]) == (0.0, 1.0)
    for raw in RAW:
        assert 0 <= found.apply(raw) <= 1
        if 0.01 <= raw <= 0.99:  # elsewhere four digits are too few to tell
            assert abs(odds(found.apply(raw)) - odds(raw)) <= MAX_SHIFT + 0.01


def test_a_query_about_nothing_that_is_known_stays_without_an_answer() -> None:
    found = fit_calibration(outcomes((5_000, 0.001, True)))

    assert found.apply(0.01) > 0.05
    assert [found.apply(raw) for raw in RAW if raw < MIN_RAISED] == [raw for raw in RAW if raw < MIN_RAISED]
    assert Calibration(1.0, -2.0).apply(0.0004) < 0.0004


def test_it_is_nearer_to_what_is_of_use_in_contexts_that_it_has_not_seen() -> None:
    """1,500 items of different use; 12 in each context; runs cite seven in ten of what is of use."""
    random = np.random.default_rng(7)
    ids, worth = [new_id() for _ in range(1_500)], random.normal(0, 1.5, 1_500)
    injections, cited_ever = [], set()
    raw_seen: list[float] = []
    used_seen: list[bool] = []
    for place in range(4_000):
        chosen = random.choice(1_500, 12, replace=False)
        log_odds = random.normal(-2.5, 1.5, 12)
        raw = np.clip(1 / (1 + np.exp(-log_odds)), MIN_RAISED, 0.999)
        used = random.random(12) < 1 / (1 + np.exp(-(0.7 * log_odds - 1 + worth[chosen])))
        if place % 2:
            raw_seen.extend(raw)
            used_seen.extend(used)
            continue
        cited = {ids[item] for item, is_used in zip(chosen, used, strict=True) if is_used and random.random() < 0.7}
        cited_ever |= cited
        given = {ids[item]: float(p) for item, p in zip(chosen, raw, strict=True)}
        injections.append(GivenContext(frozenset(given), frozenset(cited), given))
    found = fit_calibration(find_outcomes(injections, ever_cited=cited_ever, independent=cited_ever).every)

    before, used = np.array(raw_seen), np.array(used_seen, np.float64)
    after = np.array([found.apply(raw) for raw in raw_seen])

    assert calibration_error(after, used) < calibration_error(before, used) / 2
    assert ((after - used) ** 2).mean() < ((before - used) ** 2).mean()


def calibration_error(probability: Any, used: Any) -> float:
    """The mean distance of probability and frequency, in ten bins of as many items."""
    bins = np.array_split(np.argsort(probability), 10)
    return float(np.mean([abs(probability[each].mean() - used[each].mean()) for each in bins]))


ONE, OTHER, UNCITED, UNUSED = (new_id() for _ in range(4))


def injection(*cited: UUID, of: tuple[UUID, ...] = (ONE, OTHER, UNCITED, UNUSED), raw: float = 0.2) -> GivenContext:
    return GivenContext(frozenset(of), frozenset(cited), dict.fromkeys(of, raw))


def test_cited_is_what_its_run_cited_and_uncited_what_ten_contexts_had_and_no_run_cited() -> None:
    found = find_outcomes([injection(ONE)] * MIN_UNCITED, ever_cited={ONE, OTHER}, independent={ONE, OTHER})

    assert found.cited == [0.2] * MIN_UNCITED
    assert found.uncited == {UNCITED: [0.2] * MIN_UNCITED, UNUSED: [0.2] * MIN_UNCITED}
    assert found.unknown == [0.2] * MIN_UNCITED, "The other one was cited elsewhere."
    fewer = find_outcomes([injection(ONE)] * (MIN_UNCITED - 1), ever_cited={ONE, OTHER}, independent={ONE, OTHER})
    assert (len(fewer.cited), fewer.uncited, len(fewer.unknown)) == (MIN_UNCITED - 1, {}, 3 * (MIN_UNCITED - 1))


def test_what_only_its_author_cites_is_left_out() -> None:
    found = find_outcomes([injection(ONE)] * 20, ever_cited={ONE, OTHER, UNCITED, UNUSED}, independent=set())

    assert found == Outcomes([], {}, [])


def test_of_one_item_the_newest_count() -> None:
    newest, older = [injection(ONE, raw=0.3)] * MAX_OF_ITEM, [injection(ONE, raw=0.1)] * 100

    found = find_outcomes([*newest, *older], ever_cited={ONE}, independent={ONE})

    assert found.cited == [0.3] * MAX_OF_ITEM
    assert found.uncited[UNUSED] == [0.3] * MAX_OF_ITEM


@pytest.mark.parametrize(("cited", "unknown", "rate"), [(0, 0, 1.0), (10, 90, 0.5), (60, 40, 1.0), (1, 99, MIN_RATE)])
def test_runs_cite_a_part_of_what_they_use(cited: int, unknown: int, rate: float) -> None:
    assert Outcomes([0.2] * cited, {}, [0.2] * unknown).rate == pytest.approx(rate)


def test_a_habit_of_citing_half_changes_nothing() -> None:
    found = fit_calibration(Outcomes([0.2] * 100, {}, [0.2] * 900).every)

    assert found.apply(0.2) == pytest.approx(0.2, abs=0.002)


@pytest.mark.parametrize(("cited", "of", "is_telling"), [(0, 4, False), (4, 4, True), (3, 5, False), (4, 8, True)])
def test_a_run_that_cites_nothing_or_whatever_it_gets_says_nothing(cited: int, of: int, is_telling: bool) -> None:
    items = tuple(new_id() for _ in range(of))

    assert injection(*items[:cited], new_id(), of=items).is_telling is is_telling
