"""Signing in with a browser: a person agrees to a key on a page of the server, and the key comes to this machine.

The browser is led back to a port of this machine (RFC 8252) with a code that is worth a minute, and that only the
program which asked can exchange: it alone knows what the challenge was made of (PKCE, RFC 7636).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import secrets
import socket
import time
import webbrowser
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import click
import httpx

from workspace_memory.errors import NoAnswerError, UnexpectedAnswerError, WorkspaceMemoryError

CALLBACK = "/callback"
# What is ticked on the page; the person ticks more or less.
SCOPES = "read write facts"
MAX_NAME_CHARACTERS = 120
# A person reads the page, and may have to sign in first.
PATIENCE_SECONDS = 600.0
# One who connects and says nothing holds the others up.
SECONDS_OF_A_CONNECTION = 5.0
HTTP_SECONDS = 30.0


class BrowserLoginError(WorkspaceMemoryError):
    """The person did not agree, or the server did not hand out a key; the sentence is the server's."""


@dataclass(frozen=True, slots=True)
class MadeKey:
    """The key that was made for this machine, and its workspace."""

    key: str
    workspace: str


class CallbackServer(HTTPServer):
    """A port of this machine that waits for one answer, which names the `state` of the question."""

    def __init__(self, state: str) -> None:
        super().__init__(("127.0.0.1", 0), _CallbackHandler)
        self.state = state
        self.timeout = 0.5
        self.answer: dict[str, str] = {}

    @property
    def address(self) -> str:
        """The address to which the browser is led back."""
        return f"http://127.0.0.1:{self.server_port}{CALLBACK}"

    def wait(self, *, until: float) -> dict[str, str]:
        """Serve until the answer is there. Raises BrowserLoginError at a time of the monotonic clock."""
        while not self.answer:
            if time.monotonic() > until:
                raise BrowserLoginError("The page was not answered within ten minutes. Run wsm login again.")
            self.handle_request()
        return self.answer


class _CallbackHandler(BaseHTTPRequestHandler):
    timeout = SECONDS_OF_A_CONNECTION
    server: CallbackServer

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        given = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path != CALLBACK:
            self._say(404, "There is nothing here.")
        elif not hmac.compare_digest(given.get("state", "").encode(), self.server.state.encode()):
            self._say(400, "This answer is to another question. Run wsm login again.")
        else:
            self.server.answer = given
            said = "Nothing was signed in." if "error" in given else "You are signed in."
            self._say(200, f"{said} Close this window and go back to the terminal.")

    def log_message(self, format: str, *arguments: Any) -> None:
        """Write nothing: an address has the code in it."""

    def _say(self, status: int, text: str) -> None:
        page = f"<!doctype html><meta charset=utf-8><title>wsm</title><p>{html.escape(text)}</p>".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(page)


def open_http(url: str) -> httpx.Client:
    """The connections to a server, before there is a key."""
    return httpx.Client(base_url=url, timeout=HTTP_SECONDS)


def sign_in(url: str, *, opens_browser: bool) -> MadeKey:
    """Have a person agree in a browser, and return the key that is made for this machine.

    Raises BrowserLoginError, NoAnswerError, UnexpectedAnswerError.
    """
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(64)
    with open_http(url) as http, CallbackServer(state) as server:
        client_id = _register(http, server.address)
        asked = _question(url, client_id=client_id, back=server.address, state=state, verifier=verifier)
        _show(asked, opens_browser=opens_browser)
        answer = server.wait(until=time.monotonic() + PATIENCE_SECONDS)
        if "error" in answer:
            raise BrowserLoginError(answer.get("error_description") or "You did not agree, and nothing was kept.")
        given = _post(
            http,
            "/oauth/token",
            data={
                "grant_type": "authorization_code",
                "code": answer.get("code", ""),
                "redirect_uri": server.address,
                "client_id": client_id,
                "code_verifier": verifier,
            },
        )
    try:
        return MadeKey(str(given["access_token"]), str(given["workspace_id"]))
    except KeyError as error:
        raise UnexpectedAnswerError(f"{url} handed out no key. It may be an older server: make a key there.") from error


def _register(http: httpx.Client, back: str) -> str:
    name = f"wsm on {socket.gethostname()}"[:MAX_NAME_CHARACTERS]
    asked = {"client_name": name, "redirect_uris": [back], "token_endpoint_auth_method": "none"}
    return str(_post(http, "/oauth/register", json=asked).get("client_id", ""))


def _question(url: str, *, client_id: str, back: str, state: str, verifier: str) -> str:
    """The address of the page on which the person agrees."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    query = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": back,
        "scope": SCOPES,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "resource": f"{url.rstrip('/')}/v1",
    }
    return f"{url.rstrip('/')}/oauth/authorize?{urlencode(query)}"


def _show(address: str, *, opens_browser: bool) -> None:
    if opens_browser and webbrowser.open(address):
        click.echo("Agree in the browser window that was opened; Ctrl-C stops waiting.", err=True)
        return
    click.echo(f"Open this address in a browser on this machine, and agree there; Ctrl-C stops waiting.\n\n{address}\n")


def _post(http: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    try:
        response = http.post(path, **body)
        answer = response.json()
    except httpx.RequestError as error:
        raise NoAnswerError(f"{http.base_url} does not answer ({type(error).__name__}). Is it running?") from error
    except ValueError as error:
        raise UnexpectedAnswerError(f"{http.base_url} is not a Workspace Memory server.") from error
    if response.is_success and isinstance(answer, dict):
        return answer
    said = answer.get("error_description") if isinstance(answer, dict) else None
    raise BrowserLoginError(str(said or f"The server refused ({response.status_code})."))
