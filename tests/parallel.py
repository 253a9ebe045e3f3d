"""A pytest plugin: tests that run beside each other have databases of their own, in Redis as in PostgreSQL.

Loaded by `-p`, before pytest-django reads the settings.
"""

from __future__ import annotations

import os
import re

import pytest

if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    number = int(worker.removeprefix("gw")) + 1
    os.environ["REDIS_URL"] = re.sub(r"/\d*$", f"/{number}", os.environ.get("REDIS_URL", ""))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow tests first: begun last, each would run alone while the other workers have nothing left to do."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
