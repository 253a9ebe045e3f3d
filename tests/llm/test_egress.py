"""Providers lead to public addresses, or to those that the operator allows, also when names change their address."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest

from core.http.egress import Address
from llm.models import ModelProvider
from llm.providers import checked_transport
from tests.cast import Cast, RestClient
from tests.llm.conftest import provide
from tests.llm.server import ModelServer, Reply, failing, saying
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.django_db

SECRET = "AccessKeyId=AKIA-INTERNAL token=abc123"


def lead(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let every name lead to these addresses when a call is made."""

    def resolved(name: str, port: int) -> list[Address]:
        return [ipaddress.ip_address(address) for address in addresses]

    monkeypatch.setattr(checked_transport, "resolve", resolved)


@pytest.fixture
def nothing_allowed(settings: Any) -> None:
    settings.MODEL_HOSTS = []


@pytest.mark.parametrize(
    "address",
    """
    http://127.0.0.1:18081/secret http://0.0.0.0/v1 http://2130706433/v1 http://127.1/v1 http://0x7f.1/v1
    http://[::1]/v1 http://[::ffff:127.0.0.1]/v1 http://[64:ff9b::7f00:1]/v1 http://localhost/v1 http://localhost./v1
    http://10.0.0.1/v1 http://192.168.0.1/v1 http://172.16.0.1/v1 http://169.254.169.254/latest http://100.64.0.1/v1
    http://[fd00::1]/v1 http://[fe80::1]/v1 http://224.0.0.1/v1 https://models.example.com/v1/../../secret
    """.split(),  # noqa: SIM905  # as a list, a line each
)
def test_an_address_inside_is_refused(nothing_allowed: None, acme: RestClient, address: str) -> None:
    outside = acme.post("models/providers", {"name": "Out", "kind": "openai"}).json()

    for answer in (
        acme.post("models/providers", {"name": "In", "kind": "openai", "base_url": address}),
        acme.put(f"models/providers/{outside['id']}", {"base_url": address}),
    ):
        assert answer.status_code == 422, address
        assert (answer.json()["errors"][0]["field"], answer.json()["errors"][0]["code"]) == (
            "base_url",
            "refused_address",
        )


def test_an_address_that_was_kept_before_is_not_called(
    nothing_allowed: None, cast: Cast, acme: RestClient, server: ModelServer
) -> None:
    made = acme.post("models/providers", {"name": "Out", "kind": "openai"}).json()
    with workspace_scope(cast.acme.caller):
        ModelProvider.objects.filter(id=made["id"]).update(base_url=server.url)

    trial = acme.post(f"models/providers/{made['id']}/test", {"model": "tea-1"}).json()

    assert (trial["works"], server.seen) == (False, [])
    assert "not a public one" in trial["detail"]


def test_a_name_that_changes_its_address_is_not_followed(
    monkeypatch: pytest.MonkeyPatch, nothing_allowed: None, acme: RestClient, server: ModelServer
) -> None:
    address = f"http://models.example.com:{server.port}/v1"
    made = acme.post("models/providers", {"name": "Rebinding", "kind": "openai", "base_url": address}).json()

    for private in (["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:127.0.0.1"]):
        lead(monkeypatch, *private)
        trial = acme.post(f"models/providers/{made['id']}/test", {"model": "tea-1"}).json()
        assert "not a public one" in trial["detail"], private

    assert server.seen == []


def test_a_call_goes_to_the_address_that_was_checked_under_the_name_that_was_given(
    monkeypatch: pytest.MonkeyPatch, cast: Cast, acme: RestClient, server: ModelServer
) -> None:
    made = provide(cast.acme, server, base_url=f"http://models.example.com:{server.port}/v1")
    lead(monkeypatch, "127.0.0.1")
    server.will(saying("OK"))

    trial = acme.post(f"models/providers/{made.id}/test", {"model": "tea-1"}).json()

    assert trial["works"], trial
    assert server.seen[0].headers["host"] == f"models.example.com:{server.port}"


def test_only_the_code_of_a_failure_is_shown(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    provider = provide(cast.acme, server)
    coded = b'{"error": {"message": "%s", "code": "%s", "type": "invalid_request_error"}}'
    shown = []
    for reply in (
        failing(401, SECRET),
        Reply(status=403, raw=coded % (SECRET.encode(), b"model_not_allowed")),
        Reply(status=403, raw=coded % (SECRET.encode(), b"AKIA1234")),
        Reply(status=403, raw=SECRET.encode()),
    ):
        server.will(reply)
        answer = acme.post(f"models/providers/{provider.id}/test", {"model": "tea-1"})
        assert "AKIA" not in answer.content.decode()
        shown.append(answer.json()["provider_code"])

    assert shown == ["invalid_request_error", "model_not_allowed", "invalid_request_error", None]
    assert "AKIA" not in acme.get("prompt-runs").content.decode()


def test_a_redirect_is_not_followed(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    provider = provide(cast.acme, server)
    server.will(Reply(status=307, raw=b"", headers=(("Location", f"{server.root}/elsewhere"),)))

    trial = acme.post(f"models/providers/{provider.id}/test", {"model": "tea-1"}).json()

    assert not trial["works"]
    assert {seen.path for seen in server.seen} == {"/v1/chat/completions"}
