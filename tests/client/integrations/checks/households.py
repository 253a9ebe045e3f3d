"""The keys of two workspaces, and waiting for a coroutine."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from typing import Any, TypeVar

from workspace_memory import Memory

Answer = TypeVar("Answer")


def outsider() -> Memory:
    """Return the client of a workspace that has nothing to do with the other one."""
    return Memory(os.environ["WSM_URL"], os.environ["OTHER_KEY"])


def wait_for(work: Coroutine[Any, Any, Answer]) -> Answer:
    """Return what a coroutine returns."""
    with asyncio.Runner() as runner:
        return runner.run(work)
