"""A pytest plugin: tests that run beside each other have databases of their own, in Redis as in PostgreSQL.

Loaded by `-p`, before pytest-django reads the settings.
"""

from __future__ import annotations

import os
import re

if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    number = int(worker.removeprefix("gw")) + 1
    os.environ["REDIS_URL"] = re.sub(r"/\d*$", f"/{number}", os.environ.get("REDIS_URL", ""))
