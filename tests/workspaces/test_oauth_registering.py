"""How a program finds the way in, and what it is asked when it registers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from oauth2_provider.models import Application

from core.clock import utc_now
from tests.cast import Cast
from tests.workspaces.oauth import BACK, RESOURCE, Desk
from workspaces.access.callers import Right
from workspaces.oauth.services.client_registration import MAX_FROM_AN_ADDRESS, forget_unused_registrations

# --- Finding the way


def test_the_metadata_tells_a_client_where_to_go_and_what_is_served(db: None) -> None:
    server = Client().get("/.well-known/oauth-authorization-server").json()

    assert server["issuer"] == "http://testserver"
    assert server["authorization_endpoint"] == "http://testserver/oauth/authorize"
    assert server["token_endpoint"] == "http://testserver/oauth/token"
    assert server["registration_endpoint"] == "http://testserver/oauth/register"
    assert server["revocation_endpoint"] == "http://testserver/oauth/revoke"
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert server["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert server["response_types_supported"] == ["code"]
    assert "none" in server["token_endpoint_auth_methods_supported"]
    assert set(server["scopes_supported"]) == set(Right)
    assert server["authorization_response_iss_parameter_supported"] is True


@pytest.mark.parametrize("path", ["", "/mcp"])
def test_the_door_is_the_protected_resource(db: None, path: str) -> None:
    resource = Client().get(f"/.well-known/oauth-protected-resource{path}").json()

    assert resource["resource"] == RESOURCE
    assert resource["authorization_servers"] == ["http://testserver"]
    assert resource["bearer_methods_supported"] == ["header"]


# --- Registering


def test_a_public_client_gets_no_secret_and_a_confidential_one_gets_it_once(db: None) -> None:
    public, secret = Desk().registers(), Desk().registers(token_endpoint_auth_method="client_secret_post")

    assert (public.status_code, secret.status_code) == (201, 201)
    assert "client_secret" not in public.json()
    assert public.json()["redirect_uris"] == [BACK]
    assert public.json()["grant_types"] == ["authorization_code", "refresh_token"]
    stored = Application.objects.get(client_id=secret.json()["client_id"]).client_secret
    assert secret.json()["client_secret"] not in stored
    assert public["Cache-Control"].startswith("max-age=0")


@pytest.mark.parametrize(
    ("metadata", "error"),
    [
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "http://127.0.0.1/"}, "invalid_redirect_uri"),
        ({"redirect_uris": ["http://evil.example/callback"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["ftp://files.example/x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://app.example/callback#x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://app.example/ https://evil.example/"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://me@app.example/"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://[::1"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://app.example/\x00"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [BACK] * 11}, "invalid_redirect_uri"),
        ({"client_name": 7}, "invalid_client_metadata"),
        ({"client_name": "a\x00b"}, "invalid_client_metadata"),
        ({"client_name": "x" * 121}, "invalid_client_metadata"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
    ],
)
def test_a_registration_that_cannot_be_served_says_why(db: None, metadata: dict[str, Any], error: str) -> None:
    answer = Desk().registers(**metadata)

    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert answer.json()["error_description"]
    assert not Application.objects.exists()


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"null", b"\xff", b"[" * 20_000])
def test_a_registration_is_a_json_object(db: None, body: bytes) -> None:
    answer = Client(raise_request_exception=False).post("/oauth/register", body, content_type="application/json")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


def test_what_is_null_or_unknown_is_left_out(db: None) -> None:
    answer = Desk().registers(client_name=None, logo_uri=None, application_type="native", scope="read")

    assert answer.status_code == 201
    assert "client_name" not in answer.json()


def test_editors_are_answered_at_their_own_scheme_and_https_anywhere(db: None) -> None:
    for address in (
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://app.example/callback",
        "http://localhost/x",
    ):
        assert Desk().registers(redirect_uris=[address]).status_code == 201, address


def test_registering_has_an_end(db: None) -> None:
    answers = [Desk().registers(redirect_uris=[]) for _ in range(MAX_FROM_AN_ADDRESS)]

    answer = Desk().registers()

    assert {each.status_code for each in answers} == {400}
    assert (answer.status_code, answer.json()["error"]) == (429, "too_many_registrations")
    assert int(answer["Retry-After"]) > 0


def test_programs_in_one_ipv6_network_count_as_one(db: None, settings: Any) -> None:
    settings.TRUST_PROXY = True
    addresses = [f"[2001:db8::{number:x}]:{number}" for number in range(1, MAX_FROM_AN_ADDRESS + 2)]

    answers = [
        Client().post("/oauth/register", {}, content_type="application/json", headers={"X-Forwarded-For": address})
        for address in addresses
    ]

    assert [each.status_code for each in answers] == [400] * MAX_FROM_AN_ADDRESS + [429]


def test_registrations_that_nobody_let_in_are_forgotten(cast: Cast, desk: Desk) -> None:
    Desk().registers()
    desk.connects(cast.acme.workspace.id)

    with time_machine.travel(utc_now() + timedelta(days=20)):
        assert forget_unused_registrations() == 0
    Application.objects.update(created=utc_now() - timedelta(days=91))

    assert forget_unused_registrations() == 1
    assert [each.client_id for each in Application.objects.all()] == [desk.client_id]
