"""Workspaces that operators make by script: one for each call, with a key that is shown once, and no door into any."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.utils import ProgrammingError
from django.test import Client

from core.clock import utc_now
from tests.cast import Answer, Cast, RestClient
from tests.serving import as_serving_role
from workspaces.access.callers import system_caller
from workspaces.access.idempotency_keys import KEPT
from workspaces.access.scope import workspace_scope
from workspaces.accounts.operators.services.operator_keys import (
    NewOperatorKey,
    create_operator_key,
    revoke_operator_key,
)
from workspaces.accounts.services.invitations import accept_invitation
from workspaces.models import AuditEvent, Invitation, Membership, OperatorEvent, OperatorKey, Role

BAKERY = {"name": "Bakery"}


@pytest.fixture
def key(db: None) -> NewOperatorKey:
    """The key of a script that signs customers up."""
    return create_operator_key(name="sign-up")


def asks(key: NewOperatorKey, body: Any = None, *, once: str = "", address: str = "/v1/workspaces") -> Answer:
    """POST with a body, GET without one."""
    headers = {"Authorization": f"Bearer {key.secret}", **({"Idempotency-Key": once} if once else {})}
    client = Client(raise_request_exception=False)
    if body is None:
        return client.get(address, headers=headers)
    return client.post(address, json.dumps(body), content_type="application/json", headers=headers)


def names(key: NewOperatorKey) -> list[str]:
    """The workspaces that a key has made."""
    return [one["name"] for one in asks(key).json()["results"]]


def events_of(workspace: str) -> list[tuple[str, str, str]]:
    """What the record of a workspace says, the oldest first: action, kind and name of the actor."""
    caller = system_caller(UUID(workspace), "test")
    with workspace_scope(caller):
        found = AuditEvent.objects.of(caller).order_by("created_at", "id")
        return list(found.values_list("action", "actor_kind", "actor_label"))


def test_a_workspace_comes_with_an_admin_key_that_is_shown_once(key: NewOperatorKey) -> None:
    made = asks(key, BAKERY)

    assert made.status_code == 201
    body = made.json()
    assert body.keys() == {"id", "name", "slug", "api_key"}
    assert (body["name"], body["slug"][:7]) == ("Bakery", "bakery-")
    assert sorted(body["api_key"]["scopes"]) == ["admin", "facts", "read", "write"]
    agent = RestClient(UUID(body["id"]), body["api_key"]["secret"])
    assert agent.remembered("The oven runs hot.", kind="fact")["kind"] == "fact"
    assert [one["id"] for one in agent.get("/v1/workspaces").json()["results"]] == [body["id"]]
    assert [one["name"] for one in agent.get("api-keys").json()["results"]] == ["Admin key of the operator"]
    assert body["api_key"]["secret"] not in asks(key).content.decode() + agent.get("api-keys").content.decode()
    assert events_of(body["id"]) == [
        ("workspace.founded", "system", "sign-up (operator's key)"),
        ("key.created", "system", "sign-up (operator's key)"),
    ]


def test_a_key_lists_what_it_made_and_nothing_else(cast: Cast, key: NewOperatorKey) -> None:
    other = create_operator_key(name="another")
    for name in ("Bakery", "Archive"):
        asks(key, {"name": name})
    asks(other, {"name": "Cellar"})

    assert (names(key), names(other)) == (["Archive", "Bakery"], ["Cellar"])
    page = asks(key, address="/v1/workspaces?limit=1").json()
    assert asks(key, address=page["next"]).json()["results"][0]["name"] == "Bakery"


def test_the_owner_is_invited_and_accepts(cast: Cast, key: NewOperatorKey) -> None:
    made = asks(key, {**BAKERY, "owner": "Bob@Acme.example"}).json()

    caller = system_caller(UUID(made["id"]), "test")
    with workspace_scope(caller):
        invitation = Invitation.objects.of(caller).get()
        assert (invitation.email, invitation.role) == ("bob@acme.example", Role.OWNER)
        assert not Membership.objects.of(caller).exists()
    agent = RestClient(UUID(made["id"]), made["api_key"]["secret"])
    assert [(one["role"], one["status"]) for one in agent.get("members").json()["results"]] == [("owner", "pending")]


def test_it_does_not_even_open_what_it_made(key: NewOperatorKey) -> None:
    made = asks(key, BAKERY).json()

    for path in ("memories", "settings", "export", "api-keys", "members"):
        assert RestClient(UUID(made["id"]), key.secret).get(path).status_code == 401, path


def test_keys_of_workspaces_and_people_make_none(cast: Cast, acme: RestClient) -> None:
    person = Client()
    person.force_login(cast.alice)
    answers = [
        acme.post("/v1/workspaces", BAKERY),
        person.post("/v1/workspaces", json.dumps(BAKERY), content_type="application/json"),
    ]

    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (403, "operators_only")
        assert "manage.py make_operator_key" in answer.json()["detail"]
    assert len(acme.get("/v1/workspaces").json()["results"]) == 1


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "invalid", "name"),
        ({"name": ""}, "invalid", "name"),
        ({"name": "x" * 121}, "invalid", "name"),
        ({"name": "two\nlines"}, "invalid", "name"),
        ({**BAKERY, "owner": "nowhere"}, "invalid", "owner"),
        ({**BAKERY, "slug": "bakery"}, "unknown_field", "slug"),
    ],
)
def test_what_cannot_be_made_is_refused(key: NewOperatorKey, body: dict[str, str], code: str, field: str) -> None:
    answer = asks(key, body)

    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert [problem["field"] for problem in answer.json()["errors"]] == [field]
    assert names(key) == []


def test_a_lost_answer_is_asked_for_again_and_makes_nothing_twice(key: NewOperatorKey) -> None:
    lost, again = asks(key, BAKERY, once="customer-7"), asks(key, BAKERY, once="customer-7")

    assert (lost.status_code, again.status_code) == (201, 201)
    assert ("Idempotency-Replayed" in lost.headers, again["Idempotency-Replayed"]) == (False, "true")
    assert again.json()["id"] == lost.json()["id"]
    first, second = (
        RestClient(UUID(one.json()["id"]), one.json()["api_key"]["secret"]).get("memories") for one in (lost, again)
    )
    assert (first.status_code, first.json()["code"]) == (401, "revoked_key")
    assert second.status_code == 200
    assert names(key) == ["Bakery"]


def test_a_key_that_arrived_is_not_replaced(key: NewOperatorKey) -> None:
    made = asks(key, BAKERY, once="customer-7").json()
    agent = RestClient(UUID(made["id"]), made["api_key"]["secret"])
    assert agent.get("memories").status_code == 200

    again = asks(key, BAKERY, once="customer-7")

    assert (again.status_code, again.json()["code"]) == (409, "answer_not_kept")
    assert made["id"] in again.json()["detail"]
    assert agent.get("memories").status_code == 200


def test_no_key_is_made_again_for_a_workspace_that_people_have_joined(cast: Cast, key: NewOperatorKey) -> None:
    asked = {**BAKERY, "owner": "bob@acme.example"}
    made = asks(key, asked, once="customer-7").json()
    caller = system_caller(UUID(made["id"]), "test")
    with workspace_scope(caller):
        invitation = Invitation.objects.of(caller).get()
    accept_invitation(user=cast.bob, invitation_id=invitation.id)

    again = asks(key, asked, once="customer-7")

    assert (again.status_code, again.json()["code"]) == (409, "answer_not_kept")
    assert "a person joined it" in again.json()["detail"]
    assert RestClient(UUID(made["id"]), made["api_key"]["secret"]).get("memories").status_code == 200


def test_an_idempotency_key_is_of_one_request_one_operator_and_one_day(key: NewOperatorKey) -> None:
    first = asks(key, BAKERY, once="customer-7").json()
    other = create_operator_key(name="another")

    reused = asks(key, {"name": "Cellar"}, once="customer-7")
    assert (reused.status_code, reused.json()["code"]) == (422, "idempotency_key_reused")
    assert asks(key, BAKERY, once="with space").status_code == 422
    assert asks(other, BAKERY, once="customer-7").json()["id"] != first["id"]
    with time_machine.travel(utc_now() + KEPT + timedelta(seconds=1)):
        assert asks(key, BAKERY, once="customer-7").json()["id"] != first["id"]
    assert names(key) == ["Bakery", "Bakery"]


def test_what_was_refused_may_be_tried_again(key: NewOperatorKey) -> None:
    assert asks(key, {"name": ""}, once="customer-7").status_code == 422

    assert asks(key, BAKERY, once="customer-7").status_code == 201


def test_its_calls_are_counted(key: NewOperatorKey, settings: Any) -> None:
    settings.RATE_LIMIT_PER_MINUTE = 2
    answers = [asks(key) for _ in range(6)]  # over two minutes at most

    assert answers[0]["RateLimit-Limit"] == "2"
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert (refused.json()["code"], int(refused["Retry-After"]) > 0) == ("too_many_requests", True)


def test_a_revoked_key_makes_nothing_and_each_workspace_learns_it(key: NewOperatorKey) -> None:
    made = asks(key, BAKERY).json()

    for _ in range(2):
        call_command("revoke_operator_key", str(key.key.id), stdout=StringIO())

    for body in (None, BAKERY):
        answer = asks(key, body)
        assert (answer.status_code, answer.json()["code"]) == (401, "revoked_key")
    assert [action for action, _, _ in events_of(made["id"])].count("operator_key.revoked") == 1
    agent = RestClient(UUID(made["id"]), made["api_key"]["secret"])
    assert agent.get("memories").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("secret", ["oxa_operator_" + "x" * 43, "oxa_operator_", "oxa_operator_" + "x" * 4_000])
def test_secrets_of_nothing_are_not_valid(secret: str) -> None:
    answer = Client().get("/v1/workspaces", headers={"Authorization": f"Bearer {secret}"})

    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_key")


@pytest.mark.django_db
def test_commands_make_list_and_revoke_keys() -> None:
    said, listed = StringIO(), StringIO()
    call_command("make_operator_key", name="sign-up", stdout=said, stderr=StringIO())
    made, secret = (line.split()[1] for line in said.getvalue().splitlines())

    assert secret.startswith("oxa_operator_")
    assert OperatorKey.objects.get(id=made).secret_hash not in {"", secret}
    call_command("operator_keys", stdout=listed)
    assert "active, last used never  sign-up" in listed.getvalue()
    assert secret not in listed.getvalue()
    call_command("revoke_operator_key", made, stdout=listed)
    call_command("operator_keys", events=True, stdout=listed)
    assert "sign-up" in listed.getvalue()
    assert [line.split()[1] for line in listed.getvalue().splitlines()[-2:]] == [
        "operator_key.created",
        "operator_key.revoked",
    ]
    for command, arguments in (("revoke_operator_key", [str(uuid4())]), ("make_operator_key", ["--name", " "])):
        with pytest.raises(CommandError):
            call_command(command, *arguments)


@pytest.mark.django_db(transaction=True)
def test_the_record_of_operators_cannot_be_changed_by_what_serves() -> None:
    made = create_operator_key(name="sign-up")
    with as_serving_role():
        assert asks(made, BAKERY).status_code == 201
        assert [event.action for event in OperatorEvent.objects.order_by("id")] == [
            "operator_key.created",
            "workspace.founded",
        ]
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            OperatorEvent.objects.update(action="nothing")
        revoke_operator_key(key_id=made.key.id)
