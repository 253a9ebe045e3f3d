"""The mark of pages whose answer may take long; a view of REST declares `waits`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def waits(page: Callable[P, R]) -> Callable[P, R]:
    """Say that an answer may take as long as a model does; it gets a thread from those for slow ones."""

    @wraps(page)
    def answer(*args: P.args, **kwargs: P.kwargs) -> R:
        return page(*args, **kwargs)

    answer.waits = True  # type: ignore[attr-defined]  # read off the URL table
    return answer
