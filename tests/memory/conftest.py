"""The cast in front of the console's pages, and a workspace whose memory is on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cast import Cast
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, model_server
from tests.pages import Visitor
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role


@pytest.fixture
def viewer(cast: Cast) -> Visitor:
    """Bob again, once he may only look."""
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def memory_on(cast: Cast) -> None:
    """Acme's memory is on."""
    cast.acme.rest().post("memory/enable")


@pytest.fixture
def server(cast: Cast) -> Iterator[ModelServer]:
    """A model of Acme's."""
    with model_server() as running:
        choose(cast.acme, running)
        yield running
