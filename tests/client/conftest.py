"""What tests of the SDK share: every backend of slots in turn, and the role that a live server serves with."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connections

from core.env import DatabaseAddress
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


@pytest.fixture
def _as_the_serving_role(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Threads of the live server, which open connections of their own, get those of the product."""
    role = DatabaseAddress.parse(settings.SERVING_URL, variable="DATABASE_URL")
    serving = {**connections.settings["default"], "USER": role.user, "PASSWORD": role.password}
    monkeypatch.setitem(connections.settings, "default", serving)
