"""Taking a server away for a while: really, where it is an embedded one of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from core.stores.graph import graph
from core.stores.redis import get_client
from embedded import control
from embedded.home import Home

# Port 1 is never listened on: what a client sees of a server that somebody else runs and that is gone.
NOBODY = {"graph": ("GRAPH_URL", "bolt://127.0.0.1:1/graph"), "valkey": ("REDIS_URL", "redis://127.0.0.1:1/0")}
CACHED: dict[str, Callable[..., Any]] = {"graph": graph, "valkey": get_client}


@contextmanager
def without(name: str, changed: Any) -> Iterator[None]:
    """Kill a server; start it again at the end. `changed` is pytest's settings fixture, for servers not of ours."""
    home = Home(settings.HOME)
    if home.is_supervised() and home.record(name).exists():
        control.kill(home, name)
        try:
            yield
        finally:
            control.start(home, name)
        return
    setting, address = NOBODY[name]
    was = getattr(settings, setting)
    try:
        setattr(changed, setting, address)
        CACHED[name].cache_clear()  # type: ignore[attr-defined]  # both are functools.cache
        yield
    finally:
        setattr(changed, setting, was)
        CACHED[name].cache_clear()  # type: ignore[attr-defined]
