"""Actions of one session with gaps of at most five minutes are one sequence, in whatever order they arrive."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from itertools import pairwise
from random import Random

import pytest
from django.db import connection

from telemetry.actions.outcomes import Outcome
from telemetry.models import Action, Intent, Sequence
from telemetry.patterns.services.evaluation import evaluate_workspace
from telemetry.sequences.services.sequencer import forget_unused_intents, sequence_pending
from telemetry.sequences.sessionization import GAP
from tests.cast import Cast, Household, RestClient
from tests.telemetry.acting import NOON, action, record, sequenced, with_memory_on
from workspaces.access.scope import workspace_scope


@pytest.fixture
def household(cast: Cast) -> Household:
    return with_memory_on(cast.acme)


def spans(found: list[Sequence]) -> list[tuple[str, float, float, int]]:
    """Session, first and last minute after noon, number of actions."""
    return [
        (
            one.session,
            (one.started_at - NOON) / timedelta(minutes=1),
            (one.ended_at - NOON) / timedelta(minutes=1),
            one.action_count,
        )
        for one in found
    ]


def test_a_gap_of_five_minutes_holds_together_and_a_longer_one_divides(household: Household) -> None:
    longer = 10 + (GAP + timedelta(milliseconds=1)) / timedelta(minutes=1)
    record(household, action(0), action(5), action(10), action(longer), action(3, session="s-2"))

    found = sequenced(household)

    assert [(session, count) for session, _, _, count in spans(found)] == [("s-1", 3), ("s-1", 1), ("s-2", 1)]
    assert found[0].duration_ms == 600_000


def test_a_sequence_ends_as_its_last_action_does(household: Household) -> None:
    failed = partial(action, outcome=Outcome.FAILURE, error_code="timeout")
    record(household, failed(0), action(1), action(0, session="s-2"), failed(1, session="s-2"))

    first, second = sequenced(household)

    assert (first.outcome, first.failure_count) == ("success", 1)
    assert (second.outcome, second.failure_count) == ("failure", 1)
    assert first.intent.summary == "tool call on invoice; met timeout"
    assert first.intent_id == second.intent_id


def test_a_late_action_lands_where_its_time_says(household: Household) -> None:
    record(household, action(0), action(20), action(40))
    before = sequenced(household)
    record(household, action(2), action(38), action(21))

    after = sequenced(household)

    assert spans(after) == [("s-1", 0, 2, 2), ("s-1", 20, 21, 2), ("s-1", 38, 40, 2)]
    assert [one.id for one in after] == [one.id for one in before]


def test_an_action_between_two_sequences_makes_them_one(household: Household) -> None:
    record(household, action(0), action(8), action(60))
    first, _, last = sequenced(household)
    record(household, action(4))

    joined, other = sequenced(household)

    assert spans([joined, other]) == [("s-1", 0, 8, 3), ("s-1", 60, 60, 1)]
    assert (joined.id, other.id) == (first.id, last.id)


def test_running_again_changes_nothing(household: Household) -> None:
    record(household, action(0), action(9), action(1, session="s-2"))
    before = [(one.id, one.ended_at) for one in sequenced(household)]

    assert sequence_pending(workspace_id=household.workspace.id) == 0
    assert [(one.id, one.ended_at) for one in sequenced(household)] == before


def test_an_arrival_may_outlive_its_actions(household: Household) -> None:
    record(household, action(0), action(9))
    with workspace_scope(household.caller):
        Action.objects.filter(occurred_at=NOON).delete()

    assert spans(sequenced(household)) == [("s-1", 9, 9, 1)]
    record(household, action(20, session="s-2"))
    with workspace_scope(household.caller):
        Action.objects.filter(session="s-2").delete()
    assert sequence_pending(workspace_id=household.workspace.id) == 0


def test_intents_that_a_sequence_has_outgrown_are_forgotten(household: Household) -> None:
    record(household, action(0))
    sequenced(household)
    record(household, action(1, tool="calendar.book"))
    (grown,) = sequenced(household)

    assert forget_unused_intents(workspace_id=household.workspace.id) == 1
    assert forget_unused_intents(workspace_id=household.workspace.id) == 0
    with workspace_scope(household.caller):
        assert Intent.objects.get().id == grown.intent_id


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_arrival_does_not_matter(household: Household, seed: int) -> None:
    chance = Random(seed)
    minutes = [chance.uniform(0, 200) for _ in range(60)]
    record(household, *(action(minute, session="whole") for minute in minutes))
    whole = [span[1:] for span in spans(sequenced(household))]
    chance.shuffle(minutes)
    for start in range(0, 60, 7):
        record(household, *(action(minute, session="parts") for minute in minutes[start : start + 7]))
        sequenced(household)

    parts = [span[1:] for span in spans(sequenced(household)) if span[0] == "parts"]

    assert parts == whole


@pytest.mark.django_db(transaction=True)
def test_several_at_once_come_to_what_one_would(cast: Cast) -> None:
    """Four processes report into the same sessions and sequence and evaluate what is there, in no order."""
    household = with_memory_on(cast.acme)

    def work(seed: int) -> None:
        chance = Random(seed)
        try:
            for round_ in range(8):
                some = [action(chance.uniform(0, 3_000), session=f"s-{chance.randrange(3)}") for _ in range(20)]
                record(household, *some)
                if round_ % 3:
                    sequence_pending(workspace_id=household.workspace.id)
                else:
                    evaluate_workspace(workspace_id=household.workspace.id)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))

    with workspace_scope(household.caller):
        acts = list(Action.objects.order_by("session", "occurred_at").values_list("session", "occurred_at"))
    begins = [one for before, one in pairwise([("", NOON), *acts]) if one[0] != before[0] or one[1] - before[1] > GAP]
    found = sequenced(household)
    assert sum(one.action_count for one in found) == len(acts) == 4 * 8 * 20
    assert [(one.session, one.started_at) for one in found] == begins


def test_a_sequence_is_read_with_its_actions_and_found_by_what_is_in_it(household: Household, acme: RestClient) -> None:
    record(
        household,
        action(0),
        action(1, Outcome.FAILURE, error_code="timeout", node_type="order"),
        action(0, session="s-2", agent="scout", node_type="order"),
    )
    first, second = sequenced(household)

    def found(**narrow: str) -> list[str]:
        return sorted(row["session"] for row in acme.get("sequences", **narrow).json()["results"])

    one = acme.get(f"sequences/{first.id}").json()
    assert [(row["node_type"], row["error_code"]) for row in one["actions"]] == [
        ("invoice", None),
        ("order", "timeout"),
    ]
    assert (one["action_count"], one["intent_summary"]) == (2, "tool call on invoice, tool call on order; met timeout")
    assert found() == ["s-1", "s-2"]
    assert found(node_type="invoice") == found(error_code="timeout") == found(outcome="failure") == ["s-1"]
    assert found(node_type="invoice", error_code="timeout") == []
    assert found(agent="scout") == found(session=second.session) == ["s-2"]


def test_the_outsider_sees_nothing(household: Household, umbrella: RestClient) -> None:
    record(household, action())
    (mine,) = sequenced(household)

    assert umbrella.get("sequences").json()["results"] == []
    assert umbrella.get(f"sequences/{mine.id}").status_code == 404


def test_a_sequence_of_another_workspace_stays_apart(cast: Cast, household: Household) -> None:
    other = with_memory_on(cast.umbrella)
    record(household, action(0))
    record(other, action(1))

    assert len(sequenced(household)) == 1
    assert len(sequenced(other)) == 1
    with workspace_scope(other.caller):
        assert Sequence.objects.get().action_count == 1
