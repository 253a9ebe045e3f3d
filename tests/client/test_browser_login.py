"""`wsm login` with a browser: the person agrees on the page, and the key is kept on this machine."""

from __future__ import annotations

import json
import threading
import time
import webbrowser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import click
import httpx
import pytest
from django.test import Client

from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import URL, Here
from tests.workspaces.oauth import hidden_fields
from workspace_memory.cli import browser_login
from workspace_memory.cli.browser_login import BrowserLoginError, CallbackServer
from workspace_memory.cli.credentials import path_of_login
from workspaces.access.selectors import workspace_keys

HOST = "127.0.0.1"


class LedBrowser:
    """Waits in the terminal's place: the first look at the port opens the page, presses a button, and is led back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cast: Cast) -> None:
        self._cast = cast
        self.opened: list[str] = []
        self.fields: dict[str, Any] = {"allow": "true"}
        self.state = ""
        monkeypatch.setattr(browser_login, "open_http", lambda url: httpx.Client(base_url=url, transport=Here()))
        monkeypatch.setattr(webbrowser, "open", self._open)
        monkeypatch.setattr(CallbackServer, "wait", lambda server, until: self._lead(server))

    def address(self) -> str:
        return self.opened[-1]

    def _open(self, address: str) -> bool:
        self.opened.append(address)
        return True

    def _lead(self, server: CallbackServer) -> dict[str, str]:
        browser = Client(headers={"host": HOST})
        browser.force_login(self._cast.alice)
        page = browser.get(self.address())
        assert page.status_code == 200, page.content
        chosen = {"workspace": str(self._cast.acme.workspace.id), "scopes": ["read", "write"], "lifetime": "90"}
        fields = {**hidden_fields(page.content.decode()), **chosen, "spaces": ["shared"], **self.fields}
        fields = {name: value for name, value in fields.items() if value is not None}
        back = browser.post("/oauth/authorize", fields)["Location"]
        assert back.startswith(server.address)
        return {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cast: Cast) -> Terminal:
    return Terminal(monkeypatch, tmp_path)


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch, cast: Cast) -> LedBrowser:
    return LedBrowser(monkeypatch, cast)


def test_a_person_agrees_in_the_browser_and_the_key_is_kept(
    terminal: Terminal, browser: LedBrowser, cast: Cast
) -> None:
    result = terminal.run("login", "--url", URL, "--browser")

    assert (result.exit_code, "Signed in to Acme" in result.output) == (0, True), result.output
    login = json.loads(path_of_login().read_text())
    assert (login["url"], login["workspace"]) == (URL, str(cast.acme.workspace.id))
    assert path_of_login().stat().st_mode & 0o777 == 0o600
    assert login["key"] not in result.output
    assert [key.name.startswith("wsm on ") for key in workspace_keys(cast.acme.caller)].count(True) == 1
    terminal.run("remember", "Tea is ordered on Mondays.")
    assert terminal.json("memory", "search", "tea")["results"]


def test_enter_alone_in_place_of_a_key_opens_the_browser(terminal: Terminal, browser: LedBrowser) -> None:
    result = terminal.run("login", said=f"{URL}\n\n")

    assert (result.exit_code, len(browser.opened)) == (0, 1), result.output


def test_the_key_goes_into_the_profile_that_is_named(terminal: Terminal, browser: LedBrowser) -> None:
    assert terminal.run("login", "--profile", "bakery", "--url", URL, "--browser").exit_code == 0

    assert path_of_login("bakery").exists()
    assert not path_of_login("default").exists()


def test_without_a_browser_the_address_is_printed(
    terminal: Terminal, browser: LedBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[str] = []
    monkeypatch.setattr(click, "echo", lambda text="", **_: printed.append(text))
    monkeypatch.setattr(LedBrowser, "address", lambda self: printed[0].split("\n")[2])

    result = terminal.run("login", "--url", URL, "--no-browser")

    assert (result.exit_code, browser.opened) == (0, []), result.output
    assert "Open this address in a browser on this machine" in printed[0]


def test_who_says_no_is_not_signed_in(terminal: Terminal, browser: LedBrowser, cast: Cast) -> None:
    browser.fields = {"allow": None}

    result = terminal.run("login", "--url", URL, "--browser")

    assert (result.exit_code, path_of_login().exists()) == (1, False)
    assert "Error:" in result.stderr


def test_a_browser_and_a_key_are_not_asked_for_together(terminal: Terminal) -> None:
    result = terminal.run("login", "--url", URL, "--browser", "--key-stdin", said="x\n")

    assert (result.exit_code, "leave out --key-stdin" in result.stderr) == (2, True)


def test_a_server_that_is_another_program_is_said_to_be(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    other = httpx.MockTransport(lambda request: httpx.Response(404, text="<html>"))
    monkeypatch.setattr(browser_login, "open_http", lambda url: httpx.Client(base_url=url, transport=other))

    result = terminal.run("login", "--url", URL, "--no-browser")

    assert (result.exit_code, "is not a Workspace Memory server" in result.stderr) == (5, True)


def test_the_port_takes_the_answer_to_its_own_question_only() -> None:
    answers: list[httpx.Response] = []

    def browse(address: str) -> None:
        for path in ("/", "/callback?code=x&state=other", "/callback?code=<b>&state=s-1"):
            answers.append(httpx.get(address.replace("/callback", path)))

    with CallbackServer("s-1") as server:
        visitor = threading.Thread(target=browse, args=(server.address,))
        visitor.start()
        answer = server.wait(until=time.monotonic() + 10)
        visitor.join()

    assert [one.status_code for one in answers] == [404, 400, 200]
    assert answer == {"code": "<b>", "state": "s-1"}
    assert "Close this window" in answers[-1].text
    assert answers[-1].headers["Cache-Control"] == "no-store"


def test_the_port_is_not_open_for_ever() -> None:
    with CallbackServer("s-1") as server, pytest.raises(BrowserLoginError, match="was not answered"):
        server.wait(until=time.monotonic() - 1)
