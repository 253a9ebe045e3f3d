"""Leases: one holder at a time, for a time; and advisory locks, until a transaction ends."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import transaction

from core.db.locks import try_lock, wait_for_lock
from tests.cast import Cast
from tests.serving import serving_connection
from tests.together import together
from workspaces.access.leases import hold_lease, take_lease
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease

pytestmark = pytest.mark.django_db


def test_one_holder_at_a_time_in_each_workspace_and_under_each_name(cast: Cast) -> None:
    acme, umbrella = cast.acme.caller, cast.umbrella.caller

    held = take_lease(caller=acme, name="sorting", seconds=60)

    assert held
    assert take_lease(caller=acme, name="sorting", seconds=60) is None
    assert take_lease(caller=acme, name="counting", seconds=60)
    assert take_lease(caller=umbrella, name="sorting", seconds=60)
    held.release()
    assert take_lease(caller=acme, name="sorting", seconds=60)


def test_it_is_renewed_until_another_holder_has_it(cast: Cast) -> None:
    lost = take_lease(caller=cast.acme.caller, name="sorting", seconds=-1)
    assert lost
    assert lost.renew()  # it ran out, and nobody came

    taken = take_lease(caller=cast.acme.caller, name="sorting", seconds=60)

    assert taken
    with workspace_scope(cast.acme.caller):
        assert (taken.is_current(), lost.is_current()) == (True, False)
    assert (taken.renew(), lost.renew()) == (True, False)
    lost.release()  # what is no longer its own stays
    assert taken.renew()


def test_a_holder_takes_its_lease_over_in_another_process(cast: Cast) -> None:
    first = take_lease(caller=cast.acme.caller, name="sorting", seconds=60)
    assert first

    again = take_lease(caller=cast.acme.caller, name="sorting", seconds=60, holder=first.holder)

    assert again == first


def test_work_that_fails_gives_it_back(cast: Cast) -> None:
    with pytest.raises(ZeroDivisionError), hold_lease(caller=cast.acme.caller, name="sorting", seconds=60):
        1 / 0  # noqa: B018

    with workspace_scope(cast.acme.caller):
        assert not Lease.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_gets_it(cast: Cast) -> None:
    def take() -> bool:
        return take_lease(caller=cast.acme.caller, name="sorting", seconds=60) is not None

    assert sorted(together([take] * 6)) == [False] * 5 + [True]


def test_a_lock_is_of_one_transaction(cast: Cast) -> None:
    workspace, part = cast.acme.workspace.id, uuid4()
    taken = f"SELECT pg_try_advisory_xact_lock(hashtextextended('sorting {workspace} {part}', 0))"
    with serving_connection() as other, other.cursor() as cursor:
        cursor.execute(taken)
        assert cursor.fetchone() == (True,)
        with transaction.atomic():
            assert not try_lock("sorting", workspace, part)
            assert try_lock("sorting", workspace)
            assert try_lock("counting", workspace, part)
        other.commit()
        with transaction.atomic():
            assert try_lock("sorting", workspace, part)
            assert try_lock("sorting", workspace, part)  # again by the same


@pytest.mark.django_db(transaction=True)
def test_a_lock_without_a_transaction_is_an_error(cast: Cast) -> None:
    with pytest.raises(transaction.TransactionManagementError):
        wait_for_lock("sorting", cast.acme.workspace.id)
