"""What both clients share: requests as values, when to ask again, what an answer means. Pure."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit
from uuid import uuid4

import httpx

from workspace_memory.errors import NoAnswerError, UnexpectedAnswerError, WorkspaceMemoryError, api_error
from workspace_memory.spaces import STAMP, SUB_AGENT, Spaces, stamp

VERSION = "0.1.0"
SECONDS = 30.0
ADDRESS, KEY, WORKSPACE = "WSM_URL", "WSM_KEY", "WSM_WORKSPACE"
# What begins a path that is about the workspace itself, and not about memory.
OF_THE_WORKSPACE = frozenset({"api-keys", "members", "memory", "models", "prompt-runs", "settings", "spaces"})
NOWHERE = Spaces()


@dataclass(frozen=True, slots=True)
class Request:
    """One call: a path below the workspace's address, or an absolute one that begins with a slash.

    Its body is JSON, or `lines` of JSON as they are. `seconds` is how long an attempt may take, where that is longer
    than the client's own time.
    """

    method: str
    path: str
    body: Any = None
    query: Mapping[str, str] = field(default_factory=dict)
    lines: bytes | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Retries:
    """How often to ask again after a lost connection, a 429, a 5xx or while the first attempt is still at work, and how
    long to wait before.

    Pauses double from `first_pause` (seconds) up to `longest_pause`; each is multiplied by a random number from 0.5 to
    1, so that many agents do not come back at once. A `Retry-After` of the server, up to a minute, is obeyed.
    """

    most: int = 3
    first_pause: float = 0.25
    longest_pause: float = 8.0

    def pause(self, *, asked: int, outcome: httpx.Response | NoAnswerError, jitter: float) -> float | None:
        """Seconds until the next attempt after `asked` of them; None where this outcome is the answer.

        `jitter` is a random number from 0 to 1.
        """
        if asked > self.most:
            return None
        backoff = self.backoff(asked, jitter=jitter)
        if isinstance(outcome, NoAnswerError):
            return backoff
        if outcome.status_code == 429 or outcome.status_code >= 500 or _is_at_work(outcome):
            return max(backoff, _retry_after(outcome))
        return None

    def backoff(self, asked: int, *, jitter: float) -> float:
        """Seconds to wait after `asked` attempts that failed. `jitter` is a random number from 0 to 1."""
        return min(self.first_pause * 2.0 ** (asked - 1), self.longest_pause) * (0.5 + jitter / 2)


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server is and who is asking. Never printed with the key."""

    url: str
    key: str = field(repr=False)
    workspace: str | None = None
    stamped: bool = False

    @classmethod
    def given(cls, *, url: str | None, key: str | None, workspace: str | None, stamped: bool = False) -> Address:
        """What was given, else what WSM_URL, WSM_KEY and WSM_WORKSPACE say. Raises WorkspaceMemoryError."""
        url = url or os.environ.get(ADDRESS) or ""
        key = key or os.environ.get(KEY) or ""
        if not _is_address(url):
            raise WorkspaceMemoryError(
                f"The address must be one like http://127.0.0.1:8000, without a password; give it, or set {ADDRESS}."
            )
        if not key.strip():
            raise WorkspaceMemoryError(f"An API key of the workspace is needed; give it, or set {KEY}.")
        if not key.isascii() or not key.isprintable():
            raise WorkspaceMemoryError(
                f"The API key holds characters that no key has: put in the whole key, or set {KEY}."
            )
        return cls(url.rstrip("/"), key.strip(), workspace or os.environ.get(WORKSPACE) or None, stamped)

    def headers_of(self, spaces: Spaces) -> dict[str, str]:
        """The headers that say who calls: the mark of a sub-agent, and with a stamped key, at this minute, the user."""
        headers = {SUB_AGENT: "true"} if spaces.is_sub_agent else {}
        if self.stamped and spaces.user is not None:
            headers[STAMP] = stamp(key=self.key, user=spaces.user)
        return headers

    def message(self, request: Request, *, workspace: str = "", spaces: Spaces = NOWHERE) -> dict[str, Any]:
        """The HTTP message of a request. A POST carries one key for all its attempts, so that it counts once.

        It names the spaces, in its query string or in the JSON of its body. Raises WorkspaceMemoryError for a body that
        names others.
        """
        request = _naming(request, spaces)
        path = request.path if request.path.startswith("/") else f"/v1/workspaces/{quoted(workspace)}/{request.path}"
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Accept": "application/json",
            "User-Agent": f"workspace-memory/{VERSION}",
            **self.headers_of(spaces),
        }
        if request.method == "POST":
            headers["Idempotency-Key"] = str(uuid4())
        message: dict[str, Any] = {"method": request.method, "url": self.url + path, "headers": headers}
        if request.query:
            message["params"] = dict(request.query)
        if request.lines is not None:
            headers["Content-Type"] = "application/x-ndjson"
            message["content"] = request.lines
        elif request.method != "GET":
            headers["Content-Type"] = "application/json"
            message["content"] = json.dumps({} if request.body is None else request.body, allow_nan=False)
        return message


