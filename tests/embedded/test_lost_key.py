"""A home whose secret_key is gone: it is replaced only where nothing in the database needs it."""

from __future__ import annotations

import psycopg
import pytest

from embedded import Home, LaunchError, Services
from embedded.launcher.product import Product
from tests.embedded.programs import Said

pytestmark = pytest.mark.slow

PROVIDER = """
    INSERT INTO app.model_providers
        (id, workspace_id, name, kind, base_url, encrypted_key, key_hint, timeout_seconds, created_at, updated_at)
    SELECT gen_random_uuid(), id, 'Tea', 'openai', '', 'under-the-key-that-is-gone', '', 60, now(), now()
      FROM org.workspaces LIMIT 1
"""


@pytest.fixture
def used(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home that was started before."""
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with Product.start(home=home, port=home.port("web"), say=Said()):
        pass
    assert home.secret_key.exists()
    return home


def as_superuser(home: Home, statement: str) -> None:
    with Services.start(home, say=Said()) as services:
        assert services.postgres is not None
        with psycopg.connect(
            services.postgres.url.replace("wsm_app", "postgres", 1).replace(
                home.secret("wsm_app_password"), services.postgres.password
            )
        ) as connection:
            connection.execute(statement.encode())


def test_a_lost_key_is_replaced_only_while_nothing_needs_it(used: Home) -> None:
    key = used.secret_key.read_text()
    used.secret_key.unlink()
    with Product.start(home=used, port=used.port("web"), say=Said()):
        assert used.secret_key.read_text() != key

    as_superuser(used, PROVIDER)
    used.secret_key.unlink()
    refused = r"1 model provider keys cannot be read: put the earlier key back .* To go on without it, rename"
    with pytest.raises(LaunchError, match=refused), Product.start(home=used, port=used.port("web"), say=Said()):
        pass
    assert not used.secret_key.exists()
