"""Admission control: a limit to the requests that wait for or have one of a group of threads; more are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Lock
from typing import Any

from core.errors import OverloadedError

Wsgi = Callable[..., Any]
# Where the dispatcher leaves the body, a binary file, in the ASGI scope.
BODY = "workspace-memory.body"


class Admission:
    """A counter of admitted requests, used by the event loop and by the threads that answer."""

    def __init__(self, max_requests: int) -> None:
        self._max_requests = max_requests
        self._admitted = 0
        self._lock = Lock()

    def admit(self) -> None:
        """Count a request in. Raises OverloadedError when the limit is reached."""
        with self._lock:
            if self._admitted >= self._max_requests:
                raise OverloadedError()
            self._admitted += 1

    def release(self) -> None:
        """Count a request out."""
        with self._lock:
            self._admitted -= 1

    @contextmanager
    def hold_place(self) -> Iterator[None]:
        """Count a request in, and out at the end. Raises OverloadedError when the limit is reached."""
        self.admit()
        try:
            yield
        finally:
            self.release()

    def releasing(self, application: Wsgi) -> Wsgi:
        """Return the WSGI application, which reads the body from the scope and counts the request out at its end.

        The end is that of the thread's work: how slowly a client reads the answer does not count.
        """

        def answer(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
            try:
                environ["wsgi.input"] = environ["asgi.scope"][BODY]
                with closing(application(environ, start_response)) as pieces:
                    yield from pieces
            finally:
                self.release()

        return answer
