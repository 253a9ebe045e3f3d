"""What sequences say about an error, and what that makes of a pattern."""

from __future__ import annotations

import pytest

from telemetry.patterns.mining import Evidence, Key, Verdict, count_evidence, effect, verdict, verdicts
from telemetry.patterns.recommendation_rules import recommendation
from telemetry.sequences.step_keys import attempt_key, step

TIMEOUT = Key("tool_call", "invoice", "timeout")
FAILED, WORKED = step("tool_call", "invoice", "timeout"), step("tool_call", "invoice", "")
LATE, OTHER_TYPE = step("tool_call", "invoice", "late"), step("tool_call", "order", "")


def test_a_key_counts_sequences_that_met_it_out_of_those_that_tried() -> None:
    tried = {attempt_key(WORKED): 10, attempt_key(OTHER_TYPE): 90}
    met = [(FAILED, 5), (LATE, 4), (WORKED, 7), (OTHER_TYPE, 90)]

    assert count_evidence(met=met, attempts=tried) == {
        TIMEOUT: Evidence(support=5, attempts=10),
        Key("tool_call", "invoice", "late"): Evidence(4, 10),
    }


@pytest.mark.parametrize(
    ("support", "attempts", "is_promoted", "expected"),
    [
        (5, 5, False, Verdict.PROMOTED),
        (4, 4, False, None),
        (6, 10, False, Verdict.PROMOTED),
        (59, 100, False, None),
        (59, 100, True, Verdict.PROMOTED),
        (50, 100, True, Verdict.PROMOTED),
        (49, 100, True, Verdict.RETIRED),
        (1, 1, True, Verdict.PROMOTED),
        (0, 0, True, Verdict.RETIRED),
        (0, 0, False, None),
    ],
)
def test_promotion_and_retirement(support: int, attempts: int, is_promoted: bool, expected: Verdict | None) -> None:
    assert verdict(Evidence(support, attempts), is_promoted=is_promoted) == expected


def test_a_known_pattern_is_always_judged() -> None:
    gone, retired = Key("a", "", "x"), Key("b", "", "x")

    judged = verdicts({TIMEOUT: Evidence(9, 10), retired: Evidence(2, 9)}, known={gone: True, retired: False})

    assert judged == {
        TIMEOUT: (Evidence(9, 10), Verdict.PROMOTED),
        gone: (Evidence(0, 0), Verdict.RETIRED),
        retired: (Evidence(2, 9), Verdict.RETIRED),
    }


def test_an_effect_needs_both_sides_and_says_how_sure_it_is() -> None:
    assert effect(shown=50, shown_failed=5, held_out=0, held_out_failed=0) is None
    assert effect(shown=0, shown_failed=0, held_out=5, held_out_failed=1) is None

    helps = effect(shown=200, shown_failed=20, held_out=20, held_out_failed=14)
    unclear = effect(shown=9, shown_failed=5, held_out=1, held_out_failed=1)

    assert helps is not None
    assert unclear is not None
    assert (round(helps.difference, 3), helps.is_clear) == (0.6, True)
    assert (unclear.difference > 0, unclear.is_clear) == (True, False)


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("rate_limited", "Slow"),
        ("not_found", "Look"),
        ("HTTP_403", "right"),
        ("timeout", "longer"),
        ("zzz", "Find out"),
    ],
)
def test_a_rule_advises_about_every_code(code: str, word: str) -> None:
    assert word in recommendation(code)
