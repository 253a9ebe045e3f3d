"""Two workspaces, driven at random by eight threads over shared connections: neither ever sees the other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection

from tests.cast import Cast, Household, assemble_cast
from tests.serving import as_serving_role, close_pool
from tests.together import together
from workspaces.access.audit import record_event
from workspaces.access.scope import ScopeError, person_scope, workspace_scope
from workspaces.models import AuditEvent

THREADS = 8
STEPS = 40


class OnPurposeError(Exception):
    """Something went wrong inside a scope."""


@dataclass
class Visitor:
    """One thread: it enters the workspaces as its dice say, and checks at every step whose rows it sees."""

    households: tuple[Household, Household]
    dice: random.Random
    written: Counter[str] = field(default_factory=Counter)

    def walk(self, pool: Mapping[str, Any] | None) -> Counter[str]:
        with as_serving_role(pool=pool):
            for _ in range(STEPS):
                here, there = self.dice.sample(self.households, 2)
                self.dice.choice(WAYS)(self, here, there)
                if pool and self.dice.random() < 0.5:
                    connection.close()  # goes back to the pool, for any other thread to take
        return self.written

    def look_around(self, here: Household, there: Household) -> None:
        with workspace_scope(here.caller):
            self._sees_only(here)

    def stay_outside(self, here: Household, there: Household) -> None:
        assert _owners_of_visible_rows() == set()

    def write(self, here: Household, there: Household) -> None:
        with workspace_scope(here.caller):
            record_event(caller=here.caller, action="visited")
            self._sees_only(here)
        self.written[here.workspace.name] += 1

    def write_and_fail(self, here: Household, there: Household) -> None:
        with pytest.raises(OnPurposeError):
            _write_in_vain(here)

    def break_a_statement(self, here: Household, there: Household) -> None:
        with pytest.raises(DatabaseError), workspace_scope(here.caller), connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")

    def write_for_the_other(self, here: Household, there: Household) -> None:
        with workspace_scope(here.caller):
            with pytest.raises(DatabaseError), workspace_scope(here.caller):
                record_event(caller=there.caller, action="visited")
            self._sees_only(here)

    def enter_the_other(self, here: Household, there: Household) -> None:
        with workspace_scope(here.caller):
            with pytest.raises(ScopeError), workspace_scope(there.caller):
                pytest.fail("The scope of another workspace was opened.")
            self._sees_only(here)

    def nest(self, here: Household, there: Household) -> None:
        with workspace_scope(here.caller):
            with workspace_scope(here.caller):
                record_event(caller=here.caller, action="visited")
            with pytest.raises(OnPurposeError):
                _write_in_vain(here)
            self._sees_only(here)
        self.written[here.workspace.name] += 1

    def ask_for_workspaces(self, here: Household, there: Household) -> None:
        with person_scope(here.owner.id):
            self._sees_only(here)

    def _sees_only(self, here: Household) -> None:
        assert _owners_of_visible_rows() == {here.workspace.id}


WAYS: tuple[Callable[[Visitor, Household, Household], None], ...] = (
    Visitor.look_around,
    Visitor.stay_outside,
    Visitor.write,
    Visitor.write_and_fail,
    Visitor.break_a_statement,
    Visitor.write_for_the_other,
    Visitor.enter_the_other,
    Visitor.nest,
    Visitor.ask_for_workspaces,
)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("pool", [None, {"min_size": 1, "max_size": 3, "timeout": 30}], ids=["persistent", "pooled"])
def test_no_thread_sees_or_writes_what_is_not_its_own(pool: Mapping[str, Any] | None) -> None:
    cast = assemble_cast()
    seeds = [random.getrandbits(32) for _ in range(THREADS)]
    visitors = [Visitor((cast.acme, cast.umbrella), random.Random(seed)) for seed in seeds]

    walked = together([partial(visitor.walk, pool) for visitor in visitors])

    if pool:
        close_pool(pool)
    assert _visits(cast) == sum(walked, Counter()), f"seeds {seeds}"


def _write_in_vain(here: Household) -> None:
    with workspace_scope(here.caller):
        record_event(caller=here.caller, action="visited")
        raise OnPurposeError


def _owners_of_visible_rows() -> set[Any]:
    """Whose rows the connection shows, asked without a filter, as a careless query would."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM workspaces UNION SELECT workspace_id FROM memberships"
            " UNION SELECT workspace_id FROM api_keys UNION SELECT workspace_id FROM audit_events"
        )
        return {row[0] for row in cursor.fetchall()}


def _visits(cast: Cast) -> Counter[str]:
    found: Counter[str] = Counter()
    for household in (cast.acme, cast.umbrella):
        with workspace_scope(household.caller):
            found[household.workspace.name] = AuditEvent.objects.filter(action="visited").count()
    return found
