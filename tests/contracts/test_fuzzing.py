"""Requests that schemathesis makes out of the OpenAPI document, against a running server: no answer breaks it.

A few of each operation; `make fuzz-api` makes thousands.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connections

from bench.fuzz import cases_in, fuzz
from core.env import DatabaseAddress
from tests.cast import Cast


@pytest.fixture
def _as_the_serving_role(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Threads of the live server, which open connections of their own, get those of the product."""
    role = DatabaseAddress.parse(settings.SERVING_URL, variable="DATABASE_URL")
    serving = {**connections.settings["default"], "USER": role.user, "PASSWORD": role.password}
    monkeypatch.setitem(connections.settings, "default", serving)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_as_the_serving_role")
def test_no_request_gets_an_answer_that_is_not_in_the_document(live_server: Any, cast: Cast) -> None:
    done = fuzz(
        url=live_server.url,
        workspace=str(cast.acme.workspace.id),
        key=cast.acme.secret,
        phases="fuzzing",
        examples=1,
        seconds=500,
    )

    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-1_000:]
    assert cases_in(done.stdout) > 300
