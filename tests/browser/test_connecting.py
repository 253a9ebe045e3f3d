"""A person lets an app in, in a browser: signing in, choosing, being led back to the app, and withdrawing it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Visit
from tests.cast import Cast
from tests.workspaces.oauth import CHALLENGE
from workspaces.access.selectors import workspace_apps
from workspaces.accounts.services.workspace_create import found_workspace

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class App(BaseHTTPRequestHandler):
    """The program on the person's machine, which waits to be answered."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"<title>Desk</title><h1>Desk has its answer</h1>")

    def log_message(self, *_: object) -> None:
        """Tests print nothing of it."""


@pytest.fixture
def app() -> Iterator[str]:
    """Where the program waits."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), App)  # a browser opens connections that it may not use
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/callback"
    server.shutdown()
    thread.join()
    server.server_close()


def asking(home: str, app: str, **changed: str) -> str:
    """The address to which the program leads the browser."""
    told = {"client_name": "Desk", "redirect_uris": [app], "token_endpoint_auth_method": "none"}
    query = {
        "client_id": httpx.post(f"{home}/oauth/register", json=told).json()["client_id"],
        "redirect_uri": app,
        "response_type": "code",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "s-1",
        "scope": "read write",
        **changed,
    }
    return f"/oauth/authorize?{urlencode(query)}"


def test_an_app_is_let_in_and_withdrawn(open_window: Callable[..., Visit], cast: Cast, app: str) -> None:
    found_workspace(owner=cast.alice, name="Second")
    visit = open_window()
    page = visit.page
    visit.go(asking(visit.home, app))
    page.get_by_label("Email").fill(cast.alice.email)
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in").click()

    expect(page.get_by_role("heading", name="Connect Desk?")).to_be_visible()
    expect(page.get_by_label("Read: list, search and assemble context")).to_be_checked()
    expect(page.get_by_label("Admin: settings, API keys, members, purging")).not_to_be_checked()
    visit.shoot("connect-app")
    page.get_by_label("Acme", exact=True).check()
    page.get_by_role("button", name="Connect").click()

    expect(page.get_by_role("heading", name="Desk has its answer")).to_be_visible()
    assert re.search(r"[?&]code=.+&state=s-1", page.url)
    assert [each.name for each in workspace_apps(cast.acme.caller)] == ["Desk"]

    visit.go(f"/w/{cast.acme.workspace.slug}/settings/apps")
    visit.shoot("connected-apps")
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    visit.says("Withdrew Desk.")
    expect(page.get_by_role("heading", name="No connected apps")).to_be_visible()
    assert workspace_apps(cast.acme.caller) == []


def test_saying_no_leads_back_as_well_and_a_forged_request_nowhere(
    open_window: Callable[..., Visit], cast: Cast, app: str
) -> None:
    visit = open_window(viewport=PHONE, color_scheme="dark")
    visit.sign_in(cast.bob)
    visit.go(asking(visit.home, app))
    visit.shoot("connect-app-phone-dark")
    visit.page.get_by_role("button", name="Cancel").click()
    expect(visit.page.get_by_role("heading", name="Desk has its answer")).to_be_visible()
    assert "error=access_denied" in visit.page.url

    visit.go(asking(visit.home, app, redirect_uri="https://elsewhere.example/"))
    expect(visit.page.get_by_role("heading", name="This app cannot be connected")).to_be_visible()
    visit.shoot("connect-app-refused")
    assert workspace_apps(cast.acme.caller) == []
