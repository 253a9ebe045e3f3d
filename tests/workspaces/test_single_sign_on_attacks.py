"""Signing in with the OpenID Connect provider of an organisation: forgeries, replays, and where calls go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core.clock import utc_now
from tests.cast import Cast
from tests.pages import text_of
from tests.workspaces.provider import (
    ALICE,
    OidcProvider,
    come_back,
    enter,
    is_signed_in,
    signing_key,
    start,
    symmetric_key,
)
from workspaces.accounts.single_sign_on import pages
from workspaces.models import ExternalIdentity, User


def _flip(token: str) -> str:
    head, body, signature = token.split(".")
    return ".".join([head, body, ("B" if signature[0] == "A" else "A") + signature[1:]])


def _sign_with(provider: OidcProvider, key: Any, **header: str) -> None:
    provider.header.update(header)
    provider.key = key


FORGERIES: dict[str, Callable[[OidcProvider], Any]] = {
    "wrong nonce": lambda it: it.claims.update(nonce="another"),
    "no nonce": lambda it: it.claims.update(nonce=None),
    "wrong audience": lambda it: it.claims.update(aud="another"),
    "wrong audience for this party": lambda it: it.claims.update(aud="another", azp="memory"),
    "audiences without this one": lambda it: it.claims.update(aud=["another", "third"], azp="memory"),
    "another party": lambda it: it.claims.update(aud=["memory", "another"], azp="another"),
    "no audience": lambda it: it.claims.update(aud=None),
    "another issuer": lambda it: it.claims.update(iss="https://evil.example"),
    "no issuer": lambda it: it.claims.update(iss=None),
    "expired": lambda it: it.claims.update(exp=1_000_000_000),
    "no expiry": lambda it: it.claims.update(exp=None),
    "expiry as a text": lambda it: it.claims.update(exp="never"),
    "not yet": lambda it: it.claims.update(nbf=9_999_999_999),
    "no subject": lambda it: it.claims.update(sub=None),
    "empty subject": lambda it: it.claims.update(sub=""),
    "subject of another type": lambda it: it.claims.update(sub={"a": 1}),
    "long subject": lambda it: it.claims.update(sub="x" * 256),
    "unsigned": lambda it: it.header.update(alg="none"),
    "signed with the client's secret": lambda it: _sign_with(it, symmetric_key(), alg="HS256"),
    "signed with another key": lambda it: _sign_with(it, signing_key("evil")),
    "signature altered": lambda it: setattr(it, "alters", _flip),
    "signature cut off": lambda it: setattr(it, "alters", lambda token: token.rpartition(".")[0] + "."),
    "not a token": lambda it: setattr(it, "alters", lambda token: "x"),
    "no token": lambda it: setattr(it, "alters", lambda token: ""),
    "key of no set": lambda it: _sign_with(it, signing_key("evil"), kid="evil"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_token_lets_nobody_in(cast: Cast, provider: OidcProvider, forgery: str) -> None:
    provider.claims = dict(ALICE)
    FORGERIES[forgery](provider)
    client = Client(raise_request_exception=False)

    answer = enter(provider, client)

    assert (answer.status_code, is_signed_in(client)) == (403, False)
    assert "could not be verified" in text_of(answer)
    assert not ExternalIdentity.objects.exists()


def test_a_new_key_of_the_provider_is_known_at_once(provider: OidcProvider) -> None:
    enter(provider)
    provider.key, provider.keys = signing_key("second"), [signing_key("second")]
    provider.header["kid"] = "second"
    assert enter(provider).status_code == 302


def test_the_state_of_another_session_is_refused_and_the_request_is_spent(provider: OidcProvider) -> None:
    mine, others = Client(), Client()
    brought, other = provider.authorize(start(mine)), provider.authorize(start(others))

    assert come_back(mine, {**brought, "state": other["state"]}).status_code == 403
    assert come_back(mine, brought).status_code == 403, "A request is answered once."
    assert come_back(Client(), other).status_code == 403, "A browser that has asked nothing."
    assert not is_signed_in(mine)


def test_a_code_of_another_session_does_not_fit_its_verifier(provider: OidcProvider) -> None:
    mine, others = Client(), Client()
    brought, other = provider.authorize(start(mine)), provider.authorize(start(others))
    assert come_back(mine, {**brought, "code": other["code"]}).status_code == 403


def test_a_replayed_code_is_refused(provider: OidcProvider) -> None:
    client = Client()
    brought = provider.authorize(start(client))
    assert come_back(client, brought).status_code == 302
    client.logout()
    again = Client()
    state = provider.authorize(start(again))["state"]
    assert come_back(again, {**brought, "state": state}).status_code == 403


@pytest.mark.parametrize(
    "change", [{"error": "access_denied"}, {"code": ""}, {"state": ""}, {"iss": "https://evil.example"}]
)
def test_an_answer_that_is_none_is_refused(provider: OidcProvider, change: dict[str, str]) -> None:
    client = Client(raise_request_exception=False)
    assert come_back(client, {**provider.authorize(start(client)), **change}).status_code == 403
    assert not is_signed_in(client)


def test_an_answer_comes_in_time(provider: OidcProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    brought = provider.authorize(start(client))
    monkeypatch.setattr(pages, "utc_now", lambda: utc_now() + timedelta(minutes=11))
    assert "took too long" in text_of(come_back(client, brought))


@pytest.mark.parametrize(
    "wanted", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_signing_in_leads_to_pages_of_ours_only(provider: OidcProvider, wanted: str) -> None:
    assert enter(provider, next=wanted).headers["Location"] == "/"


def test_a_session_from_before_is_not_carried_on(provider: OidcProvider) -> None:
    client = Client()
    url = start(client)
    before = client.session.session_key
    come_back(client, provider.authorize(url))
    assert client.session.session_key != before


def test_many_starts_from_one_address_wait(provider: OidcProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workspaces.access.login_throttle.MAX_FROM_AN_ADDRESS", 2)
    client = Client()
    start(client)
    start(client)
    assert client.get("/sign-in/provider").status_code == 429


# --- Where calls go


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example"},
        {"token_endpoint": "http://models.example.com/token"},
        {"token_endpoint": ""},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"userinfo_endpoint": "https://user:password@models.example.com/"},
        {"id_token_signing_alg_values_supported": ["HS256", "none"]},
    ],
)
def test_metadata_that_leads_astray_is_not_followed(provider: OidcProvider, metadata: dict[str, Any]) -> None:
    provider.metadata = metadata
    answer = Client().get("/sign-in/provider")
    assert answer.status_code == 503
    assert "does not answer as it should" in text_of(answer)


@pytest.mark.parametrize("host", ["127.0.0.1:1", "10.0.0.1", "169.254.169.254", "[::1]"])
def test_what_the_metadata_names_is_called_at_public_or_allowed_addresses_only(
    provider: OidcProvider, host: str
) -> None:
    provider.metadata = {"jwks_uri": f"https://{host}/keys"}
    assert enter(provider).status_code == 503
    assert User.objects.count() == 0


def test_a_provider_that_is_away_is_said(provider: OidcProvider, settings: Any) -> None:
    settings.OIDC = replace(provider.settings, issuer="http://127.0.0.1:9")
    assert Client().get("/sign-in/provider").status_code == 503
