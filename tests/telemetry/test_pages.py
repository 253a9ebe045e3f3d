"""The Agents pages show what agents did and what keeps going wrong, and people decide about it there."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from telemetry.actions.outcomes import Outcome
from telemetry.actions.selectors import newest_actions, workspace_actions
from telemetry.metrics.services.metrics import workspace_metrics
from telemetry.metrics.tasks import measure_workspace
from telemetry.models import Metric, Pattern
from telemetry.patterns.services.evaluation import evaluate_workspace
from tests.cast import Cast, Household
from tests.pages import Visitor, text_of, toast_of
from tests.telemetry.acting import NOON, action, record, record_by_two, sequenced, with_memory_on
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role


@pytest.fixture
def household(cast: Cast) -> Household:
    """Six sequences that met the same error, and one that went well."""
    household = with_memory_on(cast.acme)
    record_by_two(
        household,
        *[action(0, Outcome.FAILURE, session=f"s-{n}", error_code="timeout") for n in range(6)],
        action(0, session="well", agent="scout", tool="calendar.book", node_type="meeting"),
    )
    evaluate_workspace(workspace_id=household.workspace.id, now=NOON + timedelta(hours=1))
    return household


@pytest.fixture
def bob(cast: Cast, household: Household) -> Visitor:
    return Visitor.of(cast.bob, cast.acme.workspace)


def the_pattern(household: Household) -> Pattern:
    with workspace_scope(household.caller):
        return Pattern.objects.get()


def test_without_anything_the_pages_say_what_will_be_there(cast: Cast) -> None:
    charlie = Visitor.of(cast.charlie, cast.umbrella.workspace)

    assert "No actions yet" in text_of(charlie.get("agents"))
    assert "Memory is off" in text_of(charlie.get("agents"))
    assert "No patterns" in text_of(charlie.get("agents/patterns"))
    assert "No metrics" in text_of(charlie.get("agents/benchmarks"))
    with_memory_on(cast.umbrella)
    assert "Nothing was measured yet" in text_of(charlie.get("agents/benchmarks"))
    tried = charlie.post("agents/metrics/new", **METRIC, **{"try": "1"})
    assert "There are no sequences yet" in text_of(tried)


def test_the_timeline_shows_sequences_and_narrows(bob: Visitor) -> None:
    whole, failed = text_of(bob.get("agents")), text_of(bob.get("agents", outcome="failure"))
    about = text_of(bob.get("agents", node_type="meeting"))

    assert whole.count('class="moment') >= 7
    assert "calendar.book on meeting" in whole
    assert "calendar.book on meeting" not in failed
    assert "on invoice; met timeout" in failed
    assert ("calendar.book on meeting" in about, "met timeout" in about) == (True, False)
    assert "Nothing fits" in text_of(bob.get("agents", agent="nobody"))
    assert f'href="{bob.address("agents/agent")}?name=nobody"' in text_of(bob.get("agents", agent="nobody"))
    assert bob.get("agents", outcome="perhaps").status_code == 200


def test_the_timeline_is_told_when_there_is_nothing_new(household: Household, bob: Visitor) -> None:
    page = text_of(bob.get("agents"))
    seen = page.split('hx-vals=\'{"seen": "')[1].split('"')[0]

    def news() -> tuple[int, str]:
        headers = {"HX-Request": "true", "HX-Target": "timeline"}
        answer = bob.client.get(bob.address("agents"), {"seen": seen}, headers=headers)
        return answer.status_code, text_of(answer)

    assert news() == (204, "")
    record(household, action(30, session="later", tool="mail.send"))
    sequenced(household)
    status, fragment = news()
    assert status == 200
    assert "mail.send" in fragment
    assert fragment.lstrip().startswith('<div id="timeline"')


def test_a_sequence_shows_its_actions(household: Household, bob: Visitor) -> None:
    last = sequenced(household)[-1]

    page = text_of(bob.get(f"agents/sequences/{last.id}"))

    assert f"<h1>Sequence of {last.agent}</h1>" in page
    assert "Ended in success" in page
    assert "working on meeting" in page
    assert bob.get("agents/sequences/01a20000-0000-7000-8000-000000000000").status_code == 404


def test_patterns_are_listed_and_shown_with_what_agents_are_told(household: Household, bob: Visitor) -> None:
    listed, page = text_of(bob.get("agents/patterns")), text_of(bob.get(f"agents/patterns/{the_pattern(household).id}"))

    assert "tool_call/invoice/timeout" in listed
    assert "6 of 6" in listed
    assert "tool_call on invoice ends in timeout (100% of 6 sequences). Ask for less at once" in page
    assert "Not measured yet" in page
    assert "Nothing fits" in text_of(bob.get("agents/patterns", status="retired"))


def test_a_person_notes_and_suppresses(household: Household, bob: Visitor) -> None:
    url = f"agents/patterns/{the_pattern(household).id}"

    noted = bob.swap(f"{url}/annotate", target="pattern", annotation="Ask for pages.")
    suppressed = bob.swap(f"{url}/suppress", target="pattern")

    assert "Note by the operator: Ask for pages." in text_of(noted)
    assert toast_of(suppressed)["undo_url"].endswith("/unsuppress")
    assert the_pattern(household).suppressed_by == "Bob"
    assert "Suppressed" in text_of(bob.get("agents/patterns"))
    assert bob.post(f"{url}/unsuppress").status_code == 302
    assert not the_pattern(household).is_suppressed


def test_patterns_are_evaluated_on_demand(household: Household, bob: Visitor) -> None:
    assert bob.post("agents/patterns/evaluate").status_code == 302


def test_benchmarks_are_drawn(household: Household, bob: Visitor) -> None:
    for day in (1, 2, 3):
        with time_machine.travel(NOON + timedelta(days=day), tick=False):
            measure_workspace(str(household.workspace.id))

    with CaptureQueriesContext(connection) as queries:
        page = text_of(bob.get("agents/benchmarks"))

    assert len([one for one in queries if 'FROM "agent_benchmarks"' in one["sql"]]) == 1, "However many metrics."
    assert page.count("<polyline") == 1
    assert "14.3%" in page
    success = next(metric for metric in workspace_metrics(household.caller) if metric.name == "task_success_rate")
    assert "Built in" in text_of(bob.get(f"agents/metrics/{success.id}"))


METRIC = {"name": "quick", "aggregation": "rate", "measure": "duration_ms", "window_days": "7"}


def test_a_metric_is_tried_made_and_changed(household: Household, bob: Visitor) -> None:
    condition = {"event_filter": "node_type = 'invoice'", "success_condition": "outcome = 'success'"}
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        tried = text_of(bob.swap("agents/metrics/new", target="metric-form", **METRIC, **condition, **{"try": "1"}))
    assert ('data-announce="What it would have said' in tried, "0.0%" in tried) == (True, True)
    assert [metric.name for metric in workspace_metrics(household.caller) if not metric.is_builtin] == []

    assert bob.post("agents/metrics/new", **METRIC, **condition).status_code == 302

    (made,) = [metric for metric in workspace_metrics(household.caller) if not metric.is_builtin]
    changed = bob.post(f"agents/metrics/{made.id}", **{**METRIC, "window_days": "30"}, **condition)
    assert changed.status_code == 302
    with workspace_scope(household.caller):
        assert Metric.objects.get(id=made.id).window_days == 30
    assert bob.post(f"agents/metrics/{made.id}/back-fill").status_code == 302

    assert bob.post(f"agents/metrics/{made.id}/delete").status_code == 302
    assert [metric.name for metric in workspace_metrics(household.caller) if not metric.is_builtin] == []


def test_what_cannot_be_read_is_told_beside_its_field(bob: Visitor) -> None:
    answer = bob.post("agents/metrics/new", **METRIC, success_condition="outcome > 3")

    assert answer.status_code == 422
    assert "At position 9: expected `=` or `!=`, found `&gt;`." in text_of(answer)


def test_a_viewer_looks_and_changes_nothing(cast: Cast, household: Household, bob: Visitor) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    url = f"agents/patterns/{the_pattern(household).id}"

    assert "Save note" not in text_of(bob.get(url))
    assert bob.post(f"{url}/suppress").status_code == 403
    assert bob.post(f"{url}/annotate", annotation="x").status_code == 403
    assert bob.post("agents/patterns/evaluate").status_code == 403
    assert bob.get("agents/metrics/new").status_code == 403


def test_the_outsider_sees_nothing(cast: Cast, household: Household) -> None:
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)
    own = Visitor.of(cast.charlie, cast.umbrella.workspace)

    for page in ("agents", "agents/patterns", "agents/benchmarks", "agents/metrics/new"):
        assert charlie.get(page).status_code == 404
    assert own.get(f"agents/patterns/{the_pattern(household).id}").status_code == 404
    assert own.get(f"agents/sequences/{sequenced(household)[0].id}").status_code == 404
    assert "met timeout" not in text_of(own.get("agents"))


def test_patterns_come_in_pages_the_surest_first(
    household: Household, bob: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_by_two(
        household,
        *[action(0, Outcome.FAILURE, session=f"r-{n}", error_code="refused", node_type="order") for n in range(8)],
    )
    evaluate_workspace(workspace_id=household.workspace.id, now=NOON + timedelta(hours=2))
    whole = text_of(bob.get("agents/patterns"))
    monkeypatch.setattr("telemetry.patterns.pages.ROWS", 1)

    first = text_of(bob.get("agents/patterns"))
    following = re.search(r'rel="next" href="([^"]+)"', first)
    assert following
    last = text_of(bob.get(unescape(following[1]).removeprefix("http://testserver")))

    assert 'rel="next"' not in whole
    assert "2 patterns" in first
    found = [re.findall(r'data-key="pattern-([^"]+)"', page) for page in (whole, first, last)]
    assert found == [[*found[1], *found[2]], found[0][:1], found[0][1:]]
    assert 'rel="prev"' in last
    assert bob.get("agents/patterns", cursor="made-up").status_code == 422


def test_a_long_timeline_says_how_long_it_is(
    household: Household, bob: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    sequenced(household)
    assert "7 sequences" not in text_of(bob.get("agents"))
    monkeypatch.setattr("workspaces.http.console_lists.ROWS", 5)

    page = text_of(bob.get("agents"))

    assert "7 sequences" in page
    assert 'rel="next"' in page


def test_the_newest_actions_are_those_from_an_id_on(household: Household) -> None:
    with workspace_scope(household.caller):
        ids = list(workspace_actions(household.caller).values_list("id", flat=True))
        for most, has_older in ((len(ids) - 1, True), (len(ids), False), (len(ids) + 1, False)):
            found = newest_actions(household.caller, most=most)
            assert (list(found.rows.values_list("id", flat=True)), found.has_older) == (ids[:most], has_older)
