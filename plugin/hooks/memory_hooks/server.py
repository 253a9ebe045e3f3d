"""Calls of the server. Without TLS they are written by hand: loading `http.client` takes longer than the call."""

from __future__ import annotations

import json
import socket
from urllib.parse import SplitResult, quote, urlsplit

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

    def call(self, method: str, path: str, body: object = None, *, repeat_key: str = "") -> Answer:
        """Send a request and return the answer. With `repeat_key` a request that is sent again counts once."""
        headers = {
            "Authorization": f"Bearer {self._settings.key}",
            "Accept": "application/json",
            "Content-Type": "application/json",
            "User-Agent": "workspace-memory-hooks",
            **({"Idempotency-Key": repeat_key} if repeat_key else {}),
        }
        content = b"" if body is None else json.dumps(body).encode()
        try:
            address = urlsplit(self._settings.url)
            send = _send_over_tls if address.scheme == "https" else _send_plainly
            status, text = send(address, method, address.path + path, headers, content, seconds=self._seconds)
        except (OSError, ValueError, IndexError) as error:
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


class RefusedError(NoAnswerError):
    """The server refused a call that everything else depends on."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"The server refuses the key ({answer.code})" if answer.status in {401, 403} else answer.code)


def quoted(part: str) -> str:
    """Return a name as one part of an address."""
    return quote(part, safe="").replace(".", "%2E")


def _send_plainly(
    address: SplitResult, method: str, path: str, headers: dict[str, str], content: bytes, *, seconds: float
) -> tuple[int, bytes]:
    """Send a request of HTTP/1.0, whose answer ends with the connection. Raises OSError, ValueError, IndexError."""
    sent = {"Host": address.netloc, **headers, "Content-Length": str(len(content))}
    if any(not value.isprintable() for value in sent.values()):
        raise ValueError("A header holds characters that end a line.")
    lines = [f"{method} {path} HTTP/1.0", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    found = bytearray()
    with socket.create_connection((address.hostname or "", address.port or 80), timeout=seconds) as connection:
        connection.sendall("\r\n".join(lines).encode("latin-1") + content)
        while len(found) < MAX_ANSWER_BYTES and (piece := connection.recv(65_536)):
            found += piece
    head, _, body = bytes(found).partition(b"\r\n\r\n")
    status, *fields = head.split(b"\r\n")
    lengths = [int(field.partition(b":")[2]) for field in fields if field.lower().startswith(b"content-length:")]
    if lengths and len(body) < lengths[0]:
        raise ConnectionError("The answer broke off.")
    return int(status.split(b" ", 2)[1]), body


def _send_over_tls(
    address: SplitResult, method: str, path: str, headers: dict[str, str], content: bytes, *, seconds: float
) -> tuple[int, bytes]:
    """Send a request over TLS. Raises OSError and ValueError."""
    from http.client import HTTPException, HTTPSConnection

    connection = HTTPSConnection(address.hostname or "", address.port, timeout=seconds)
    try:
        connection.request(method, path, content, headers)
        response = connection.getresponse()
        return response.status, response.read(MAX_ANSWER_BYTES)
    except HTTPException as error:
        raise ConnectionError(str(error)) from error
    finally:
        connection.close()


def _json(text: bytes) -> object:
    try:
        found: object = json.loads(text)
    except ValueError:
        return None
    return found
