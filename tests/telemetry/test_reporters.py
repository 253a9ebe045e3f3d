"""What one caller claims does not become a warning for everybody, and stays out of the sessions of others."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import InvalidError
from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction, record_actions
from telemetry.actions.services.capture import capture
from telemetry.models import Action, Pattern, Sequence
from telemetry.patterns.mining import is_corroborated
from telemetry.patterns.services.evaluation import evaluate_workspace
from telemetry.patterns.services.warning_injection import inject_patterns
from tests.cast import Cast, Household, RestClient
from tests.telemetry.acting import action, colleague, record, reported, sequenced, with_memory_on
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.settings.services import change_settings


@pytest.fixture
def household(cast: Cast) -> Household:
    return with_memory_on(cast.acme)


def failing(sessions: range, **fields: Any) -> dict[str, Any]:
    made = {"outcome": "failure", "error_code": "pay_them", "node_type": "invoice", **fields}
    return {"actions": [reported(session=f"s-{n}", agent=f"agent-{n}", **made) for n in sessions]}


def promoted(household: Household) -> list[str]:
    evaluate_workspace(workspace_id=household.workspace.id)
    with workspace_scope(household.caller):
        return [pattern.key for pattern in Pattern.objects.promoted()]


@pytest.fixture
def keys(household: Household) -> list[RestClient]:
    return [household.rest(Right.READ, Right.WRITE) for _ in range(2)]


def test_one_key_with_invented_sessions_and_agents_promotes_nothing(
    household: Household, keys: list[RestClient]
) -> None:
    assert keys[0].post("actions", failing(range(8))).status_code == 201

    assert promoted(household) == []
    warned = inject_patterns(caller=household.caller, node_types=["invoice"], session="s", draw=0.5)
    assert warned.text == ""


def test_what_two_keys_report_is_promoted(household: Household, keys: list[RestClient]) -> None:
    keys[0].post("actions", failing(range(7)))
    assert promoted(household) == []
    keys[1].post("actions", failing(range(7, 8)))

    assert promoted(household) == ["tool_call/invoice/pay_them"]


def test_a_workspace_with_a_single_agent_may_trust_it(household: Household, keys: list[RestClient]) -> None:
    change_settings(caller=household.caller, memory={"pattern_min_callers": 1})
    keys[0].post("actions", failing(range(8)))

    assert promoted(household) == ["tool_call/invoice/pay_them"]


@pytest.mark.parametrize("number", [0, 11])
def test_the_number_of_callers_is_from_one_to_ten(household: Household, number: int) -> None:
    with pytest.raises(InvalidError):
        change_settings(caller=household.caller, memory={"pattern_min_callers": number})


def test_what_the_server_saw_itself_needs_one_caller(household: Household) -> None:
    for n in range(5):
        capture(caller=household.caller, action=action(60 * n, Outcome.FAILURE, error_code="not_found"))
    with workspace_scope(household.caller):
        assert set(Action.objects.values_list("reporter", "is_trusted")) == {
            (f"user:{household.owner.id}", True),
        }
    assert {one.is_trusted for one in sequenced(household)} == {True}
    record(household, action(300, Outcome.FAILURE, error_code="not_found", session="s-2"))

    evaluate_workspace(workspace_id=household.workspace.id, now=sequenced(household)[-1].ended_at)
    with workspace_scope(household.caller):
        assert [pattern.key for pattern in Pattern.objects.promoted()] == ["tool_call/invoice/not_found"]


@pytest.mark.parametrize(
    ("callers", "trusted", "min_callers", "expected"),
    [(1, 0, 2, False), (2, 0, 2, True), (1, 4, 2, False), (1, 5, 2, True), (1, 0, 1, True), (2, 0, 3, False)],
)
def test_more_than_one_word_stands_for_a_pattern(callers: int, trusted: int, min_callers: int, expected: bool) -> None:
    assert is_corroborated(callers=callers, trusted=trusted, min_callers=min_callers) is expected


def test_a_claim_among_what_the_server_saw_makes_a_sequence_a_claim(household: Household) -> None:
    session = "api_key:colleague"
    capture(caller=colleague(household), action=action(0, session=session))
    record(household, action(1, Outcome.FAILURE, session=session, error_code="pay_them"), by=colleague(household))

    (sequence,) = sequenced(household)
    assert (sequence.action_count, sequence.is_trusted) == (2, False)


def test_no_caller_writes_into_the_session_of_another(household: Household) -> None:
    record(household, action(0), action(2))
    record(household, action(1, Outcome.FAILURE, error_code="pay_them"), by=colleague(household))

    found = sequenced(household)
    assert {(one.reporter, one.session, one.action_count, one.failure_count) for one in found} == {
        (f"user:{household.owner.id}", "s-1", 2, 0),
        ("api_key:colleague", "s-1", 1, 1),
    }
    with workspace_scope(household.caller):
        assert Sequence.objects.count() == 2


def test_a_claim_cannot_pass_for_what_the_server_saw(household: Household, keys: list[RestClient]) -> None:
    forged = reported(reporter="user:somebody", is_trusted=True)
    answer = keys[0].post("actions", {"actions": [forged]})

    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "unknown_field")
    with pytest.raises(ValueError, match="server"):
        record_actions(
            caller=household.caller, actions=[NewAction("s", "a", "t", Outcome.SUCCESS, reporter="user:somebody")]
        )
