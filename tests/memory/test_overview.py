"""Home and the page of an agent: what is new, what waits, who is at work, and in how many queries."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.memories.review.selectors import count_at_most
from memory.memories.services.memory_writer import NewMemory, remember
from memory.recall.overview.selectors import count_days, recently_learned
from memory.recall.overview.view_models import bars
from telemetry.actions.outcomes import Outcome
from telemetry.models import Pattern
from telemetry.patterns.services.evaluation import evaluate_workspace
from tests.cast import Cast
from tests.pages import Visitor, text_of
from tests.telemetry.acting import NOON, action, record, with_memory_on
from workspaces.access.scope import workspace_scope

TEA = "The office tea order is due on the first Monday of each month."
HOSTILE = "<script>alert(1)</script>" + "w" * 300
pytestmark = pytest.mark.django_db


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor.of(cast.alice, cast.acme.workspace)


def test_home_shows_what_is_new_and_what_waits(cast: Cast, alice: Visitor) -> None:
    cast.acme.rest().remembered(TEA)

    page = text_of(alice.get("home"))

    assert TEA in page
    assert "suggestion to decide" in page
    assert "No agent has called yet" in page


def test_an_empty_home_says_what_to_do(alice: Visitor) -> None:
    page = text_of(alice.get("home"))

    assert "Nothing waits for a decision." in page
    assert "Nothing is remembered yet." in page
    assert "Memory is off" in page


def test_hostile_contents_are_escaped(cast: Cast, alice: Visitor) -> None:
    cast.acme.rest().remembered(f"{HOSTILE} is a name.")

    assert "&lt;script&gt;alert" in alice.get("home").content.decode()
    assert "<script>alert" not in alice.get("home").content.decode()


def test_the_number_of_queries_is_fixed(cast: Cast, alice: Visitor) -> None:
    counted = []
    for number in (1, 6):
        for one in range(number):
            cast.acme.rest().remembered(f"Round {number}, statement {one}: the van is serviced in month {one}.")
        with CaptureQueriesContext(connection) as queries:
            alice.get("home")
        counted.append(len(queries))

    assert counted[0] == counted[1]


def test_an_unseen_agent_has_no_page(cast: Cast, alice: Visitor) -> None:
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)

    assert alice.get("agents/agent", name="order-desk").status_code == 404
    assert alice.get("agents/agent").status_code == 404
    assert charlie.get("agents/agent", name="order-desk").status_code == 404
    assert charlie.get("home").status_code == 404


def test_the_page_of_an_agent_names_what_fails_and_what_agents_are_told(cast: Cast, alice: Visitor) -> None:
    with_memory_on(cast.acme)
    for place in range(6):
        session, at = f"s-{place}", place * 10
        sent = action(
            at, Outcome.FAILURE, session=session, tool="erp.send_invoice", error_code="rate_limited", latency_ms=812.0
        )
        record(cast.acme, sent, action(at, session=session, tool="erp.find_customer", latency_ms=120.0))
    record(cast.acme, action(70, Outcome.DEAD_END, tool="POST memories/search", node_type="memory", session="s-9"))
    evaluate_workspace(workspace_id=cast.acme.workspace.id, now=NOON + timedelta(hours=2))
    with workspace_scope(cast.acme.caller):
        pattern = Pattern.objects.get()
    alice.post(f"agents/patterns/{pattern.id}/annotate", annotation="Use the batch call <b>first</b>.")

    page = text_of(alice.get("agents/agent", name="clerk"))

    failed, dead_end = (
        " ".join(part.split())
        for part in re.findall(r'<ol class="failures">(.*?)</ol>', page, re.S)[0].split("</li>")[:2]
    )
    assert "<code>rate_limited</code></a> <code>erp.send_invoice</code>" in failed
    assert "working on invoice" in failed
    assert "ends in rate_limited (100% of 6 sequences)." in failed, "The rule stays."
    assert "Note by the operator: Use the batch call &lt;b&gt;first&lt;/b&gt;." in failed
    assert "Ended without a result</a> Searched memories" in dead_end
    does = " ".join(re.findall(r'<dl class="pairs">(.*?)</dl>', page, re.S)[0].split())
    assert '<code>erp.send_invoice</code></dt><dd class="number">6× <span class="muted">6 failed</span>' in does
    assert '<code>erp.find_customer</code></dt><dd class="number">6×</dd>' in does
    assert page.count('<span class="badge">1 failed</span>') == 6, "Each sequence in which something failed."
    assert "0 ms" not in page, "They were reported for one moment."

    alice.post(f"agents/patterns/{pattern.id}/suppress")
    assert "Agents are not told" in text_of(alice.get("agents/agent", name="clerk"))


@pytest.mark.parametrize(("days", "highest"), [([0] * 14, 1), ([0] * 13 + [5], 20), ([1, 2] + [0] * 11 + [4], 20)])
def test_bars_are_scaled_to_the_highest_day(days: list[int], highest: int) -> None:
    drawn = bars(days)

    assert max(bar["height"] for bar in drawn) == highest
    assert all(bar["y"] + bar["height"] == 20 for bar in drawn)


def test_days_count_from_now_backwards() -> None:
    now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    times = [now, now - timedelta(hours=23), now - timedelta(days=1, hours=1), now - timedelta(days=40)]

    assert count_days(times, now=now) == [0] * 12 + [1, 2]


def test_each_day_of_home_has_what_was_learned_on_it(cast: Cast) -> None:
    now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    ages = {
        "A": timedelta(0),
        "B": timedelta(hours=23),
        "C": timedelta(days=1),
        "D": timedelta(days=13),
        "E": timedelta(days=15),
    }
    for name, age in ages.items():
        with time_machine.travel(now - age, tick=False):
            remember(caller=cast.acme.caller, new=NewMemory(f"Van {name} is serviced in May."))

    learned = recently_learned(cast.acme.caller, since=now - timedelta(days=1), now=now)

    assert learned.days == count_days([now - age for age in ages.values()], now=now)
    assert learned.recent == 3
    assert [memory.content[:5] for memory in learned.newest[:2]] == ["Van A", "Van B"]


def test_home_has_the_number_of_the_rail_that_other_pages_have(cast: Cast, alice: Visitor) -> None:
    cast.acme.rest().remembered(TEA)

    for space, number in (("shared", "1"), (f"user:{cast.alice.id}", "")):
        shown = [text_of(alice.get(path, space=space)) for path in ("home", "review", "memory")]
        assert [re.findall(r'id="review-count" class="rail-count">(\d*)', page) for page in shown] == [[number]] * 3


def test_the_number_in_the_rail_stops_where_it_is_rounded(cast: Cast) -> None:
    for number in range(3):
        cast.acme.rest().remembered(f"Van {number} is serviced in May.")

    assert [count_at_most(cast.acme.caller, most) for most in (5, 3)] == [3, 3]
    assert count_at_most(cast.acme.caller, 2) > 2
