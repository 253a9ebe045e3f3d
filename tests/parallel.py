"""A pytest plugin: tests that run beside each other have databases of their own, in Redis as in PostgreSQL.

Loaded by `-p`, before pytest-django reads the settings.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    number = int(worker.removeprefix("gw")) + 1
    os.environ["REDIS_URL"] = re.sub(r"/\d*$", f"/{number}", os.environ.get("REDIS_URL", ""))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow tests first: begun last, each would run alone while the other workers have nothing left to do."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return ignores_file(collection_path, marks=config.option.markexpr)


def ignores_file(path: Path, *, marks: str) -> bool | None:
    """With `-m alone`, do not even import a file without such a test: importing all takes longer than some of them."""
    is_tests = path.suffix == ".py" and path.name.startswith("test_")
    return True if marks == "alone" and is_tests and "mark.alone" not in path.read_text() else None
