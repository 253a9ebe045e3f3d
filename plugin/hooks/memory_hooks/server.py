"""Calls of the server, over a connection that a deadline bounds."""

from __future__ import annotations

import http.client
import json
from urllib.parse import quote, urlsplit

from memory_hooks.settings import HookSettings
from memory_hooks.spool import Spool

MAX_ANSWER_BYTES = 4_000_000


class NoAnswerError(Exception):
    """The server was not reached, or what answered is not this product; the sentence says so."""


class Answer:
    """What the server said: the status, and the JSON of the body or None."""

    def __init__(self, status: int, body: object) -> None:
        self.status = status
        self.body = body

    @property
    def code(self) -> str:
        """The stable code of a refusal."""
        found = self.body.get("code") if isinstance(self.body, dict) else None
        return str(found or f"http_{self.status}")


class Server:
    """The server that the settings name. Calls raise NoAnswerError."""

    def __init__(self, settings: HookSettings, *, seconds: float) -> None:
        self._settings = settings
        self._seconds = seconds
        self._connection: http.client.HTTPConnection | None = None

    def call(self, method: str, path: str, body: object = None, *, repeat_key: str = "") -> Answer:
        """Send a request and return the answer. With `repeat_key` a request that is sent again counts once."""
        headers = {
            "Authorization": f"Bearer {self._settings.key}",
            "Accept": "application/json",
            "Content-Type": "application/json",
            "User-Agent": "workspace-memory-hooks",
            **({"Idempotency-Key": repeat_key} if repeat_key else {}),
        }
        content = None if body is None else json.dumps(body).encode()
        try:
            connection = self._connect()
            connection.request(method, path, content, headers)
            response = connection.getresponse()
            status, text = response.status, response.read(MAX_ANSWER_BYTES)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            raise NoAnswerError(f"{self._settings.url} does not answer ({type(error).__name__})") from error
        return Answer(status, _json(text))

    def workspace(self, spool: Spool) -> str:
        """Return the workspace that the key opens, which is looked up once. Raises NoAnswerError without one."""
        if self._settings.workspace:
            return self._settings.workspace
        address = f"{self._settings.url}\n{self._settings.key}"
        if known := spool.workspace(address):
            return known
        answer = self.call("GET", "/v1/workspaces")
        results = answer.body.get("results") if isinstance(answer.body, dict) else None
        if answer.status != 200 or not isinstance(results, list):
            raise RefusedError(answer)
        if len(results) != 1:
            raise NoAnswerError(f"The key opens {len(results)} workspaces: set WSM_WORKSPACE")
        workspace = str(results[0]["id"])
        spool.keep_workspace(address, workspace)
        return workspace

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def _connect(self) -> http.client.HTTPConnection:
        if self._connection is None:
            address = urlsplit(self._settings.url)
            kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
            self._connection = kind(address.hostname or "", address.port, timeout=self._seconds)
        return self._connection


class RefusedError(NoAnswerError):
    """The server refused a call that everything else depends on."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"The server refuses the key ({answer.code})" if answer.status in {401, 403} else answer.code)


def quoted(part: str) -> str:
    """Return a name as one part of an address."""
    return quote(part, safe="").replace(".", "%2E")


def _json(text: bytes) -> object:
    try:
        found: object = json.loads(text)
    except ValueError:
        return None
    return found
