"""What a REST call amounts to as an action: as its view declares it, under the name of its route. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.action_types import ActionTypes

PREFIX = "v1/workspaces/<str:ws>/"
READING = frozenset({"GET", "HEAD", "OPTIONS"})
# A request may name any other word as its method, and no word of a request is kept.
METHODS = READING | {"POST", "PUT", "PATCH", "DELETE"}
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True, slots=True)
class ClassifiedCall:
    """A route in the terms of telemetry; `searches` where an empty list of results is a dead end."""

    action_type: str
    tool: str
    node_type: str
    searches: bool
    opens_nodes: bool = False


@lru_cache(maxsize=1_024)
def classify_call(method: str, route: str, view: Any) -> ClassifiedCall | None:
    """Return the call behind a method and a route as the URL table writes it; None for what is not captured."""
    types: ActionTypes | None = getattr(view, "action_types", None)
    if method not in METHODS or types is None or not route.startswith(PREFIX):
        return None
    path = _PARAMETER.sub(r"{\1}", route.removeprefix(PREFIX))
    action_type = types.reading if method in READING else types.writing
    return ClassifiedCall(action_type, f"{method} {path}", types.node_type, types.is_search, types.opens_nodes)
