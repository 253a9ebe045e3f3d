"""A home for servers in a temporary folder, untouched by the servers that the tests themselves run against."""

from pathlib import Path

import pytest

from embedded import Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    for variable in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "GRAPH_URL", "GRAPH_HEAP", "WSM_HOME"):
        monkeypatch.delenv(variable, raising=False)
    home = Home(tmp_path / "home")
    home.prepare()
    return home
