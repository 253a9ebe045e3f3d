"""The SDK connected to the product in the same thread, so that both see one transaction."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import time_machine
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from config.wsgi import application
from core.stores import redis
from tests.cast import Household
from workspace_memory import AsyncMemory, Memory, Retries

URL = "http://127.0.0.1"
IMPATIENT = Retries(most=2, first_pause=0.001, longest_pause=0.002)


class Here(httpx.BaseTransport):
    """Answers in the thread that asks, where the test's transaction is."""

    def __init__(self) -> None:
        self._wsgi = httpx.WSGITransport(app=application)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with _connections_kept():
            answer = self._wsgi.handle_request(request)
            return httpx.Response(answer.status_code, headers=answer.headers, content=answer.read())


class AsyncHere(httpx.AsyncBaseTransport):
    """The same to be awaited."""

    def __init__(self) -> None:
        self._here = Here()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        content = await request.aread()
        return self._here.handle_request(
            httpx.Request(request.method, request.url, headers=request.headers, content=content)
        )


class Script(httpx.BaseTransport):
    """Plays a list of answers and errors, and keeps what was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self._answers = list(answers)
        self.asked: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def memory_of(household: Household, **options: Any) -> Memory:
    """The blocking client of a household's agent."""
    return memory_with(household.secret, **options)


def memory_with(secret: str, **options: Any) -> Memory:
    """The blocking client with a certain key."""
    return Memory(URL, secret, http=Here(), retries=IMPATIENT, **options)


def async_memory_of(household: Household, **options: Any) -> AsyncMemory:
    """The client to be awaited."""
    return AsyncMemory(URL, household.secret, http=AsyncHere(), retries=IMPATIENT, **options)


def finished(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine that never has to wait. In an event loop Django would open a connection of its own."""
    with suppress(StopIteration):
        work.send(None)
        raise AssertionError("It waited for something.")


def after(*, seconds: int, then: Callable[[], None]) -> None:
    """Travel; Redis has a clock of its own, so that its slots get less time."""
    server = redis.client()
    for key in server.scan_iter("oxa:ws:*"):
        server.expire(key, server.ttl(key) - seconds)
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=seconds)):
        then()


@contextmanager
def _connections_kept() -> Iterator[None]:
    """A request usually begins and ends by closing connections; this one would close the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)
