"""Guessing passwords is held up: for an e-mail, from an address, at both doors, also while Redis is away."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from core.clock import utc_now
from core.http.admission import Admission
from core.stores import redis
from tests.cast import PASSWORD, Answer, Cast
from tests.flows.outages import without
from tests.pages import text_of
from tests.together import together
from workspaces.access import login_throttle
from workspaces.access.attempt_counters import attempt_key
from workspaces.access.login_throttle import MAX_FOR_AN_EMAIL, MAX_FROM_AN_ADDRESS, SECONDS
from workspaces.models import AttemptCounter, User

pytestmark = [pytest.mark.alone, pytest.mark.django_db]

DOORS = ["/sign-in", "/admin/login/"]
HERE = "198.51.100.7"
WRONG = "not this one"


def sign_in(email: str, password: str = WRONG, *, door: str = "/sign-in", address: str = HERE) -> Answer:
    return Client().post(door, {"username": email, "password": password}, REMOTE_ADDR=address)


def fail(times: int, email: str, *, address: str = HERE) -> None:
    for _ in range(times):
        login_throttle.count_sign_in(email=email, address=address)


@pytest.mark.parametrize("door", DOORS)
def test_after_ten_failures_even_the_password_waits(cast: Cast, door: str) -> None:
    User.objects.filter(id=cast.alice.id).update(is_staff=True)
    for _ in range(MAX_FOR_AN_EMAIL):
        assert sign_in(cast.alice.email, door=door).status_code == 200

    refused = sign_in(cast.alice.email.upper(), PASSWORD, door=door)

    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= SECONDS
    assert "Too many attempts to sign in have failed. Try again in 15 min." in text_of(refused)


@pytest.mark.parametrize("door", DOORS)
def test_few_passwords_are_checked_at_once_and_the_rest_refused_before_they_are(
    cast: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch, door: str
) -> None:
    monkeypatch.setattr(login_throttle, "_hashing", Admission(settings.MAX_CONCURRENT_SIGN_INS))
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    CountingHasher.hashed.clear()

    with login_throttle.hashing_place("2001:db8::1"):
        refused = sign_in(cast.alice.email, door=door, address="2001:db8::2")
        assert (refused.status_code, CountingHasher.hashed) == (429, [])
        assert int(refused.headers["Retry-After"]) >= 1
        with login_throttle.hashing_place("192.0.2.1"):
            refused = sign_in(cast.alice.email, door=door)
            assert (refused.status_code, CountingHasher.hashed) == (503, [])
            assert int(refused.headers["Retry-After"]) >= 1
        assert sign_in(cast.alice.email, door=door).status_code == 200, "Another network has its own half."
    tried = AttemptCounter.objects.get(key=attempt_key("sign-in:email", cast.alice.email))
    assert tried.number == 1, "What was refused was not tried."


def test_what_an_address_may_not_try_leaves_no_row_of_the_name_that_it_gives() -> None:
    for number in range(MAX_FROM_AN_ADDRESS):
        fail(1, f"{number}@acme.example")
        login_throttle.count_exchange(client_id=f"app {number}", address=HERE)
    rows = AttemptCounter.objects.count()

    for number in range(20):
        with pytest.raises(login_throttle.TooManySignInsError):
            fail(1, f"other {number}@acme.example")
        with pytest.raises(login_throttle.TooManyExchangesError):
            login_throttle.count_exchange(client_id=f"other {number}", address=HERE)

    assert AttemptCounter.objects.count() == rows


def test_clients_of_one_ipv6_network_count_as_one() -> None:
    fail(1, "a@acme.example", address="2001:db8:1:2::1")
    fail(1, "b@acme.example", address="2001:db8:1:2:3::4")

    assert AttemptCounter.objects.get(key=attempt_key("sign-in:address", "2001:db8:1:2::/64")).number == 2
    clients = {limit.key for end in (1, 2) for limit in login_throttle._exchange_limits("app", f"2001:db8::{end}")}
    assert len(clients) == 2


def test_another_person_and_another_address_go_on(cast: Cast) -> None:
    fail(MAX_FOR_AN_EMAIL, cast.alice.email)

    assert sign_in(cast.bob.email, PASSWORD).status_code == 302
    assert sign_in(cast.alice.email, PASSWORD, address="198.51.100.8").status_code == 429, "It is the e-mail's."


def test_an_address_that_tries_many_people_waits_whoever_it_names(cast: Cast) -> None:
    for number in range(MAX_FROM_AN_ADDRESS):
        fail(1, f"person-{number}@acme.example")

    assert sign_in(cast.bob.email, PASSWORD).status_code == 429
    assert sign_in(cast.bob.email, PASSWORD, address="198.51.100.8").status_code == 302


def test_signing_in_forgets_the_failures_of_the_email_and_not_of_the_address(cast: Cast) -> None:
    fail(MAX_FOR_AN_EMAIL - 1, cast.alice.email)

    assert sign_in(cast.alice.email, PASSWORD).status_code == 302

    assert list(AttemptCounter.objects.values_list("key", "number")) == [
        (attempt_key("sign-in:address", HERE), MAX_FOR_AN_EMAIL - 1)
    ]


def test_a_program_is_told_in_its_own_words(cast: Cast) -> None:
    fail(MAX_FOR_AN_EMAIL, cast.alice.email)

    refused = Client(headers={"Accept": "application/json"}).post(
        "/sign-in", {"username": cast.alice.email, "password": PASSWORD}, REMOTE_ADDR=HERE
    )

    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_sign_ins")
    assert refused.headers["Retry-After"]


def test_the_counters_name_nobody(cast: Cast) -> None:
    fail(1, cast.alice.email)

    counters = list(AttemptCounter.objects.all())

    assert len(counters) == 2
    assert not any(name in counter.key for counter in counters for name in ("alice", "acme", HERE))
    assert all(0 < (counter.ends_at - utc_now()).total_seconds() <= SECONDS for counter in counters)


@pytest.mark.django_db(transaction=True)
def test_guesses_at_the_same_moment_are_all_counted(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login_throttle, "_hashing", Admission(48))
    answers = together([lambda: sign_in(cast.alice.email)] * 24)

    checked = [answer for answer in answers if answer.status_code == 200]
    assert len(checked) == MAX_FOR_AN_EMAIL


def test_an_address_that_waits_does_not_make_persons_wait(cast: Cast) -> None:
    for number in range(MAX_FROM_AN_ADDRESS):
        fail(1, f"person-{number}@acme.example")
    for _ in range(MAX_FOR_AN_EMAIL + 1):
        assert sign_in(cast.bob.email).status_code == 429

    assert sign_in(cast.bob.email, PASSWORD, address="198.51.100.8").status_code == 302


def test_the_limit_holds_without_redis_and_whatever_is_lost_there(cast: Cast, settings: Any) -> None:
    fail(MAX_FOR_AN_EMAIL - 1, cast.alice.email)
    redis.delete_all("oxa:")
    with without("valkey", settings):
        assert sign_in(cast.alice.email).status_code == 200
        assert sign_in(cast.alice.email, PASSWORD).status_code == 429
        assert sign_in(cast.bob.email, PASSWORD).status_code == 302


class CountingHasher(MD5PasswordHasher):
    """A hasher that notes each hash it computes."""

    algorithm = "counting"
    hashed: ClassVar[list[str]] = []

    def encode(self, password: str, salt: str) -> str:
        self.hashed.append(password)
        return super().encode(password, salt)


@pytest.mark.parametrize("door", DOORS)
def test_signing_in_does_not_tell_which_addresses_have_an_account(cast: Cast, settings: Any, door: str) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    for person in (cast.alice, cast.bob):
        person.set_password(PASSWORD)
    cast.alice.save()
    cast.bob.is_active = False
    cast.bob.save()
    texts, hashes = [], []

    for email in (cast.alice.email, cast.bob.email, "unknown@nowhere.example"):
        CountingHasher.hashed.clear()
        page = text_of(sign_in(email, door=door)).replace(email, "")
        texts.append(re.sub(r"[A-Za-z0-9]{64}", "", page))  # tokens against forged forms
        hashes.append(len(CountingHasher.hashed))

    assert len(set(texts)) == 1
    assert hashes == [1, 1, 1]
