"""Sending requests: one connection pool, the retries, and the workspace of the key."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ValidationError
from typing_extensions import Self

from workspace_memory.errors import NoAnswerError, UnexpectedAnswerError, WorkspaceNotNamedError
from workspace_memory.models import Found, Page, Workspace
from workspace_memory.spaces import Spaces
from workspace_memory.wire import Address, Request, Retries, answer_of, next_query

M = TypeVar("M", bound=BaseModel)
# Seconds in which an export begins, or an import of one request is done.
PATIENCE = 600.0
# Seconds without a word of a stream of events, which has a heartbeat every 15.
SILENCE = 45.0
EVENT_STREAM = "text/event-stream"


@dataclass(slots=True)
class _Workspace:
    """The workspace of the key, which all clients with the same connections look up once."""

    id: str | None


class Transport:
    """One client's way to its server."""

    def __init__(self, address: Address, *, seconds: float, retries: Retries, http: httpx.BaseTransport | None) -> None:
        self.address = address
        self.spaces = Spaces()
        self._workspace = _Workspace(address.workspace)
        self._is_borrowed = False
        self.retries = retries
        self._http = httpx.Client(timeout=seconds, transport=http)

    def naming(self, spaces: Spaces) -> Self:
        """The same way, with the same connections, for calls that name these spaces."""
        other = copy(self)
        other.spaces, other._is_borrowed = spaces, True
        return other

    def send(self, method: str, path: str, body: Any = None, query: dict[str, str] | None = None) -> Any:
        """The JSON of the answer. Raises ApiError for a refusal, NoAnswerError, UnexpectedAnswerError."""
        return self.send_request(Request(method, path, body, query or {}))

    def send_request(self, request: Request) -> Any:
        """The same for a request as a value."""
        outcome, _ = self._outcome(request)
        return answer_of(outcome)

    def remove(self, path: str, query: dict[str, str] | None = None) -> None:
        """Delete what is not there afterwards. What an attempt without an answer may have deleted counts as done."""
        outcome, is_repeated = self._outcome(Request("DELETE", path, query=query or {}))
        if not (is_repeated and isinstance(outcome, httpx.Response) and outcome.status_code == 404):
            answer_of(outcome)

    def send_lines(self, method: str, path: str, lines: bytes, query: dict[str, str] | None = None) -> Any:
        """The same for a body of JSON Lines."""
        return self.send_request(Request(method, path, query=query or {}, lines=lines, seconds=PATIENCE))

    def stream(self, path: str) -> Iterator[bytes]:
        """A long answer, piece by piece. Raises ApiError for a refusal, NoAnswerError when it breaks off."""
        request = Request("GET", path)
        message = self.address.message(request, workspace=self.workspace(), spaces=self.spaces)
        try:
            with self._http.stream(**message, timeout=PATIENCE) as response:
                if response.status_code >= 300:
                    response.read()
                    answer_of(response)
                for piece in response.iter_bytes():
                    yield piece
        except httpx.RequestError as error:
            raise NoAnswerError(f"{self.address.url} broke off ({type(error).__name__}).") from error

    def stream_lines(self, request: Request, *, after: str = "") -> Iterator[str]:
        """The lines of a stream of events behind an id, as they come. Raises as `stream` does."""
        message = self.address.message(request, workspace=self.workspace(), spaces=self.spaces)
        message["headers"] |= {"Accept": EVENT_STREAM, **({"Last-Event-ID": after} if after else {})}
        try:
            with self._http.stream(**message, timeout=httpx.Timeout(request.seconds or SILENCE)) as response:
                if response.status_code >= 300:
                    response.read()
                    answer_of(response)
                for line in response.iter_lines():
                    yield line
        except httpx.RequestError as error:
            raise NoAnswerError(f"{self.address.url} broke off ({type(error).__name__}).") from error

    def _outcome(self, request: Request) -> tuple[httpx.Response | NoAnswerError, bool]:
        """What came of a request in the end, and whether an attempt before that one had no answer of its own."""
        workspace = "" if request.path.startswith("/") else self.workspace()
        message = self.address.message(request, workspace=workspace, spaces=self.spaces)
        if request.seconds is not None:
            message["timeout"] = request.seconds
        is_repeated = False
        for asked in count(1):
            outcome = self._attempt(message)
            pause = self.retries.pause(asked=asked, outcome=outcome, jitter=random.random())  # noqa: S311  # no secret
            if pause is None:
                break
            is_repeated = is_repeated or isinstance(outcome, NoAnswerError) or outcome.status_code >= 500
            time.sleep(pause)
            message["headers"] |= self.address.headers_of(self.spaces)  # the old one may be of a minute that is over
        return outcome, is_repeated

    def ask(self, model: type[M], method: str, path: str, body: Any = None, query: dict[str, str] | None = None) -> M:
        """The answer as a model."""
        return read(model, self.send(method, path, body, query))

    def each(self, model: type[M], path: str, query: dict[str, str], limit: int | None) -> Iterator[M]:
        """The items of a list, page by page, up to `limit` of them."""
        left: dict[str, str] | None = {**query, "limit": str(min(limit or 200, 200))}
        given = 0
        while left is not None:
            page = read_page(model, self.send("GET", path, query=left))
            for item in page.results:
                if limit is not None and given >= limit:
                    return
                given += 1
                yield item
            left = page.next

    def workspace(self) -> str:
        """The id of the workspace: the one that was given, else the only one of the key."""
        if self._workspace.id is None:
            found = read_page(Workspace, self.send("GET", "/v1/workspaces")).results
            if len(found) != 1:
                raise WorkspaceNotNamedError(f"The key opens {len(found)} workspaces; name one by its id.")
            self._workspace.id = found[0].id
        return self._workspace.id

    def opens_workspace(self) -> bool:
        """Whether the key opens the workspace: a 404 is then about something in it."""
        found = read_page(Workspace, self.send("GET", "/v1/workspaces")).results
        return self.workspace() in {workspace.id for workspace in found}

    def close(self) -> None:
        """Let the connections go, unless they are those of the client that this one was made from."""
        if not self._is_borrowed:
            self._http.close()

    def _attempt(self, message: dict[str, Any]) -> httpx.Response | NoAnswerError:
        try:
            return self._http.request(**message)
        except httpx.RequestError as error:
            refused = NoAnswerError(
                f"{self.address.url} does not answer ({type(error).__name__}). Is the server running?"
            )
            refused.__cause__ = error
            return refused


