"""A program that connects by a person's signing in."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from tests.workspaces.oauth import Desk


@pytest.fixture
def desk(cast: Cast) -> Desk:
    """A program of Alice's."""
    return Desk.of(cast.alice)
