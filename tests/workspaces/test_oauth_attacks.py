"""Attacks at the token endpoint: guessed secrets, stolen codes, codes that are used twice."""

from __future__ import annotations

import base64
import hashlib
import time
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from oauth2_provider.models import Application

from core.errors import UnauthenticatedError
from tests.cast import Answer, Cast
from tests.together import together
from tests.workspaces.oauth import BACK, Desk, told
from tests.workspaces.test_oauth_tokens import caller_with
from workspaces.access.login_throttle import MAX_FAILURES_OF_A_CLIENT
from workspaces.access.scope import person_scope
from workspaces.models import ConnectedApp

pytestmark = [pytest.mark.alone, pytest.mark.django_db]

SLOW_HASHER = "django.contrib.auth.hashers.PBKDF2PasswordHasher"
GUESSES = 24


@pytest.fixture
def slow_passwords(settings: Any) -> None:
    """Password hashes as slow as they are in production."""
    settings.PASSWORD_HASHERS = [SLOW_HASHER]


def register_confidential() -> tuple[str, str]:
    answer = Desk().registers(token_endpoint_auth_method="client_secret_basic").json()
    return answer["client_id"], answer["client_secret"]


def refresh_with(client_id: str, secret: str, *, address: str = "198.51.100.7") -> Answer:
    credentials = base64.b64encode(f"{client_id}:{secret}".encode()).decode()
    return Client(raise_request_exception=False).post(
        "/oauth/token",
        {"grant_type": "refresh_token", "refresh_token": "unknown"},
        headers={"Authorization": f"Basic {credentials}"},
        REMOTE_ADDR=address,
    )


def test_wrong_client_secrets_cost_little_and_the_later_ones_are_refused(db: None, slow_passwords: None) -> None:
    client_id, _ = register_confidential()
    began = time.process_time()

    answers = [refresh_with(client_id, f"wrong-{number}") for number in range(GUESSES)]

    spent = time.process_time() - began
    statuses = [answer.status_code for answer in answers]
    assert spent < 1, f"{GUESSES} wrong secrets cost {spent:.1f} CPU seconds."
    assert statuses == [401] * MAX_FAILURES_OF_A_CLIENT + [429] * (GUESSES - MAX_FAILURES_OF_A_CLIENT)
    assert (answers[-1].json()["error"], int(answers[-1]["Retry-After"]) > 0) == ("too_many_exchanges", True)


def test_registering_hashes_no_password(db: None, slow_passwords: None) -> None:
    began = time.process_time()
    for method in ("none", "client_secret_basic", "client_secret_post"):
        Desk().registers(token_endpoint_auth_method=method)

    assert time.process_time() - began < 0.5


def test_a_client_secret_is_kept_as_a_hash_and_opens_the_token_endpoint(cast: Cast) -> None:
    client_id, secret = register_confidential()

    kept = Application.objects.get(client_id=client_id).client_secret

    assert kept == "sha256$" + hashlib.sha256(secret.encode()).hexdigest()
    assert refresh_with(client_id, secret).json()["error"] == "invalid_grant", "The client was known, the token not."
    assert refresh_with(client_id, kept).json()["error"] == "invalid_client"


def test_a_public_client_has_no_secret_that_opens_anything(cast: Cast) -> None:
    desk = Desk.of(cast.alice)

    assert Application.objects.get(client_id=desk.client_id).client_secret == ""
    assert refresh_with(desk.client_id, "").json()["error"] == "invalid_client"


def test_a_secret_hashed_in_the_former_way_is_accepted_and_hashed_again(db: None, slow_passwords: None) -> None:
    client_id, secret = register_confidential()
    Application.objects.update(client_secret=make_password(secret), hash_client_secret=True)

    assert refresh_with(client_id, "wrong").json()["error"] == "invalid_client"
    assert Application.objects.get().client_secret.startswith("pbkdf2")
    assert refresh_with(client_id, secret).json()["error"] == "invalid_grant"
    assert Application.objects.get().client_secret.startswith("sha256$")
    assert refresh_with(client_id, secret).json()["error"] == "invalid_grant"


