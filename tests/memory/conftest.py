"""The cast in front of the console's pages."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from tests.pages import Visitor
from workspaces.accounts.services.workspaces import add_member
from workspaces.models import Role


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    """Bob, a member of Acme."""
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    """Alice, Acme's owner."""
    return Visitor.of(cast.alice, cast.acme.workspace)


@pytest.fixture
def viewer(cast: Cast) -> Visitor:
    """Bob again, once he may only look."""
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def outsider(cast: Cast) -> Visitor:
    """Charlie, who knows Acme's addresses and is no member."""
    return Visitor.of(cast.charlie, cast.acme.workspace)
