"""A person's account: the password, and a second factor at every door where a person signs in."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from core.crypto import decrypt
from tests.cast import PASSWORD, Answer, Cast
from tests.pages import Visitor, text_of
from workspaces.access.scope import workspace_scope
from workspaces.accounts import totp
from workspaces.accounts.services import second_factor
from workspaces.accounts.services.memberships import add_member
from workspaces.models import AuditEvent, Role, SecondFactor, User

DOORS = ["/sign-in", "/admin/login/"]
NEW = "another long password"
NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
# RFC 6238, appendix B, for SHA-1; of eight digits the last six.
VECTORS = [
    (59, "287082"),
    (1111111109, "081804"),
    (1111111111, "050471"),
    (1234567890, "005924"),
    (2000000000, "279037"),
]
RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The time, which a test moves."""
    now = [NOW]
    monkeypatch.setattr(second_factor, "utc_now", lambda: now[0])
    return now


def browser(user: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def code_of(secret: str, at: datetime) -> str:
    return totp.make_code(secret, int(at.timestamp()) // totp.STEP_SECONDS)


def set_up(user: User, clock: list[datetime]) -> tuple[str, list[str]]:
    """The secret of a second factor that the person has now, and its recovery codes; the next code is due."""
    secret = totp.new_secret()
    codes = second_factor.set_up_second_factor(user=user, secret=secret, code=code_of(secret, clock[0]))
    clock[0] += timedelta(seconds=30)
    return secret, codes


def sign_in(user: User, code: str = "", *, door: str = "/sign-in", password: str = PASSWORD) -> Answer:
    return Client().post(door, {"username": user.email, "password": password, "code": code})


def events(cast: Cast) -> list[tuple[str, dict[str, Any]]]:
    with workspace_scope(cast.acme.caller):
        return list(AuditEvent.objects.order_by("id").values_list("action", "details"))


# --- Codes


@pytest.mark.parametrize(("seconds", "code"), VECTORS)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    at = datetime.fromtimestamp(seconds, tz=UTC)
    assert totp.make_code(RFC_SECRET, seconds // 30) == code
    assert totp.find_step(RFC_SECRET, f"{code[:3]} {code[3:]}", now=at) == seconds // 30
    assert totp.find_step(RFC_SECRET, code, now=at + timedelta(seconds=120)) is None


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "１２３４５６", "-12345"])
def test_what_is_no_code_fits_nothing(code: str) -> None:
    assert totp.find_step(RFC_SECRET, code, now=NOW) is None


# --- Signing in


@pytest.mark.parametrize("door", DOORS)
def test_the_password_alone_opens_no_door_of_who_has_a_second_factor(
    cast: Cast, clock: list[datetime], door: str
) -> None:
    User.objects.filter(id=cast.alice.id).update(is_staff=True)
    secret, _ = set_up(cast.alice, clock)
    code = code_of(secret, clock[0])
    wrong = f"{(int(code) + 1) % 10**6:06d}"

    for refused in (sign_in(cast.alice, door=door), sign_in(cast.alice, wrong, door=door)):
        assert refused.status_code == 200
        assert "has a second factor" in text_of(refused)
    assert 'name="code"' in text_of(Client().get(door))
    assert sign_in(cast.alice, code, door=door, password="wrong").status_code == 200
    assert sign_in(cast.alice, code, door=door).status_code == 302


def test_without_a_second_factor_no_code_is_asked_of_anybody(cast: Cast) -> None:
    assert sign_in(cast.alice).status_code == 302
    assert sign_in(cast.bob, "123456").status_code == 302


def test_a_code_works_once(cast: Cast, clock: list[datetime]) -> None:
    secret, _ = set_up(cast.alice, clock)
    code = code_of(secret, clock[0])

    assert sign_in(cast.alice, code).status_code == 302
    assert sign_in(cast.alice, code).status_code == 200
    clock[0] += timedelta(seconds=30)
    assert sign_in(cast.alice, code_of(secret, clock[0])).status_code == 302


def test_a_recovery_code_works_once_and_for_its_person_alone(cast: Cast, clock: list[datetime]) -> None:
    _, codes = set_up(cast.alice, clock)
    set_up(cast.bob, clock)

    assert len(set(codes)) == 8
    assert sign_in(cast.bob, codes[0]).status_code == 200
    assert sign_in(cast.alice, codes[0].upper()).status_code == 302
    assert sign_in(cast.alice, codes[0]).status_code == 200
    assert second_factor.count_recovery_codes(cast.alice) == 7


def test_wrong_codes_are_held_up_like_wrong_passwords(cast: Cast, clock: list[datetime]) -> None:
    set_up(cast.alice, clock)
    statuses = [sign_in(cast.alice, "000000").status_code for _ in range(11)]
    assert statuses[-1] == 429


def test_secrets_are_kept_encrypted_and_recovery_codes_hashed(cast: Cast, clock: list[datetime]) -> None:
    secret, codes = set_up(cast.alice, clock)
    kept = SecondFactor.objects.get(user=cast.alice)

    assert secret not in str(vars(kept))
    assert not any(code in str(vars(kept)) for code in codes)
    assert decrypt(kept.secret, purpose=f"second factor {cast.alice.id}") == secret


def test_a_new_secret_key_reads_them_after_reencryption(cast: Cast, clock: list[datetime], settings: Any) -> None:
    secret, _ = set_up(cast.alice, clock)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "k" * 50
    call_command("reencrypt_secrets", verbosity=0)
    settings.SECRET_KEY_FALLBACKS = []

    assert second_factor.use_code(user=cast.alice, code=code_of(secret, clock[0]))


def test_a_secret_that_cannot_be_read_lets_nobody_in(cast: Cast, clock: list[datetime], settings: Any) -> None:
    secret, codes = set_up(cast.alice, clock)
    settings.SECRET_KEY = "k" * 50

    assert not second_factor.use_code(user=cast.alice, code=code_of(secret, clock[0]))
    assert second_factor.use_code(user=cast.alice, code=codes[0])


def test_operators_take_a_lost_one_away(cast: Cast, clock: list[datetime]) -> None:
    set_up(cast.alice, clock)
    call_command("remove_second_factor", cast.alice.email.upper(), verbosity=0)

    assert sign_in(cast.alice).status_code == 302
    with pytest.raises(CommandError):
        call_command("remove_second_factor", cast.alice.email)


# --- The page


def test_it_is_set_up_and_taken_away_on_the_page(cast: Cast, clock: list[datetime]) -> None:
    client = browser(cast.alice)
    page = text_of(client.get("/account"))
    secret = re.search(r'name="secret" value="([A-Z2-7]{32})"', page)
    assert secret

    wrong = client.post("/account/second-factor", {"secret": secret[1], "code": "000000"})
    assert wrong.status_code == 422
    assert secret[1] in text_of(wrong)
    done = client.post("/account/second-factor", {"secret": secret[1], "code": code_of(secret[1], clock[0])})
    assert len(re.findall(r"[0-9a-f]{6}-[0-9a-f]{6}", text_of(done))) == 8
    assert "On: signing in takes a code" in text_of(client.get("/account"))
    assert client.post("/account/second-factor", {"secret": secret[1], "code": "1"}).status_code == 422

    clock[0] += timedelta(seconds=30)
    assert client.post("/account/second-factor/remove", {"code": "000000"}).status_code == 422
    code = code_of(secret[1], clock[0])
    assert client.post("/account/second-factor/remove", {"code": code}).status_code == 302
    assert not SecondFactor.objects.exists()
    assert events(cast)[-2:] == [("account.changed", {"fields": ["second_factor"]})] * 2


def test_a_second_one_is_refused(cast: Cast, clock: list[datetime]) -> None:
    set_up(cast.alice, clock)
    other = totp.new_secret()
    answer = browser(cast.alice).post("/account/second-factor", {"secret": other, "code": code_of(other, clock[0])})
    assert answer.status_code == 422
    assert "Turn it off before" in text_of(answer)


def test_the_password_changes_and_other_sessions_end(cast: Cast) -> None:
    here, elsewhere = browser(cast.alice), browser(cast.alice)

    answer = here.post("/account/password", {"old": PASSWORD, "new": NEW})

    assert answer.status_code == 302
    assert here.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 302
    assert sign_in(cast.alice, password=NEW).status_code == 302
    assert sign_in(cast.alice).status_code == 200
    assert events(cast)[-1] == ("account.changed", {"fields": ["password"]})


def test_password_managers_find_whose_password_it_is(cast: Cast) -> None:
    fields = re.findall(r'<input[^>]*autocomplete="username"[^>]*>', text_of(browser(cast.alice).get("/account")))
    assert len(fields) == 1
    assert f'value="{cast.alice.email}"' in fields[0]
    assert " hidden" in fields[0]


@pytest.mark.parametrize(("old", "new"), [("wrong", NEW), (PASSWORD, "short"), (PASSWORD, "password123"), ("", "")])
def test_a_wrong_or_simple_password_changes_nothing(cast: Cast, old: str, new: str) -> None:
    assert browser(cast.alice).post("/account/password", {"old": old, "new": new}).status_code == 422
    assert sign_in(cast.alice).status_code == 302


def test_staff_change_their_password_there_too_where_guessing_is_held_up(cast: Cast) -> None:
    User.objects.filter(pk=cast.alice.pk).update(is_staff=True)
    given = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}

    answer = browser(cast.alice).post("/admin/password_change/", given)

    assert (answer.status_code, answer.headers["Location"]) == (302, "/account")
    assert sign_in(cast.alice).status_code == 302