def test_former_hashes_are_checked_a_few_times_a_minute_wherever_calls_come_from(
    db: None, slow_passwords: None
) -> None:
    client_id, secret = register_confidential()
    Application.objects.update(client_secret=make_password(secret), hash_client_secret=True)
    began = time.process_time()

    statuses = [refresh_with(client_id, "wrong", address=f"198.51.100.{n}").status_code for n in range(GUESSES)]

    assert statuses.count(401) <= 6
    assert set(statuses) == {401, 429}
    assert time.process_time() - began < 6, "A few slow hashes, and no more of them."


def test_an_address_that_guesses_waits_and_others_do_not(db: None) -> None:
    client_id, _ = register_confidential()
    for _ in range(MAX_FAILURES_OF_A_CLIENT + 1):
        refresh_with(client_id, "wrong")

    assert refresh_with(client_id, "wrong").status_code == 429
    assert refresh_with(client_id, "wrong", address="198.51.100.8").status_code == 401


def test_exchanges_that_succeed_are_not_counted(cast: Cast) -> None:
    desk = Desk.of(cast.alice)
    tokens = desk.connects(cast.acme.workspace.id)

    for _ in range(MAX_FAILURES_OF_A_CLIENT + 2):
        answer = desk.refreshes(tokens["refresh_token"])
        assert answer.status_code == 200, answer.content
        tokens = answer.json()


@pytest.mark.django_db(transaction=True)
def test_guesses_at_the_same_moment_are_all_counted(cast: Cast) -> None:
    client_id, _ = register_confidential()

    answers = together([lambda: refresh_with(client_id, "wrong")] * GUESSES)

    assert sorted(each.status_code for each in answers).count(401) == MAX_FAILURES_OF_A_CLIENT


@pytest.mark.parametrize(
    "changed", [{"code_verifier": "w" * 64}, {"code_verifier": None}, {"redirect_uri": BACK + "x"}]
)
def test_a_code_is_worth_one_attempt(cast: Cast, changed: dict[str, Any]) -> None:
    desk = Desk.of(cast.alice)
    code = told(desk.consents(cast.acme.workspace.id))["code"]

    assert desk.exchanges(code, **changed).status_code == 400
    assert desk.exchanges(code).json()["error"] == "invalid_grant"


def test_another_client_cannot_spend_a_code(cast: Cast) -> None:
    desk, other = Desk.of(cast.alice), Desk.of(cast.alice)
    code = told(desk.consents(cast.acme.workspace.id))["code"]

    assert other.exchanges(code).json()["error"] == "invalid_grant"
    assert desk.exchanges(code).status_code == 200


def test_a_code_used_twice_ends_the_tokens_that_it_gave(cast: Cast) -> None:
    desk = Desk.of(cast.alice)
    code = told(desk.consents(cast.acme.workspace.id))["code"]
    first = desk.exchanges(code).json()
    second = desk.refreshes(first["refresh_token"]).json()

    assert desk.exchanges(code, code_verifier="w" * 64).json()["error"] == "invalid_grant"

    with pytest.raises(UnauthenticatedError, match="not valid"):
        caller_with(second)
    assert desk.refreshes(second["refresh_token"]).json()["error"] == "invalid_grant"
    with person_scope(cast.alice.id):
        assert not ConnectedApp.objects.filter(client_id=desk.client_id, revoked_at=None).exists()


def test_a_code_of_a_former_consent_leaves_the_tokens_of_the_next_one(cast: Cast) -> None:
    desk = Desk.of(cast.alice)
    former = told(desk.consents(cast.acme.workspace.id))["code"]
    desk.exchanges(former)
    tokens = desk.connects(cast.acme.workspace.id)

    assert desk.exchanges(former).json()["error"] == "invalid_grant"
    assert caller_with(tokens).workspace_id == cast.acme.workspace.id
