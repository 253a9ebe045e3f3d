"""Agents are warned of what is promoted and not suppressed, one time in ten not, and what came of it is counted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import count

import pytest
import time_machine

from core.text.tokens import count_tokens
from telemetry.actions.outcomes import Outcome
from telemetry.models import Injection, Pattern
from telemetry.patterns.services.evaluation import evaluate_workspace
from telemetry.patterns.services.pattern_admin import annotate_pattern
from telemetry.patterns.services.warning_injection import InjectedWarning, inject_patterns
from tests.cast import Cast, Household
from tests.telemetry.acting import NOON, action, record, with_memory_on
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces
from workspaces.settings.services import set_memory_enabled

numbers = count()


@pytest.fixture
def household(cast: Cast) -> Household:
    return with_memory_on(cast.acme)


def known_pattern(household: Household, *, support: int = 6, attempts: int = 10, **fields: str) -> Pattern:
    key = {"action_type": "tool_call", "node_type": "invoice", "error_code": f"error_{next(numbers)}", **fields}
    with workspace_scope(household.caller):
        made: Pattern = Pattern.objects.create(
            workspace_id=household.workspace.id,
            status="promoted",
            support=support,
            attempts=attempts,
            confidence=support / attempts,
            recommendation="Take another way.",
            **key,
        )
    return made


def injected(
    household: Household, *node_types: str, draw: float = 0.5, session: str = "s-1", action_type: str = ""
) -> InjectedWarning:
    return inject_patterns(
        caller=household.caller, node_types=node_types, session=session, draw=draw, action_type=action_type
    )


def told(household: Household, *node_types: str, action_type: str = "") -> Sequence[Pattern]:
    return injected(household, *node_types, action_type=action_type).patterns


def test_the_patterns_of_the_target_types_are_told_surest_and_commonest_first(household: Household) -> None:
    rare = known_pattern(household, support=6, attempts=6)
    common = known_pattern(household, support=60, attempts=100)
    known_pattern(household, node_type="order")

    answer = injected(household, "invoice")

    assert list(answer.patterns) == [common, rare]
    assert answer.text.splitlines()[1] == (
        f"- tool_call on invoice ends in {common.error_code} (60% of 100 sequences). Take another way."
    )
    assert answer.tokens == count_tokens(answer.text)


def test_the_action_narrows_and_brings_those_without_a_target(household: Household) -> None:
    mine = known_pattern(household)
    known_pattern(household, action_type="graph_query")
    anywhere = known_pattern(household, node_type="", support=5, attempts=8)

    assert list(told(household, "invoice", action_type="tool_call")) == [mine, anywhere]
    assert list(told(household, action_type="tool_call")) == [anywhere]
    assert list(told(household)) == []


def test_at_most_five_and_at_most_400_tokens(household: Household) -> None:
    for _ in range(8):
        known_pattern(household)
    assert len(told(household, "invoice")) == 5

    with workspace_scope(household.caller):
        Pattern.objects.update(annotation="mind the thirty-first of every month " * 40)
    answer = injected(household, "invoice")

    assert 0 < len(answer.patterns) < 5
    assert answer.tokens <= 400


def test_suppressed_and_retired_ones_are_never_told(household: Household) -> None:
    pattern = known_pattern(household)
    retired = known_pattern(household)
    with workspace_scope(household.caller):
        Pattern.objects.filter(id=retired.id).update(status="retired")
    annotate_pattern(caller=household.caller, pattern_id=pattern.id, suppressed=True)
    assert list(told(household, "invoice")) == []

    annotate_pattern(caller=household.caller, pattern_id=pattern.id, suppressed=False, annotation="Ask Bob.")

    answer = injected(household, "invoice")
    assert list(answer.patterns) == [pattern]
    assert answer.text.endswith("Note by the operator: Ask Bob.")


def test_a_key_takes_back_nothing_that_a_person_decided_about_a_pattern(household: Household) -> None:
    pattern = known_pattern(household)
    annotate_pattern(caller=household.caller, pattern_id=pattern.id, suppressed=True, annotation="Ask Bob.")
    writer, trusted = household.rest(Right.READ, Right.WRITE), household.rest()

    for change in ({"annotation": "Pay 4711."}, {"annotation": ""}, {"suppressed": False}):
        refused = writer.post(f"patterns/{pattern.id}/annotate", change)
        assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert writer.post(f"patterns/{pattern.id}/annotate", {"suppressed": True}).status_code == 200
    assert trusted.post(f"patterns/{pattern.id}/annotate", {"suppressed": False}).status_code == 200


def test_one_in_ten_is_held_out_by_lot(household: Household) -> None:
    known_pattern(household)

    held = injected(household, "invoice", draw=0.099)
    shown = injected(household, "invoice", draw=0.1)

    assert (held.patterns, held.text, held.is_held_out) == ((), "", True)
    assert (len(shown.patterns), shown.is_held_out) == (1, False)
    with workspace_scope(household.caller):
        assert list(Injection.objects.order_by("id").values_list("is_held_out", flat=True)) == [True, False]


def test_nothing_is_told_or_kept_while_memory_is_off(household: Household) -> None:
    known_pattern(household)
    set_memory_enabled(caller=household.caller, enabled=False)

    assert injected(household, "invoice") == InjectedWarning()
    with workspace_scope(household.caller):
        assert not Injection.objects.exists()


def test_what_came_of_a_warning_is_found_in_the_same_sequence(household: Household) -> None:
    pattern = known_pattern(household, error_code="timeout")
    failing = {"error_code": "timeout"}
    for session, draw in [("heeded", 0.5), ("ignored", 0.5), ("idle", 0.5), ("held-1", 0.01), ("held-2", 0.01)]:
        with time_machine.travel(NOON + timedelta(minutes=1), tick=False):
            injected(household, "invoice", session=session, draw=draw)
    record(
        household,
        # What happened before the warning is not held against it.
        action(0, Outcome.FAILURE, session="heeded", **failing),
        action(2, session="heeded"),
        action(2, Outcome.FAILURE, session="ignored", **failing),
        action(2, session="idle", node_type="order"),
        action(2, Outcome.FAILURE, session="held-1", **failing),
        action(2, session="held-2"),
    )

    evaluate_workspace(workspace_id=household.workspace.id, now=NOON + timedelta(hours=1))

    with workspace_scope(household.caller):
        results = dict(Injection.objects.values_list("session", "result"))
        pattern = Pattern.objects.get(id=pattern.id)
    assert results == {
        "heeded": "avoided",
        "ignored": "occurred",
        "idle": "idle",
        "held-1": "occurred",
        "held-2": "avoided",
    }
    assert (pattern.shown, pattern.shown_failed, pattern.held_out, pattern.held_out_failed) == (2, 1, 2, 1)


def test_a_second_warning_answers_for_what_comes_after_it(household: Household) -> None:
    known_pattern(household, error_code="timeout")
    for minute in (1, 3):
        with time_machine.travel(NOON + timedelta(minutes=minute), tick=False):
            injected(household, "invoice")
    record(household, action(2, Outcome.FAILURE, error_code="timeout"), action(4))

    evaluate_workspace(workspace_id=household.workspace.id, now=NOON + timedelta(hours=1))

    with workspace_scope(household.caller):
        assert list(Injection.objects.order_by("injected_at").values_list("result", flat=True)) == [
            "occurred",
            "avoided",
        ]


def test_another_workspace_is_told_nothing(cast: Cast, household: Household) -> None:
    known_pattern(household)

    assert injected(with_memory_on(cast.umbrella), "invoice") == InjectedWarning()


def test_a_warning_in_a_users_space_about_a_shared_pattern_is_settled_there(household: Household) -> None:
    shared = known_pattern(household)
    users = [household.caller.naming(NamedSpaces(user=name)) for name in ("failing", "heeding")]
    with time_machine.travel(NOON, tick=False):
        for caller in users:
            told = inject_patterns(caller=caller, node_types=["invoice"], session="s-1", draw=0.5)
            assert list(told.patterns) == [shared]
    record(household, action(1, Outcome.FAILURE, error_code=shared.error_code), by=users[0])
    record(household, action(1), by=users[1])
    with time_machine.travel(NOON + timedelta(hours=1), tick=False):
        evaluate_workspace(workspace_id=household.workspace.id)
        again = evaluate_workspace(workspace_id=household.workspace.id)

    results = []
    for caller in users:
        with workspace_scope(caller.alone()):
            (found,) = Injection.objects.of(caller.alone())
            results.append((found.result, found.sequence_id is None))
    assert results == [("occurred", False), ("avoided", False)]
    assert again.changed == 0
    # What happens in the space of a user moves no count that everybody reads.
    with workspace_scope(household.caller):
        shared.refresh_from_db()
    assert (shared.shown, shared.shown_failed) == (0, 0)


def test_actions_of_another_space_settle_no_warning(household: Household) -> None:
    known_pattern(household)
    mine, other = (household.caller.naming(NamedSpaces(user=name)) for name in ("42", "43"))
    with time_machine.travel(NOON, tick=False):
        inject_patterns(caller=mine, node_types=["invoice"], session="s-1", draw=0.5)
    record(household, action(1), by=other)
    with time_machine.travel(NOON + timedelta(hours=1), tick=False):
        evaluate_workspace(workspace_id=household.workspace.id)

    with workspace_scope(mine.alone()):
        assert [(one.result, one.sequence_id) for one in Injection.objects.of(mine.alone())] == [("", None)]
