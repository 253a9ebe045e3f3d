"""Keeping providers over REST: the key goes in and never comes out."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from llm.models import ModelProvider
from llm.providers.checked_transport import MAX_ANSWER_BYTES, MAX_ERROR_BYTES
from tests.cast import Cast, RestClient
from tests.llm.conftest import KEY, choose, provide
from tests.llm.server import ModelServer, Reply, failing, saying
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent

pytestmark = pytest.mark.django_db

LOOPBACK = {"name": "Loopback", "kind": "openai", "base_url": "http://127.0.0.1:9/v1", "api_key": KEY}


def stored(cast: Cast) -> ModelProvider:
    with workspace_scope(cast.acme.caller):
        provider: ModelProvider = ModelProvider.objects.get()
        return provider


def test_a_key_goes_in_and_never_comes_out(cast: Cast, acme: RestClient) -> None:
    answer = acme.post("models/providers", LOOPBACK)

    assert answer.status_code == 201
    provider = answer.json()
    assert (provider["has_key"], provider["key_hint"], provider["timeout_seconds"]) == (True, "WXYZ", 60)
    for shown in (answer, acme.get("models/providers"), acme.put(f"models/providers/{provider['id']}", {})):
        assert KEY not in shown.content.decode()
        assert "api_key" not in shown.content.decode()
    assert KEY not in stored(cast).encrypted_key


def test_the_same_key_is_stored_differently_each_time(cast: Cast, acme: RestClient) -> None:
    for name in ("One", "Two"):
        acme.post("models/providers", {**LOOPBACK, "name": name})

    with workspace_scope(cast.acme.caller):
        one, two = ModelProvider.objects.values_list("encrypted_key", flat=True)
    assert one != two


def test_a_short_key_gives_no_hint(acme: RestClient) -> None:
    assert acme.post("models/providers", {**LOOPBACK, "api_key": "abcd1234"}).json()["key_hint"] is None


def test_a_change_names_what_it_changes_and_keeps_the_key(cast: Cast, acme: RestClient) -> None:
    provider = acme.post("models/providers", LOOPBACK).json()

    changed = acme.put(f"models/providers/{provider['id']}", {"name": "Local", "timeout_seconds": 5}).json()

    assert (changed["name"], changed["timeout_seconds"], changed["has_key"]) == ("Local", 5, True)
    assert changed["base_url"] == LOOPBACK["base_url"]


@pytest.mark.parametrize("change", [{"base_url": "http://127.0.0.1:10/v1"}, {"kind": "google"}, {"api_key": ""}])
def test_a_new_address_drops_the_key_that_was_meant_for_the_old_one(acme: RestClient, change: dict[str, str]) -> None:
    provider = acme.post("models/providers", LOOPBACK).json()

    changed = acme.put(f"models/providers/{provider['id']}", change).json()

    assert (changed["has_key"], changed["key_hint"]) == (False, None)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"kind": "oracle"}, "kind"),
        ({"base_url": "models.example.com"}, "base_url"),
        ({"base_url": "ftp://models.example.com"}, "base_url"),
        ({"base_url": "http://"}, "base_url"),
        ({"base_url": "http://user:pw@models.example.com/v1"}, "base_url"),
        ({"base_url": "http://models.example.com/v1?key=1"}, "base_url"),
        ({"base_url": "http://models.example.com:99999/v1"}, "base_url"),
        ({"base_url": "http://models.exa mple.com/v1"}, "base_url"),
        ({"base_url": "http://[::1/v1"}, "base_url"),
        ({"api_key": "with space"}, "api_key"),
        ({"api_key": "line\nbreak"}, "api_key"),
        ({"api_key": "schlüssel"}, "api_key"),
        ({"timeout_seconds": 0}, "timeout_seconds"),
        ({"timeout_seconds": 601}, "timeout_seconds"),
        ({"has_key": True}, "has_key"),
    ],
)
def test_refuses_what_could_not_work(acme: RestClient, fields: dict[str, Any], named: str) -> None:
    answer = acme.post("models/providers", {**LOOPBACK, **fields})

    assert answer.status_code == 422, answer.content
    assert [problem["field"] for problem in answer.json()["errors"]] == [named]
    assert KEY not in answer.content.decode()
    assert acme.get("models/providers").json()["results"] == []


def test_names_are_told_apart(acme: RestClient) -> None:
    acme.post("models/providers", LOOPBACK)
    other = acme.post("models/providers", {**LOOPBACK, "name": "Other"}).json()

    for answer in (acme.post("models/providers", LOOPBACK), acme.put(f"models/providers/{other['id']}", LOOPBACK)):
        assert (answer.status_code, answer.json()["code"]) == (409, "provider_name_taken")


def test_a_provider_whose_models_are_chosen_stays(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    chosen = choose(cast.acme, server).provider
    spare = provide(cast.acme, server, name="Spare")

    refused = acme.delete(f"models/providers/{chosen.id}")

    assert (refused.status_code, refused.json()["code"]) == (409, "provider_in_use")
    assert acme.delete(f"models/providers/{spare.id}").status_code == 204
    assert [provider["name"] for provider in acme.get("models/providers").json()["results"]] == ["Loopback"]


def test_every_change_is_audited_without_the_key(cast: Cast, acme: RestClient) -> None:
    provider = acme.post("models/providers", LOOPBACK).json()
    acme.put(f"models/providers/{provider['id']}", {"timeout_seconds": 9, "api_key": "another-key-0123"})
    acme.delete(f"models/providers/{provider['id']}")

    with workspace_scope(cast.acme.caller):
        events = list(AuditEvent.objects.filter(object_id=provider["id"]).order_by("id"))
    assert [(event.action, event.details) for event in events] == [
        ("model_provider.added", {"kind": "openai"}),
        ("model_provider.changed", {"changed": ["timeout_seconds", "api_key"]}),
        ("model_provider.removed", {}),
    ]


def test_only_admins_change_and_everybody_inside_may_look(cast: Cast, acme: RestClient) -> None:
    provider = acme.post("models/providers", LOOPBACK).json()
    writer = cast.acme.rest(Right.READ, Right.WRITE, Right.FACTS)
    choice = {"tier": "large", "provider": provider["id"], "model": "tea-1"}

    for answer in (
        writer.post("models/providers", {**LOOPBACK, "name": "Mine"}),
        writer.put(f"models/providers/{provider['id']}", {"base_url": "http://127.0.0.1:1/v1"}),
        writer.delete(f"models/providers/{provider['id']}"),
        writer.post(f"models/providers/{provider['id']}/test", {"model": "tea-1"}),
        writer.put("models/choices", {"choices": [choice]}),
        writer.put("settings", {"models": {"monthly_budget": None}}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
    assert writer.get("models/providers").json()["results"] == [{**provider, "base_url": None, "key_hint": None}]


def test_the_outsider_finds_nothing_of_it(acme: RestClient, umbrella: RestClient) -> None:
    provider = acme.post("models/providers", LOOPBACK).json()
    theirs = {"tier": "large", "provider": provider["id"], "model": "tea-1"}

    for answer in (
        umbrella.put(f"models/providers/{provider['id']}", {"base_url": "http://127.0.0.1:1/v1"}),
        umbrella.delete(f"models/providers/{provider['id']}"),
        umbrella.post(f"models/providers/{provider['id']}/test", {"model": "tea-1"}),
        umbrella.put("models/choices", {"choices": [theirs]}),
        umbrella.get(f"/v1/workspaces/{acme.workspace_id}/models/providers"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert umbrella.get("models/providers").json()["results"] == []


def test_trying_a_provider_tells_whether_it_answers(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    provider = choose(cast.acme, server).provider

    trial = acme.post(f"models/providers/{provider.id}/test").json()

    assert (trial["works"], trial["detail"], trial["model"]) == (True, "Loopback answers.", "tea-1")
    assert trial["provider_code"] is None
    assert acme.get("prompt-runs").json()["results"][0]["kind"] == "test"


def test_trying_a_provider_shows_the_code_of_its_failure_and_not_its_words(
    cast: Cast, acme: RestClient, server: ModelServer
) -> None:
    provider = provide(cast.acme, server)
    server.will(failing(401, f"Incorrect API key: {KEY}. {'x' * 1_000}"))

    answer = acme.post(f"models/providers/{provider.id}/test", {"model": "tea-2"})

    trial = answer.json()
    assert (answer.status_code, trial["works"], trial["model"]) == (200, False, "tea-2")
    assert trial["detail"] == "Loopback does not accept its key (401). Enter the key again in the settings."
    assert trial["provider_code"] == "invalid_request_error"
    assert "Incorrect" not in answer.content.decode()
    assert KEY not in answer.content.decode()
    assert acme.get("prompt-runs").json()["results"][0]["outcome"] == trial["detail"]


def test_trying_a_provider_shows_no_page_of_another_server(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    provider = provide(cast.acme, server)
    server.will(Reply(raw=b"<html>the intranet</html>", status=404))

    answer = acme.post(f"models/providers/{provider.id}/test", {"model": "tea-1"})

    assert answer.json()["provider_code"] is None
    assert "intranet" not in answer.content.decode()


TOO_LONG = (
    "Loopback sent a longer answer than is read, or one of too many parts, or a compressed one. Check its address."
)


@pytest.mark.parametrize("status", [200, 400, 500])
@pytest.mark.parametrize("is_packed", [False, True], ids=["long", "packed"])
def test_an_answer_is_read_up_to_a_bound_and_never_unpacked(
    cast: Cast, acme: RestClient, server: ModelServer, status: int, *, is_packed: bool
) -> None:
    provider = provide(cast.acme, server)
    long = b" " * (MAX_ANSWER_BYTES + 1 if status == 200 else MAX_ERROR_BYTES + 1)
    headers = (("Content-Encoding", "gzip"),) if is_packed else ()
    server.will(Reply(raw=gzip.compress(long) if is_packed else long, status=status, headers=headers))

    trial = acme.post(f"models/providers/{provider.id}/test", {"model": "tea-1"}).json()

    assert (trial["works"], trial["detail"]) == (False, TOO_LONG)
    assert {seen.headers["accept-encoding"] for seen in server.seen} == {"identity"}


@pytest.mark.parametrize(
    "body",
    [
        b'{"choices":[' + b"{}," * 6_000 + b"{}]}",
        b'{"choices":[' + b"{},\n" * 6_000 + b"{}]}",
        b"[" * 6_000,
        b'{"choices":[' + b"0," * 6_000 + b"0]}",
        b"\n" * 500_000 + b"{}",
        b"\r" * 500_000 + b"{}",
    ],
    ids=["objects", "lines of objects", "depth", "numbers", "lines", "old lines"],
)
@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_an_answer_of_many_parts_is_not_taken_apart(
    cast: Cast, acme: RestClient, server: ModelServer, body: bytes, kind: str
) -> None:
    provider = provide(cast.acme, server)
    server.will(Reply(raw=body, headers=(("Content-Type", kind),)))

    trial = acme.post(f"models/providers/{provider.id}/test", {"model": "tea-1"}).json()

    assert (trial["works"], trial["detail"]) == (False, TOO_LONG)


def test_an_answer_of_many_commas_is_read(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    provider = provide(cast.acme, server)
    server.will(saying('1, [2], {3} and \\ " ' * 9_000))

    assert acme.post(f"models/providers/{provider.id}/test", {"model": "tea-1"}).json()["works"]


def test_an_answer_of_brackets_alone_is_a_broken_one(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    provider = provide(cast.acme, server)
    server.will(Reply(raw=b"[" * 4_900))

    answer = acme.post(f"models/providers/{provider.id}/test", {"model": "tea-1"})

    assert (answer.status_code, answer.json()["works"]) == (200, False)


def test_trying_a_provider_needs_a_model(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    provider = provide(cast.acme, server)

    answer = acme.post(f"models/providers/{provider.id}/test")

    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "model")
    assert server.seen == []
