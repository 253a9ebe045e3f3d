"""A program that connects by a person's signing in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.cast import Cast
from tests.unsafe_roles import SERVING, serving_role_apart
from tests.workspaces.oauth import Desk


@pytest.fixture
def desk(cast: Cast) -> Desk:
    """A program of Alice's."""
    return Desk.of(cast.alice)


@pytest.fixture
def alterable_role(transactional_db: None, settings: Any) -> Iterator[None]:
    """A serving role of this test, which may be altered while other tests serve as theirs."""
    with serving_role_apart() as url:
        settings.SERVING_URL = url
        settings.SERVING_ROLE = SERVING
        yield