def test_guessing_the_password_in_a_session_is_held_up(cast: Cast) -> None:
    client = browser(cast.alice)
    for _ in range(10):
        client.post("/account/password", {"old": "wrong", "new": NEW})
    answer = client.post("/account/password", {"old": PASSWORD, "new": NEW})
    assert answer.status_code == 422
    assert "Too many attempts" in text_of(answer)


@pytest.mark.parametrize("path", ["/account", "/account/password", "/account/second-factor"])
def test_strangers_sign_in_first(db: None, path: str) -> None:
    client = Client()
    answer = client.get(path) if path == "/account" else client.post(path)
    assert answer.headers["Location"].startswith("/sign-in?next=")


# --- Refusals in the frame


@pytest.mark.parametrize(
    ("path", "posts", "words"),
    [
        ("settings/data", False, "Owners and admins of this workspace may do this."),
        ("settings/activity", False, "Only owners of the workspace see its activity."),
        ("memory/remember", False, "Owners, admins and members of this workspace may do this."),
        ("settings/members", True, "Owners and admins of this workspace may do this."),
        ("settings/delete", False, "Only an owner of the workspace can erase it"),
        ("settings/delete", True, "Only an owner of the workspace can erase it"),
    ],
)
def test_a_refusal_stands_in_the_frame_and_says_who_may(cast: Cast, path: str, posts: bool, words: str) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    viewer = Visitor.of(cast.bob, cast.acme.workspace)

    answer = viewer.post(path) if posts else viewer.get(path)

    assert answer.status_code == 403
    page = text_of(answer)
    assert words in page
    assert 'class="rail-nav"' in page
    assert "lacks the scope" not in page
