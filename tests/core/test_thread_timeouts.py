"""Work in another thread: how long it is waited for, and what work that hangs does to other work."""

from __future__ import annotations

from threading import Event

import pytest

from core.thread_timeouts import THREADS, DeadlineError, run_with_timeout


def test_work_is_waited_for_no_longer_than_its_deadline() -> None:
    ending = Event()
    try:
        with pytest.raises(DeadlineError, match=r"0\.05 s"):
            run_with_timeout(0.05, ending.wait, pool="slow")
    finally:
        ending.set()

    assert run_with_timeout(5, lambda: 7, pool="slow") == 7


def test_what_the_work_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        run_with_timeout(5, lambda: 1 // 0, pool="slow")


def test_work_that_hangs_leaves_the_threads_of_other_work() -> None:
    """A member can name a provider whose name nothing resolves; searches go on meanwhile."""
    ending = Event()
    try:
        for _ in range(THREADS):
            with pytest.raises(DeadlineError):
                run_with_timeout(0.01, ending.wait, pool="hanging")

        assert run_with_timeout(5, lambda: 7, pool="quick") == 7
    finally:
        ending.set()
