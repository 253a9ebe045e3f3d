"""A desktop client that connects by a person's signing in: the official client's OAuth, real HTTP, a real browser's
steps.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider, OAuthRegistrationError
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from mcp_server.tool_sets import select_tools
from tests.awaiting import awaited
from tests.cast import PASSWORD, Cast, assemble_cast
from tests.mcp_server.serving import house_served
from tests.workspaces.oauth import hidden_fields
from workspaces.access.selectors import workspace_apps
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import User, Workspace
from workspaces.oauth.services.connected_apps import withdraw_app

pytestmark = pytest.mark.django_db(transaction=True)
BACK = "http://127.0.0.1:4711/callback"


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return assemble_cast()


@pytest.fixture
def house(cast: Cast) -> Iterator[str]:
    with house_served() as house:
        yield house


class Person:
    """Somebody at a browser, who signs in and says yes; also the drawer in which the client keeps its tokens."""

    def __init__(self, user: User, workspace: Workspace, *scopes: str) -> None:
        self._user, self._workspace, self._scopes = user, workspace, scopes or ("read", "write")
        self.tokens: OAuthToken | None = None
        self.registration: OAuthClientInformationFull | None = None
        self.asked: list[dict[str, str]] = []
        self._answer = AuthorizationCodeResult(code="")

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.registration

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.registration = client_info

    async def is_led_to(self, address: str) -> None:
        self.asked.append({name: values[0] for name, values in parse_qs(urlsplit(address).query).items()})
        parts = urlsplit(address)
        async with httpx.AsyncClient(base_url=f"{parts.scheme}://{parts.netloc}", follow_redirects=True) as browser:
            page = await browser.get(address)
            assert page.url.path == "/sign-in"
            page = await browser.post(
                str(page.url), data={**hidden_fields(page.text), "username": self._user.email, "password": PASSWORD}
            )
            assert page.url.path == "/oauth/authorize", page.text
            chosen = {
                "workspace": str(self._workspace.id),
                "scopes": list(self._scopes),
                "spaces": ["shared"],
                "allow": "true",
            }
            done = await browser.post(
                str(page.url), data={**hidden_fields(page.text), **chosen}, follow_redirects=False
            )
        assert done.status_code == 302, done.text
        told = {name: values[0] for name, values in parse_qs(urlsplit(done.headers["Location"]).query).items()}
        assert done.headers["Location"].startswith(f"{BACK}?")
        self._answer = AuthorizationCodeResult(code=told["code"], state=told["state"], iss=told["iss"])

    async def says(self) -> AuthorizationCodeResult:
        return self._answer

    def works(self, house: str, work: Callable[[Client], Awaitable[Any]], **metadata: Any) -> Any:
        """What `work` answers with the client that this person connects, or has connected before."""

        async def run() -> Any:
            told = OAuthClientMetadata(**{"client_name": "Desk", "redirect_uris": [AnyUrl(BACK)], **metadata})
            connecting = OAuthClientProvider(f"{house}/mcp?tools=core", told, self, self.is_led_to, self.says)
            async with (
                httpx2.AsyncClient(auth=connecting, timeout=30) as http,
                Client(streamable_http_client(f"{house}/mcp?tools=core", http_client=http)) as client,
            ):
                return await work(client)

        return awaited(run())


async def listed(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


async def remembered(client: Client) -> Any:
    return await client.call_tool("memory.remember", {"content": "The oven is number seven."})


@pytest.mark.parametrize("method", ["none", "client_secret_basic", "client_secret_post", None])
def test_a_client_registers_is_let_in_and_calls(house: str, cast: Cast, method: str | None) -> None:
    alice = Person(cast.alice, cast.acme.workspace)

    tools = alice.works(house, listed, token_endpoint_auth_method=method)
    again = alice.works(house, remembered)

    assert tools == {tool.listed_name for tool in select_tools(("core",))}
    assert again.structured_content["memory"]["source"] == "agent"
    assert len(alice.asked) == 1
    assert alice.asked[0]["resource"] == f"{house}/mcp"
    assert alice.asked[0]["scope"] == "read write"
    assert [app.name for app in workspace_apps(cast.acme.caller)] == ["Desk"]


def test_it_renews_its_token_and_is_withdrawn(house: str, cast: Cast) -> None:
    alice = Person(cast.alice, cast.acme.workspace)
    alice.works(house, listed)
    assert alice.tokens
    first = alice.tokens

    renewed = _renewed(house, alice.registration, first.refresh_token).json()
    assert _status(house, first.access_token) == 401
    assert _status(house, renewed["access_token"]) == 200

    withdraw_app(caller=cast.acme.caller, app_id=workspace_apps(cast.acme.caller)[0].id)
    assert _status(house, renewed["access_token"]) == 401


@pytest.mark.parametrize("elsewhere", [False, True], ids=["fewer scopes", "another workspace"])
def test_consent_given_anew_is_all_that_counts(house: str, cast: Cast, elsewhere: bool) -> None:
    alice = Person(cast.alice, cast.acme.workspace)
    kept = alice.works(house, remembered).structured_content["memory"]["id"]
    first = alice.tokens
    other = found_workspace(owner=cast.alice, name="Second")

    again = Person(cast.alice, other if elsewhere else cast.acme.workspace, "read")
    again.registration = alice.registration
    refused = again.works(house, remembered)

    assert refused.content[0].text.startswith("missing_scope")
    assert first
    assert again.tokens
    assert (len(again.asked), again.tokens.scope) == (1, "read")
    assert _status(house, first.access_token) == 401
    stale = _renewed(house, alice.registration, first.refresh_token)
    assert (stale.status_code, stale.json()["error"]) == (400, "invalid_grant")
    renewed = _renewed(house, alice.registration, again.tokens.refresh_token).json()
    assert renewed["scope"] == "read"
    listed_now = _called(house, renewed["access_token"], "memory.list")
    assert (kept in listed_now) is not elsewhere
    assert "missing_scope" in _called(house, renewed["access_token"], "memory.remember", content="Not allowed.")


def test_a_client_whose_token_is_gone_asks_the_person_again(house: str, cast: Cast) -> None:
    alice = Person(cast.alice, cast.acme.workspace)
    alice.works(house, listed)
    withdraw_app(caller=cast.acme.caller, app_id=workspace_apps(cast.acme.caller)[0].id)

    alice.works(house, listed)

    assert len(alice.asked) == 2


def test_an_app_does_what_it_was_given_and_no_more(house: str, cast: Cast) -> None:
    alice = Person(cast.alice, cast.acme.workspace, "read")

    refused = alice.works(house, remembered)

    assert refused.is_error
    assert refused.content[0].text == (
        "missing_scope: This connected app lacks the scope 'write'."
        " Connect it again, and allow it on the page where it asks for access."
    )


def test_charlies_app_sees_nothing_of_acme(house: str, cast: Cast) -> None:
    Person(cast.alice, cast.acme.workspace).works(house, remembered)

    async def recall(client: Client) -> Any:
        return (await client.call_tool("memory.recall", {"query": "oven"})).structured_content["results"]

    assert Person(cast.charlie, cast.umbrella.workspace).works(house, recall) == []


def test_a_redirect_to_elsewhere_is_not_registered(house: str, cast: Cast) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        Person(cast.alice, cast.acme.workspace).works(house, listed, redirect_uris=[AnyUrl("http://evil.example/")])

    assert _is_in(caught.value, OAuthRegistrationError)


def test_another_name_of_the_server_is_another_resource(house: str, cast: Cast) -> None:
    alice = Person(cast.alice, cast.acme.workspace)
    alice.works(house, listed)
    assert alice.tokens

    answer = _asked(house.replace("127.0.0.1", "localhost"), alice.tokens.access_token)

    assert (answer.status_code, answer.json()["code"]) == (401, "wrong_resource")


@pytest.mark.parametrize(
    ("secret", "code", "told"),
    [
        ("", "unauthenticated", ""),
        (
            "oxa_live_nobody",
            "invalid_key",
            "This API key is not valid: it is mistyped, revoked or expired. Make a new one in Settings, API keys.",
        ),
        ("oxa_app_nobody", "invalid_token", "This access token is not valid, or was withdrawn. Connect the app again."),
    ],
)
def test_a_refusal_says_where_to_sign_in(house: str, secret: str, code: str, told: str) -> None:
    answer = _asked(house, secret)

    challenge = dict(re.findall(r'(\w+)="([^"]*)"', answer.headers["WWW-Authenticate"]))
    assert (answer.status_code, answer.json()["code"]) == (401, code)
    assert challenge["resource_metadata"] == f"{house}/.well-known/oauth-protected-resource/mcp"
    assert challenge["scope"] == "read write"
    assert (challenge.get("error", ""), challenge.get("error_description", "")) == (
        "invalid_token" if told else "",
        told,
    )
    assert httpx.get(challenge["resource_metadata"]).json()["resource"] == f"{house}/mcp"


def _renewed(house: str, told: OAuthClientInformationFull | None, refresh_token: str | None) -> httpx.Response:
    assert told
    return httpx.post(
        f"{house}/oauth/token",
        data={
            "grant_type": "refresh_token",
            "refresh_token": refresh_token or "",
            "client_id": told.client_id or "",
            "client_secret": told.client_secret or "",
        },
    )


def _called(house: str, secret: str, tool: str, **arguments: Any) -> str:
    return _asked(house, secret, "tools/call", name=tool, arguments=arguments).text


def _asked(house: str, secret: str, method: str = "tools/list", **params: Any) -> httpx.Response:
    headers = {"Accept": "application/json, text/event-stream"}
    if secret:
        headers["Authorization"] = f"Bearer {secret}"
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return httpx.post(f"{house}/mcp", json=message, headers=headers)


def _status(house: str, secret: str) -> int:
    return _asked(house, secret).status_code


def _is_in(error: BaseException, kind: type[BaseException]) -> bool:
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return isinstance(error, kind) or any(_is_in(each, kind) for each in inner)
