"""The cast in front of the console's pages."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from tests.pages import Visitor
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role


@pytest.fixture
def viewer(cast: Cast) -> Visitor:
    """Bob again, once he may only look."""
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    return Visitor.of(cast.bob, cast.acme.workspace)
