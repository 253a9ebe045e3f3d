"""A second connection is used where one is to spare, and never waited for."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction

from core.db.base import pool_shares
from core.db.connection_shares import Borrower, ConnectionShares, borrowing
from core.db.spare_connection import read_on_spare_connection
from tests.serving import as_serving_role, close_pool

A = Borrower("a")


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


@contextmanager
def pooled(**more: Any) -> Iterator[dict[str, Any]]:
    pool = {"min_size": 1, "max_size": 8, "timeout": 2, **more}
    try:
        with as_serving_role(pool=pool):
            yield pool
    finally:
        close_pool(pool)


def test_the_last_quarter_is_never_to_spare() -> None:
    shares = ConnectionShares(8)
    for holder in "abcdef":
        shares.take(Borrower(holder), timeout=0)

    assert not shares.take_spare(A), "Six of eight are lent: two are for those that have none."
    shares.give_back(Borrower("f"))
    assert shares.take_spare(A)
    assert not shares.take_spare(A)


def test_a_holder_has_half_with_what_is_spare() -> None:
    shares = ConnectionShares(8)
    assert [shares.take_spare(A) for _ in range(5)] == [True, True, True, True, False]
    slow = ConnectionShares(8)
    assert [slow.take_spare(Borrower("a", is_slow=True)) for _ in range(3)] == [True, True, False]


@pytest.mark.django_db(transaction=True)
def test_the_work_has_a_connection_of_its_own_which_it_gives_back() -> None:
    with pooled(), borrowing(A):
        mine = backend()
        for _ in range(20):  # more than there are, so that each must have been given back
            ahead = read_on_spare_connection(backend)
            assert ahead is not None
            assert ahead.result(timeout=10) != mine
        shares = pool_shares(connection.pool)  # type: ignore[attr-defined]  # of Django's PostgreSQL wrapper
        assert [shares.take_spare(A) for _ in range(4)] == [True, True, True, False], "This thread has one of four."


@pytest.mark.django_db(transaction=True)
def test_work_that_fails_gives_its_connection_back() -> None:
    def fail() -> None:
        backend()
        raise LookupError

    with pooled(), borrowing(A):
        for _ in range(10):
            ahead = read_on_spare_connection(fail)
            assert ahead is not None
            with pytest.raises(LookupError):
                ahead.result(timeout=10)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_started_where_it_could_not_see_or_would_wait() -> None:
    assert read_on_spare_connection(backend) is None, "no pool"
    with pooled():
        assert read_on_spare_connection(backend) is None, "no request"
        with borrowing(A), transaction.atomic():
            assert read_on_spare_connection(backend) is None, "what this transaction has written would not be seen"
    with pooled(max_size=1), borrowing(A):
        connection.ensure_connection()
        assert read_on_spare_connection(backend) is None, "the only one is taken"


@pytest.mark.django_db(transaction=True)
def test_calls_that_all_want_a_second_one_never_wait_for_each_other() -> None:
    """Four requests at once, of a pool of which two connections are to spare: two read one after the other."""
    together = Barrier(4)
    with pooled(timeout=5) as pool:

        def request(number: int) -> bool:
            with as_serving_role(pool=pool), borrowing(Borrower("ab"[number % 2])):
                connection.ensure_connection()
                together.wait(timeout=20)
                ahead = read_on_spare_connection(backend)
                together.wait(timeout=20)
                assert ahead is None or ahead.result(timeout=20)
                return ahead is not None

        with ThreadPoolExecutor(4) as clients:
            answers = list(clients.map(request, range(4), timeout=60))
    assert sorted(answers) == [False, False, True, True]
