"""A program that connects by a person's signing in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.stores import redis
from tests.cast import Cast
from tests.workspaces.oauth import Desk


@pytest.fixture
def few_registrations() -> Iterator[None]:
    """Nobody has registered from here before."""
    key = redis.registration_key("127.0.0.1")
    redis.delete(key)
    yield
    redis.delete(key)


@pytest.fixture
def desk(cast: Cast, few_registrations: None) -> Desk:
    """A program of Alice's."""
    return Desk.of(cast.alice)
