"""A client for REST of the product that is running, with a key of its own."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from workspaces.access.callers import Caller, Right
from workspaces.keys.services import create_key

# A line for every call would bury the table, and takes time itself.
logging.getLogger("httpx").setLevel(logging.WARNING)

HOME = Path(os.environ.get("WSM_HOME", "var"))


@contextmanager
def rest_as(caller: Caller) -> Iterator[httpx.Client]:
    """REST of the product that is running, with a key that may read and write."""
    demo = json.loads((HOME / "demo.json").read_text())
    secret = create_key(caller=caller, name="bench", scopes=[Right.READ, Right.WRITE]).secret
    base = f"{demo['url']}/v1/workspaces/{caller.workspace_id}/"
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {secret}"}, timeout=600) as rest:
        rest.get("memories", params={"limit": 1}).raise_for_status()
        yield rest
