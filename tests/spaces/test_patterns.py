"""A call that looks for patterns learns of those in its own space alone, and changes no others."""

from __future__ import annotations

import pytest

from core.clock import utc_now
from telemetry.actions.outcomes import Outcome
from tests.cast import Cast
from tests.telemetry.acting import NOON, action, colleague, record, record_by_two, with_memory_on
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces
from workspaces.models import AuditEvent

pytestmark = pytest.mark.django_db


def test_evaluating_names_and_counts_no_pattern_of_another_space(cast: Cast) -> None:
    household = with_memory_on(cast.acme)
    since_noon = (utc_now() - NOON).total_seconds() / 60 - 120
    failures = [action(since_noon, Outcome.FAILURE, session=f"s-{n}", error_code="timeout") for n in range(6)]
    ada = NamedSpaces(user="ada")
    record(household, *failures[::2], by=household.caller.naming(ada))
    record(household, *failures[1::2], by=colleague(household).naming(ada))

    of_others = [household.rest().post("patterns/evaluate", fields).json() for fields in ({}, {"user": "bob"})]
    of_ada = household.rest().post("patterns/evaluate", {"user": "ada"}).json()

    assert [(one["promoted"], one["retired"], one["changed"]) for one in of_others] == [([], [], 0)] * 2
    assert len(of_ada["promoted"]) == 1


def test_a_call_for_another_space_notes_nothing_on_a_pattern_and_says_so(cast: Cast) -> None:
    household = with_memory_on(cast.acme)
    since_noon = (utc_now() - NOON).total_seconds() / 60 - 120
    failures = [action(since_noon, Outcome.FAILURE, session=f"s-{n}", error_code="timeout") for n in range(6)]
    record_by_two(household, *failures)
    rest = household.rest()
    (identity,) = rest.post("patterns/evaluate").json()["promoted"]

    noted = rest.post(f"patterns/{identity}/annotate", {"annotation": "Ask first.", "user": "ada"})
    suppressed = rest.post("patterns/suppress", {"key_prefix": "tool_call/", "user": "ada"})

    assert noted.json()["code"] == "other_space"
    assert suppressed.json()["changed"] == []
    assert rest.get(f"patterns/{identity}").json()["annotation"] is None
    with workspace_scope(household.caller):
        assert not AuditEvent.objects.filter(object_type="pattern").exists()
