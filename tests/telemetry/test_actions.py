"""What agents did is kept as types, ids and codes, in the order and number in which it was told."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from core.clock import moment
from telemetry.models import Action
from telemetry.sequences.step_keys import step
from tests.cast import Cast, Household, RestClient
from tests.telemetry.acting import NOON, reported, sequenced, with_memory_on
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.settings.services import set_memory_enabled


@pytest.fixture(autouse=True)
def _on(cast: Cast) -> None:
    with_memory_on(cast.acme)


def actions_in(household: Household) -> list[Action]:
    with workspace_scope(household.caller):
        return list(Action.objects.order_by("id"))


def test_an_action_is_kept_as_it_was_told(acme: RestClient) -> None:
    node = str(uuid4())
    told = reported(
        tool="calendar.book",
        node_type="meeting",
        node_ids=[node],
        outcome="failure",
        error_code="rate_limited",
        latency_ms=12.5,
        occurred_at=moment(NOON),
    )

    answer = acme.post("actions", {"actions": [told]})

    assert answer.status_code == 201
    assert answer.json()["captured"] == 1
    listed = acme.get("actions").json()
    assert listed["results"] == [{"id": answer.json()["ids"][0], **told}]
    assert listed["next"] is None


@pytest.mark.parametrize("name", ['a "quoted" one', "back\\slash\\", "{a,b}", "NULL", "it's; --", "%s ünï 🙂"])
def test_any_name_is_kept_as_it_is(cast: Cast, acme: RestClient, name: str) -> None:
    acme.post("actions", {"actions": [reported(session=name, agent=name, node_type=name)] * 2})

    (one,) = sequenced(cast.acme)
    assert (one.session, one.agent, one.steps) == (name, name, [step("tool_call", name, "")])
    assert [(kept.session, kept.agent, kept.node_type) for kept in actions_in(cast.acme)] == [(name, name, name)] * 2


def test_a_batch_holds_up_to_a_thousand(cast: Cast, acme: RestClient) -> None:
    assert acme.post("actions", {"actions": [reported()] * 1_000}).json()["captured"] == 1_000
    assert len(actions_in(cast.acme)) == 1_000

    answer = acme.post("actions", {"actions": [reported()] * 1_001})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "actions"
    assert len(actions_in(cast.acme)) == 1_000


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"arguments": {"q": "x"}}, "arguments", "unknown_field"),
        ({"workspace_id": str(uuid4())}, "workspace_id", "unknown_field"),
        ({"error_code": "Connection refused by Bob"}, "error_code", "not_a_name"),
        ({"action_type": "tool call"}, "action_type", "not_a_name"),
        ({"tool": "x" * 121}, "tool", "max_length"),
        ({"session": "a\nb"}, "session", "more_than_a_line"),
        ({"outcome": "perhaps"}, "outcome", "invalid_choice"),
        ({"latency_ms": -1}, "latency_ms", "min_value"),
        ({"occurred_at": "2190-01-01T00:00:00Z"}, "occurred_at", "out_of_range"),
        ({"node_ids": ["x"]}, "node_ids.0", "invalid"),
        ({"node_ids": [1]}, "node_ids.0", "invalid"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    cast: Cast, acme: RestClient, fields: dict[str, Any], field: str, code: str
) -> None:
    answer = acme.post("actions", {"actions": [reported(), reported(**fields), reported()]})

    assert answer.status_code == 422
    assert [(problem["field"], problem["code"]) for problem in answer.json()["errors"]] == [
        (f"actions.1.{field}", code)
    ]
    assert actions_in(cast.acme) == []


def test_lists_narrow_by_every_field(acme: RestClient) -> None:
    told = [
        reported(session="s-2", agent="scout", node_type="order"),
        reported(outcome="failure", error_code="timeout", occurred_at=moment(NOON)),
        reported(action_type="graph_query", outcome="dead_end"),
    ]
    ids = acme.post("actions", {"actions": told}).json()["ids"]

    def found(**narrow: str) -> list[int]:
        return sorted(ids.index(row["id"]) for row in acme.get("actions", **narrow).json()["results"])

    assert found() == [0, 1, 2]
    assert found(session="s-2") == found(agent="scout") == found(node_type="order") == [0]
    assert found(outcome="failure") == found(error_code="timeout") == [1]
    assert found(action_type="graph_query") == [2]
    assert found(until="2026-03-03T00:00:00Z") == [1]
    assert found(since="2026-03-03T00:00:00Z") == [0, 2]


def test_nothing_is_kept_while_memory_is_off(cast: Cast, acme: RestClient) -> None:
    acme.post("actions", {"actions": [reported()]})
    set_memory_enabled(caller=cast.acme.caller, enabled=False)

    answer = acme.post("actions", {"actions": [reported()]})
    acme.get("memories")

    assert (answer.status_code, answer.json()) == (200, {"captured": 0, "ids": []})
    assert len(acme.get("actions").json()["results"]) == 1


def test_every_call_of_an_agent_is_captured(cast: Cast, acme: RestClient) -> None:
    memory = acme.remembered("Tea is ordered on Mondays.")
    acme.post("memories/search", {"query": "coffee beans from Kenya", "mode": "keyword"})
    acme.get(f"memories/{uuid4()}")
    acme.get(f"memories/{memory['id']}")

    kept = [(action.action_type, action.tool, action.outcome, action.error_code) for action in actions_in(cast.acme)]

    assert kept == [
        ("ontology_mutation", "POST memories", "success", ""),
        ("graph_query", "POST memories/search", "dead_end", ""),
        ("graph_query", "GET memories/{memory_id}", "failure", "not_found"),
        ("graph_query", "GET memories/{memory_id}", "success", ""),
    ]
    first, *_, last = actions_in(cast.acme)
    assert (first.agent, first.node_type, first.latency_ms is not None) == ("Acme agent", "memory", True)
    assert (first.session == last.session, last.node_ids) == (True, [UUID(memory["id"])])


def test_an_agent_that_may_only_read_is_captured_as_well(cast: Cast) -> None:
    reader = cast.acme.rest(Right.READ)

    assert reader.get("memories").status_code == 200
    assert reader.post("memories", {"content": "x"}).status_code == 403

    assert [(action.outcome, action.error_code) for action in actions_in(cast.acme)] == [
        ("success", ""),
        ("failure", "missing_scope"),
    ]


def test_people_and_strangers_are_not_captured(cast: Cast, browser_of_bob: Any) -> None:
    browser_of_bob.get(f"/v1/workspaces/{cast.acme.workspace.id}/memories")
    RestClient(cast.acme.workspace.id, "oxa_live_nothing").get("memories")

    assert actions_in(cast.acme) == []


def test_reporting_and_reading_telemetry_is_not_captured(cast: Cast, acme: RestClient) -> None:
    acme.post("actions", {"actions": [reported()]})
    acme.get("actions")
    acme.get("patterns")

    assert len(actions_in(cast.acme)) == 1


def test_the_outsider_sees_nothing(acme: RestClient, umbrella: RestClient) -> None:
    acme.post("actions", {"actions": [reported()]})

    assert umbrella.get("actions").json()["results"] == []
    assert umbrella.get(f"/v1/workspaces/{acme.workspace_id}/actions").status_code == 404
