"""A program that connects by a person's signing in, and the provider with which people do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.cast import Cast
from tests.unsafe_roles import SERVING, serving_role_apart
from tests.workspaces.oauth import Desk
from tests.workspaces.provider import DANA, OidcProvider, serve_provider
from workspaces.accounts.single_sign_on import provider as provider_calls


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


@pytest.fixture
def provider(db: None, settings: Any) -> Iterator[OidcProvider]:
    """The provider of an organisation, at which Dana signs in."""
    with serve_provider() as served:
        served.claims = dict(DANA)
        settings.OIDC = served.settings
        settings.PUBLIC_URL = "http://testserver"
        yield served
        provider_calls._metadata.clear()
