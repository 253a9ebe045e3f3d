"""Metrics measure sequences: three are given, others are written in a small language, tried, and filled in."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
import time_machine

from core.stores.queue import waiting_tasks
from telemetry.actions.outcomes import Outcome
from telemetry.metrics.services import metrics
from telemetry.metrics.tasks import back_fill, measure_workspace
from telemetry.models import Benchmark, Change, Metric
from telemetry.sequences.services.sequencer import sequence_pending
from tests.cast import Cast, Household, RestClient
from tests.telemetry.acting import NOON, action, record, with_memory_on
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent
from workspaces.settings.services import set_memory_enabled

QUICK: dict[str, Any] = {
    "name": "quick",
    "aggregation": "rate",
    "event_filter": "node_type = 'invoice'",
    "success_condition": "outcome = 'success' and action_count <= 2",
    "window_days": 1,
}
MINUTES_OF_A_DAY = 60 * 24


@pytest.fixture
def household(cast: Cast) -> Household:
    """Three sequences yesterday at noon, of which two were quick and one did not end well; one of another type."""
    household = with_memory_on(cast.acme)
    record(
        household,
        action(0, session="a"),
        *[action(minute, session="b") for minute in (0, 1)],
        action(0, Outcome.FAILURE, session="c", error_code="timeout"),
        action(0, session="d", node_type="order"),
    )
    sequence_pending(workspace_id=household.workspace.id)
    return household


def next_night() -> Any:
    return time_machine.travel(NOON + timedelta(hours=13), tick=False)


def names(client: RestClient) -> list[str]:
    return [metric["name"] for metric in client.get("metrics").json()["results"]]


def test_the_first_enabling_brings_three(cast: Cast, acme: RestClient) -> None:
    assert names(acme) == []
    with_memory_on(cast.acme)
    set_memory_enabled(caller=cast.acme.caller, enabled=False)

    assert names(acme) == ["task_success_rate", "efficiency_delta", "pattern_utilisation"]
    with_memory_on(cast.acme)
    assert len(names(acme)) == 3


def test_built_in_names_are_taken_before_memory_is_on(cast: Cast, acme: RestClient) -> None:
    answer = acme.post("metrics", {"name": "task_success_rate", "aggregation": "rate"})

    assert (answer.status_code, answer.json()["code"]) == (409, "metric_name_taken")
    with_memory_on(cast.acme)
    assert len(names(acme)) == 3


def test_every_night_measures_the_day_that_ended(household: Household, acme: RestClient) -> None:
    with next_night():
        acme.post("metrics", QUICK)
        assert measure_workspace(str(household.workspace.id)) == 3
        measure_workspace(str(household.workspace.id))

    assert acme.get("benchmarks/task_success_rate").json() == {
        "metric": "task_success_rate",
        "points": [{"date": "2026-03-02", "value": 0.75, "sequences": 4}],
        "latest": 0.75,
        "trend": None,
    }
    assert acme.get("benchmarks/quick").json()["latest"] == pytest.approx(2 / 3)


def test_a_metric_is_found_by_its_id_too(household: Household, acme: RestClient) -> None:
    made = acme.post("metrics", QUICK).json()

    assert acme.get(f"benchmarks/{made['id']}").json() == {
        "metric": "quick",
        "points": [],
        "latest": None,
        "trend": None,
    }
    assert acme.get("benchmarks/slow").status_code == 404


def test_a_trial_stores_nothing(household: Household, acme: RestClient) -> None:
    with next_night():
        answer = acme.post("metrics", {**QUICK, "dry_run": True})

    assert answer.status_code == 200
    assert answer.json()["points"][0] == {"date": "2026-03-02", "value": pytest.approx(2 / 3), "sequences": 3}
    assert "quick" not in names(acme)


def test_averages_are_over_what_meets_the_condition(household: Household, acme: RestClient) -> None:
    average = {**QUICK, "success_condition": "outcome = 'success'", "aggregation": "average", "measure": "action_count"}

    with next_night():
        points = acme.post("metrics", {**average, "dry_run": True}).json()["points"]

    assert (points[0]["value"], points[0]["sequences"]) == (1.5, 2)


def test_the_past_is_filled_in_on_request(household: Household, acme: RestClient, commits: None) -> None:
    record(household, action(2 * MINUTES_OF_A_DAY, Outcome.FAILURE, session="e"))
    sequence_pending(workspace_id=household.workspace.id)
    made = acme.post("metrics", QUICK).json()

    with time_machine.travel(NOON + timedelta(days=2, hours=1), tick=False):
        back_fill(str(household.workspace.id), made["id"])
        back_fill(str(household.workspace.id), made["id"])

    points = acme.get("benchmarks/quick").json()["points"]
    assert [(point["date"], round(point["value"], 2)) for point in points] == [
        ("2026-03-02", 0.67),
        ("2026-03-04", 0.0),
    ]
    assert date.fromisoformat(points[0]["date"]) == NOON.date()


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        (
            {"success_condition": "outcome > 'a'"},
            "success_condition",
            "At position 9: expected `=` or `!=`, found `>`.",
        ),
        ({"event_filter": "node = 'x'"}, "event_filter", "At position 1: expected a field (agent, action_type,"),
        ({"aggregation": "median"}, "aggregation", "One of rate, average, p95 is expected."),
        ({"window_days": 0}, "window_days", "1"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    household: Household, acme: RestClient, fields: dict[str, Any], field: str, words: str
) -> None:
    for extra in ({}, {"dry_run": True}):
        answer = acme.post("metrics", {**QUICK, **fields, **extra})

        assert answer.status_code == 422
        (problem,) = answer.json()["errors"]
        assert problem["field"] == field
        assert words in problem["detail"]


def test_a_metric_changes_and_keeps_what_is_not_named(household: Household, acme: RestClient) -> None:
    made = acme.post("metrics", QUICK).json()

    changed = acme.patch(f"metrics/{made['id']}", {"window_days": 14, "success_condition": "action_count = 1"}).json()

    assert (changed["window_days"], changed["name"]) == (14, "quick")
    assert acme.patch(f"metrics/{made['id']}", {"success_condition": "?"}).status_code == 422
    assert acme.get("metrics").json()["results"][-1]["success_condition"] == "action_count = 1"


def test_names_are_taken_once_and_built_in_metrics_stay(household: Household, acme: RestClient) -> None:
    made = acme.post("metrics", QUICK).json()
    builtin = acme.get("metrics").json()["results"][0]

    assert acme.post("metrics", QUICK).json()["code"] == "metric_name_taken"
    assert acme.post("metrics", {**QUICK, "name": "efficiency_delta"}).json()["code"] == "metric_name_taken"
    assert acme.patch(f"metrics/{made['id']}", {"name": "efficiency_delta"}).json()["code"] == "metric_name_taken"
    assert acme.patch(f"metrics/{builtin['id']}", {"window_days": 3}).json()["code"] == "builtin_metric"
    assert acme.patch(f"metrics/{builtin['id']}", {"back_fill": True}).status_code == 200


def test_a_metric_is_deleted_with_its_values(household: Household, acme: RestClient) -> None:
    made = acme.post("metrics", QUICK).json()
    builtin = acme.get("metrics").json()["results"][0]
    with workspace_scope(household.caller):
        metric = Metric.objects.get(id=made["id"])
        value = Benchmark.objects.create(
            workspace_id=household.workspace.id, metric=metric, date=NOON.date(), sequences=1, value=1.0
        )

    assert household.rest(Right.READ).delete(f"metrics/{made['id']}").json()["code"] == "missing_scope"
    assert acme.delete(f"metrics/{builtin['id']}").json()["code"] == "builtin_metric"
    assert [acme.delete(f"metrics/{made['id']}").status_code for _ in range(2)] == [204, 404]

    assert "quick" not in names(acme)
    assert acme.get("benchmarks/quick").status_code == 404
    with workspace_scope(household.caller):
        assert not Benchmark.objects.filter(id=value.id).exists()
        assert Change.objects.filter(entity="benchmark", entity_id=value.id).exists()  # for its twin in the graph
        assert AuditEvent.objects.get(action="metric.deleted").details == {"name": "quick"}
    assert acme.post("metrics", QUICK).status_code == 201


def test_the_outsider_sees_nothing(household: Household, acme: RestClient, umbrella: RestClient) -> None:
    made = acme.post("metrics", QUICK).json()

    assert names(umbrella) == []
    assert umbrella.get("benchmarks/quick").status_code == 404
    assert umbrella.patch(f"metrics/{made['id']}", {"name": "mine"}).status_code == 404
    assert umbrella.delete(f"metrics/{made['id']}").status_code == 404


def test_a_back_fill_waits_once_for_each_metric_however_often_it_is_asked_for(
    household: Household, acme: RestClient
) -> None:
    made = acme.post("metrics", {**QUICK, "back_fill": True}).json()
    queued = waiting_tasks()

    assert [acme.patch(f"metrics/{made['id']}", {"back_fill": True}).status_code for _ in range(3)] == [200] * 3
    assert waiting_tasks() == queued

    back_fill(str(household.workspace.id), made["id"])
    acme.patch(f"metrics/{made['id']}", {"back_fill": True})
    assert waiting_tasks() == queued + 1


def test_so_many_back_fills_of_a_workspace_wait(
    household: Household, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "MAX_WAITING_BACK_FILLS", 2)
    answers = [acme.post("metrics", {**QUICK, "name": f"m{number}", "back_fill": True}) for number in range(3)]

    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert answers[-1].json()["code"] == "quota_exceeded"
    assert "m2" not in names(acme), "What is refused leaves nothing."
    assert acme.patch(f"metrics/{answers[0].json()['id']}", {"back_fill": True}).status_code == 200
