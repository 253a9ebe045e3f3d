"""A pytest plugin: tests that run beside each other have databases of their own, in Redis as in PostgreSQL.

Loaded by `-p`, before pytest-django reads the settings.
"""

from __future__ import annotations

import os
import re

import pytest

# What the processes of one worker (its Python, its sessions in PostgreSQL, a browser) have taken at most.
BYTES_OF_A_WORKER = 3 * 1024**3

if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    number = int(worker.removeprefix("gw")) + 1
    os.environ["REDIS_URL"] = re.sub(r"/\d*$", f"/{number}", os.environ.get("REDIS_URL", ""))


def pytest_xdist_auto_num_workers() -> int:
    """One more than processors, while memory lasts: half of its time, a worker waits for servers."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min((os.cpu_count() or 1) + 1, memory // BYTES_OF_A_WORKER))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow tests first: begun last, each would run alone while the other workers have nothing left to do."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
