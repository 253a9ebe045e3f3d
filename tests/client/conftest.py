"""What tests of slots share: every backend in turn."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from tests.client.wiring import memory_of
from workspace_memory import Backend, InMemory


# pytest-django has to see the mark before the parameter asks for the server.
@pytest.fixture(params=["in memory", pytest.param("on the server", marks=pytest.mark.django_db)])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Every backend in turn."""
    if request.param == "in memory":
        return InMemory(tenant="acme")
    cast: Cast = request.getfixturevalue("cast")
    return memory_of(cast.acme).slots
