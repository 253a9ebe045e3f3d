"""What keeps going wrong is promoted, told, governed by people, and retired once it is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from core.ids import new_id
from telemetry.actions.outcomes import Outcome
from telemetry.models import Pattern
from telemetry.patterns.services.evaluation import Evaluation, evaluate_workspace
from tests.cast import Cast, Household, RestClient
from tests.telemetry.acting import NOON, action, colleague, record, with_memory_on
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent
from workspaces.settings import selectors

LATER = NOON + timedelta(hours=6)


@pytest.fixture
def household(cast: Cast) -> Household:
    return with_memory_on(cast.acme)


def run_into(household: Household, *, failed: int, worked: int = 0, since: float = 0, **fields: Any) -> None:
    """Sequences of one action each: some met the error, some did not."""
    made = {"error_code": "timeout", **fields}
    bad = [action(since, Outcome.FAILURE, **{**made, "session": f"bad-{since}-{n}"}) for n in range(failed)]
    good = [action(since, **{**made, "error_code": "", "session": f"good-{since}-{n}"}) for n in range(worked)]
    record(household, *bad[::2], *good)
    record(household, *bad[1::2], by=colleague(household))


def evaluated(household: Household, days: float = 0) -> Evaluation:
    return evaluate_workspace(workspace_id=household.workspace.id, now=LATER + timedelta(days=days))


def patterns(household: Household) -> list[Pattern]:
    with workspace_scope(household.caller):
        return list(Pattern.objects.order_by("error_code"))


def test_five_sequences_at_six_in_ten_promote(household: Household) -> None:
    run_into(household, failed=6, worked=4)

    evaluation = evaluated(household)

    (pattern,) = patterns(household)
    assert evaluation.promoted == (pattern.id,)
    assert (pattern.key, pattern.status) == ("tool_call/invoice/timeout", "promoted")
    assert (pattern.support, pattern.attempts, pattern.confidence) == (6, 10, 0.6)
    assert pattern.recommendation.startswith("Ask for less")


@pytest.mark.parametrize(("failed", "worked"), [(4, 0), (5, 4)])
def test_less_does_not(household: Household, failed: int, worked: int) -> None:
    run_into(household, failed=failed, worked=worked)

    assert evaluated(household).promoted == ()
    assert patterns(household) == []


def test_evaluating_twice_changes_nothing(household: Household) -> None:
    run_into(household, failed=6)
    evaluated(household)
    before = [vars(pattern) | {"_state": None} for pattern in patterns(household)]

    assert evaluated(household) == Evaluation()
    assert [vars(pattern) | {"_state": None} for pattern in patterns(household)] == before


def test_a_pattern_holds_on_between_the_thresholds_and_retires_below(household: Household) -> None:
    run_into(household, failed=6)
    evaluated(household)
    run_into(household, failed=0, worked=6, since=30)
    assert evaluated(household).retired == ()
    run_into(household, failed=0, worked=1, since=60)

    (pattern,) = patterns(household)
    assert evaluated(household).retired == (pattern.id,)
    assert patterns(household)[0].retired_at == LATER


def test_what_nobody_met_for_thirty_days_retires_and_may_come_back(household: Household) -> None:
    run_into(household, failed=6)
    evaluated(household)

    assert len(evaluated(household, days=31).retired) == 1
    with time_machine.travel(NOON + timedelta(days=31), tick=False):
        run_into(household, failed=5, since=60 * 24 * 31)
    assert len(evaluated(household, days=31).promoted) == 1
    (pattern,) = patterns(household)
    assert (pattern.status, pattern.support, pattern.retired_at) == ("promoted", 5, None)


def test_failures_without_a_code_and_dead_ends_make_patterns_too(household: Household) -> None:
    run_into(household, failed=5, error_code="")
    dead_ends = [action(0, Outcome.DEAD_END, session=f"d-{n}", action_type="search") for n in range(5)]
    record(household, *dead_ends[1:])
    record(household, dead_ends[0], by=colleague(household))

    evaluated(household)

    assert [pattern.key for pattern in patterns(household)] == ["search/invoice/dead_end", "tool_call/invoice/failure"]


def test_patterns_are_read_evaluated_and_narrowed_over_rest(household: Household, acme: RestClient) -> None:
    run_into(household, failed=6)
    with time_machine.travel(LATER):
        answer = acme.post("patterns/evaluate").json()

    assert len(answer["promoted"]) == 1
    one = acme.get(f"patterns/{answer['promoted'][0]}").json()
    assert acme.get("patterns").json()["results"] == [one]
    assert (one["key"], one["suppressed"], one["effect"]["difference"]) == ("tool_call/invoice/timeout", False, None)
    assert acme.get("patterns", status="retired").json()["results"] == []
    assert acme.get("patterns", suppressed="false", node_type="invoice").json()["results"] == [one]


def test_a_note_and_a_suppression_are_kept_with_who_made_them(household: Household, acme: RestClient) -> None:
    run_into(household, failed=6)
    (identity,) = evaluated(household).promoted

    noted = acme.post(f"patterns/{identity}/annotate", {"annotation": "Use the batch call.", "suppressed": True}).json()

    assert (noted["annotation"], noted["annotated_by"]) == ("Use the batch call.", "Acme agent")
    assert (noted["suppressed"], noted["suppressed_by"]) == (True, "Acme agent")
    again = acme.post(f"patterns/{identity}/annotate", {"annotation": ""}).json()
    assert (again["annotation"], again["annotated_by"], again["suppressed"]) == (None, None, True)
    assert acme.post(f"patterns/{identity}/annotate").status_code == 422
    with workspace_scope(household.caller):
        told = AuditEvent.objects.filter(object_type="pattern").order_by("id").values_list("action", flat=True)
        assert list(told) == ["pattern.annotated", "pattern.suppressed", "pattern.annotated"]


def test_many_are_suppressed_by_the_beginning_of_their_keys(household: Household, acme: RestClient) -> None:
    run_into(household, failed=6)
    run_into(household, failed=6, node_type="order", since=30)
    evaluated(household)

    changed = acme.post("patterns/suppress", {"key_prefix": "tool_call/inv"}).json()["changed"]

    assert [one["node_type"] for one in changed] == ["invoice"]
    assert acme.post("patterns/suppress", {"key_prefix": "tool_call/inv"}).json()["changed"] == []
    assert len(acme.post("patterns/unsuppress", {"key_prefix": "tool"}).json()["changed"]) == 1
    assert acme.get("patterns", suppressed="true").json()["results"] == []


def test_a_workspace_that_is_deleted_meanwhile_holds_up_no_other(
    household: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = [new_id(), household.workspace.id]
    monkeypatch.setattr(selectors, "all_workspace_ids", lambda: listed)

    assert selectors.workspaces_with_memory() == [household.workspace.id]


def test_the_outsider_sees_and_changes_nothing(household: Household, umbrella: RestClient) -> None:
    run_into(household, failed=6)
    (identity,) = evaluated(household).promoted

    assert umbrella.get("patterns").json()["results"] == []
    assert umbrella.get(f"patterns/{identity}").status_code == 404
    assert umbrella.post(f"patterns/{identity}/annotate", {"suppressed": True}).status_code == 404
    assert umbrella.post("patterns/suppress", {"key_prefix": "tool"}).json()["changed"] == []
    assert not patterns(household)[0].is_suppressed
