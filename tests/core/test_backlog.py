"""Backlogs: two workers begin at both ends, a third finds nothing to do, and nobody goes on for ever."""

from __future__ import annotations

from uuid import uuid4

import pytest

from core.stores import claims as backlog
from core.stores import redis
from core.stores.claims import WHOLE, choose_turn
from core.stores.redis import RedisUnavailableError


@pytest.mark.heavy
def test_two_workers_begin_at_both_ends_and_a_third_at_none() -> None:
    workspace = uuid4()

    with (
        choose_turn("vectors", workspace) as first,
        choose_turn("vectors", workspace) as second,
        choose_turn("vectors", workspace) as third,
        choose_turn("vectors", uuid4()) as elsewhere,
    ):
        assert [turn and turn.order for turn in (first, second, third, elsewhere)] == ["id", "-id", None, "id"]

    with choose_turn("vectors", workspace) as later:
        assert later is not None
        assert later.order == "id"


@pytest.mark.heavy
def test_a_turn_that_fails_is_given_back() -> None:
    workspace = uuid4()

    with pytest.raises(ZeroDivisionError), choose_turn("vectors", workspace):
        1 / 0  # noqa: B018

    with choose_turn("vectors", workspace) as later:
        assert later is not None
        assert later.order == "id"


@pytest.mark.heavy
def test_a_turn_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "TURN_SECONDS", -1.0)

    with choose_turn("vectors", uuid4()) as turn:
        assert turn is not None
        assert turn.is_over
    assert not WHOLE.is_over


def test_without_redis_everybody_begins_with_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent() -> None:
        raise RedisUnavailableError

    monkeypatch.setattr(redis, "client", silent)
    workspace = uuid4()

    with choose_turn("vectors", workspace) as first, choose_turn("vectors", workspace) as second:
        assert [turn and turn.order for turn in (first, second)] == ["id", "id"]
