"""A call that looks for patterns learns of those in its own space alone."""

from __future__ import annotations

import pytest

from core.clock import utc_now
from telemetry.actions.outcomes import Outcome
from tests.cast import Cast
from tests.telemetry.acting import NOON, action, colleague, record, with_memory_on
from workspaces.access.spaces import NamedSpaces

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