def read(model: type[M], value: Any) -> M:
    """An answer as a model. Raises UnexpectedAnswerError for one of another shape."""
    return _understood(model.__name__, lambda: model.model_validate(value))


def read_page(model: type[M], value: Any) -> Page[M]:
    """A list's page as models. Raises UnexpectedAnswerError."""

    def page() -> Page[M]:
        return Page(tuple(model.model_validate(item) for item in value["results"]), next_query(value))

    return _understood(f"list of {model.__name__}", page)


def read_each(model: type[M], value: Any, *, under: str = "results") -> list[M]:
    """A list that is complete in one answer, as models. Raises UnexpectedAnswerError."""
    return _understood(f"list of {model.__name__}", lambda: [model.model_validate(item) for item in value[under]])


def read_found(model: type[M], value: Any) -> Found[M]:
    """What a search found, as models. Raises UnexpectedAnswerError."""
    hits = read_each(model, value)
    return _understood("search", lambda: Found(tuple(hits), value["method"], value["latency_ms"]))


R = TypeVar("R")


def _understood(what: str, reading: Callable[[], R]) -> R:
    try:
        return reading()
    except (ValidationError, KeyError, TypeError) as error:
        raise UnexpectedAnswerError(f"The server's answer is no {what}; is it a newer server?") from error