def _naming(request: Request, spaces: Spaces) -> Request:
    """The request with what it says of the spaces; absolute paths and the settings are of the whole workspace."""
    if request.path.startswith("/") or request.path.partition("/")[0] in OF_THE_WORKSPACE:
        return request
    said = spaces.fields(method=request.method, path=request.path)
    has_body = request.method not in {"GET", "DELETE"} or request.body is not None
    if request.lines is not None or not has_body or _has_own_space(request.path):
        return replace(request, query={**request.query, **asked(**said)})
    own = {} if request.body is None else request.body
    for name, value in said.items():
        if own.get(name) not in (None, "", value):
            raise WorkspaceMemoryError(f"This client is for the {name} {value!r}, and the call names {own[name]!r}.")
    return replace(request, body={**own, **said})


def _has_own_space(path: str) -> bool:
    """Whether the body's `space` is the one that a memory is offered to, so that the query string names the call's."""
    return path.startswith("memories/") and path.endswith("/propose")


def answer_of(outcome: httpx.Response | NoAnswerError) -> Any:
    """The JSON of an answer, None for an empty one. Raises the ApiError of a refusal, or what went wrong instead."""
    if isinstance(outcome, NoAnswerError):
        raise outcome
    value = _json(outcome)
    if outcome.status_code >= 400:
        raise api_error(outcome.status_code, value)
    if outcome.status_code >= 300 or (value is None and outcome.content):
        raise UnexpectedAnswerError(
            f"{outcome.request.url.host} answered {outcome.status_code} without JSON: is it a Workspace Memory server?"
        )
    return value


def given(**fields: Any) -> dict[str, Any]:
    """The fields of a body that were given at all."""
    return {name: value for name, value in fields.items() if value is not None}


def asked(**fields: Any) -> dict[str, str]:
    """A query string of what was given: lists with commas, flags in lower case."""
    return {name: _parameter(value) for name, value in fields.items() if value is not None}


def body_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields in JSON: times as RFC 3339, sequences as lists."""
    return {name: _value(value) for name, value in fields.items()}


def json_lines(items: Iterable[Mapping[str, Any]]) -> bytes:
    """Things as JSON Lines, one below the other."""
    return b"".join(json.dumps(body_of(one), allow_nan=False).encode() + b"\n" for one in items)


def quoted(part: str) -> str:
    """A name as one part of an address; dots as well, or `..` would lead elsewhere. Raises WorkspaceMemoryError."""
    try:
        return quote(part, safe="").replace(".", "%2E")
    except UnicodeEncodeError as error:
        raise WorkspaceMemoryError("A name holds characters that are not text.") from error


def next_query(page: Mapping[str, Any]) -> dict[str, str] | None:
    """The query of the next page. Only that: the host of a link may be one that only the server knows."""
    link = page.get("next")
    return dict(parse_qsl(urlsplit(str(link)).query)) if link else None


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("Times need a time zone, such as datetime.now(UTC).")
        return value.isoformat()
    return list(value) if isinstance(value, tuple | set | frozenset) else value


def _is_address(url: str) -> bool:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        return False
    return parsed.scheme in {"http", "https"} and bool(parsed.host) and not parsed.userinfo


def _is_at_work(response: httpx.Response) -> bool:
    """Whether an attempt that we gave up waiting for holds the key of this call."""
    problem = _json(response) if response.status_code == 409 else None
    return isinstance(problem, dict) and problem.get("code") == "idempotency_in_progress"


def _parameter(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(map(_parameter, value))
    return str(value)


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


def _retry_after(response: httpx.Response) -> float:
    seconds = response.headers.get("Retry-After", "")
    return min(float(seconds), 60.0) if seconds.isdecimal() else 0.0
