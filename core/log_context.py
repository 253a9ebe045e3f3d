"""Which call or task a log line belongs to: set where the call or task begins, read when a line is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_label: ContextVar[str] = ContextVar("log_label", default="")


def log_label() -> str:
    """Return `request_id=…` or `task_id=…` of what runs here; empty outside of calls and tasks."""
    return _label.get()


def label_request(request_id: str) -> None:
    """Label the log lines of the call that the current asyncio task answers, also those of threads that it starts."""
    _label.set(f"request_id={request_id}")


@contextmanager
def label_task(task_id: str) -> Iterator[None]:
    """Label the log lines of a background task."""
    token = _label.set(f"task_id={task_id}")
    try:
        yield
    finally:
        _label.reset(token)
