"""Taking a server away for a while: really, where it is an embedded one of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from core.stores.graph import graph
from embedded import control
from embedded.home import Home

# Port 1 is never listened on: what a client sees of a server that somebody else runs and that is gone.
NOBODY = {"graph": ("GRAPH_URL", "bolt://127.0.0.1:1/graph"), "valkey": ("REDIS_URL", "redis://127.0.0.1:1/0")}


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
        graph.cache_clear()  # Redis' clients are cached by address
        yield
    finally:
        setattr(changed, setting, was)
        graph.cache_clear()
