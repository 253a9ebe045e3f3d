"""Signing in with the OpenID Connect provider of an organisation: who gets in, to which account, and who does not."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from core.clock import utc_now
from core.http.oidc import OidcSettings
from tests.cast import PASSWORD, Cast
from tests.pages import text_of
from tests.workspaces.provider import ALICE, DANA, OidcProvider, enter, is_signed_in
from tests.workspaces.test_account import browser, clock, code_of, events, set_up, sign_in
from workspaces.accounts.services.invitation_links import InvitationLink, invite_by_link
from workspaces.accounts.single_sign_on import pages
from workspaces.models import ExternalIdentity, User

__all__ = ["clock"]  # a fixture
# --- Who gets in


def test_a_new_person_gets_an_account_without_workspaces_and_returns_to_it(provider: OidcProvider) -> None:
    client = Client()
    assert "Sign in with Acme Login" in text_of(client.get("/sign-in"))

    assert enter(provider, client).headers["Location"] == "/"
    assert is_signed_in(client)
    made = User.objects.get(email=DANA["email"])
    assert (made.name, made.has_usable_password(), made.is_staff) == ("Dana", False, False)
    page = text_of(client.get("/", follow=True))
    assert "Dana" in page or "dana@acme.example" in page

    provider.claims["email"] = "dana.new@acme.example"  # addresses change, the subject stays
    again = Client()
    enter(provider, again)
    assert again.session["_auth_user_id"] == str(made.pk)
    assert User.objects.count() == 1
    account = text_of(again.get("/account"))
    assert "you sign in with Acme Login" in account
    again.post("/sign-out")
    assert not is_signed_in(again)


@pytest.mark.parametrize(("said", "name"), [("\u202eDa\u200bna\n Ek", "Dana Ek"), ("Da\x00na", ""), (["Dana"], "")])
def test_a_name_is_one_that_a_person_could_have_typed(provider: OidcProvider, said: object, name: str) -> None:
    provider.claims["name"] = said

    enter(provider, Client())

    assert User.objects.get(email=DANA["email"]).name == name


def test_a_confirmed_account_is_linked_and_its_workspaces_hear_of_it(cast: Cast, provider: OidcProvider) -> None:
    provider.claims = dict(ALICE)
    client = Client()
    answer = enter(provider, client, next=f"/w/{cast.acme.workspace.slug}/memory")

    assert answer.headers["Location"] == f"/w/{cast.acme.workspace.slug}/memory"
    assert client.session["_auth_user_id"] == str(cast.alice.pk)
    assert events(cast)[-2:] == [("account.linked", {"by": "oidc"}), ("account.signed_in", {"by": "oidc"})]
    assert User.objects.get(pk=cast.alice.pk).name == "Alice"
    assert sign_in(cast.alice).status_code == 302


def test_the_address_of_an_account_that_a_link_made_is_not_taken_for_its_persons(
    cast: Cast, provider: OidcProvider
) -> None:
    provider.claims = dict(ALICE)
    User.objects.filter(pk=cast.alice.pk).update(is_email_confirmed=False)
    client = Client()
    refused = enter(provider, client)
    assert (refused.status_code, is_signed_in(client)) == (403, False)
    assert "no operator has confirmed that it is yours" in text_of(refused)
    assert not ExternalIdentity.objects.exists()

    cast.alice.refresh_from_db()
    cast.alice.set_unusable_password()
    cast.alice.save()
    assert enter(provider, client).status_code == 302
    assert User.objects.get(pk=cast.alice.pk).is_email_confirmed


def test_who_is_given_the_address_of_another_is_not_let_into_their_account(cast: Cast, provider: OidcProvider) -> None:
    provider.claims = dict(ALICE)
    enter(provider)
    provider.claims["sub"] = "alice-2"
    client = Client()
    refused = enter(provider, client)
    assert (refused.status_code, is_signed_in(client)) == (403, False)
    assert "ask an operator to unlink it" in text_of(refused)

    before = Client()
    before.force_login(cast.alice)
    other = Client()
    other.force_login(cast.bob)
    call_command("unlink_sign_in", cast.alice.email.upper(), verbosity=0)
    assert events(cast)[-1][0] == "account.unlinked"
    assert (is_signed_in(before), is_signed_in(other)) == (False, True)
    assert enter(provider, client).status_code == 302
    assert client.session["_auth_user_id"] == str(cast.alice.pk)
    with pytest.raises(CommandError, match="not linked"):
        call_command("unlink_sign_in", "nobody@acme.example")


@pytest.mark.parametrize("change", [{"is_staff": True}, {"is_superuser": True}, {"is_active": False}])
def test_staff_and_deactivated_people_do_not_get_in(
    cast: Cast, provider: OidcProvider, change: dict[str, bool]
) -> None:
    provider.claims = dict(ALICE)
    User.objects.filter(pk=cast.alice.pk).update(**change)
    client = Client()
    assert enter(provider, client).status_code == 403
    User.objects.filter(pk=cast.alice.pk).update(is_staff=False, is_superuser=False, is_active=True)
    assert enter(provider).status_code == 302
    User.objects.filter(pk=cast.alice.pk).update(**change)
    assert enter(provider, client).status_code == 403, "Nor once it is linked."
    assert not is_signed_in(client)


@pytest.mark.parametrize("said", [False, None, "true", 1])
def test_an_address_that_is_not_verified_finds_and_makes_no_account(
    cast: Cast, provider: OidcProvider, said: Any
) -> None:
    for claims in (ALICE, DANA):
        provider.claims = {**claims, "email_verified": said}
        answer = enter(provider)
        assert answer.status_code == 403
        assert "does not say that your e-mail address is verified" in text_of(answer)
    assert not ExternalIdentity.objects.exists()
    assert User.objects.count() == 3


def test_an_address_that_lower_case_makes_anothers_finds_no_account(cast: Cast, provider: OidcProvider) -> None:
    User.objects.create_user("kate@acme.example", None, name="Kate")
    provider.claims = {"sub": "other-1", "email": "\N{KELVIN SIGN}ate@acme.example", "email_verified": True}

    assert enter(provider).status_code == 403

    assert not ExternalIdentity.objects.exists()


@pytest.mark.parametrize(
    ("email", "domains", "gets_in"),
    [
        ("dana@acme.example", ("acme.example",), True),
        ("dana@ACME.example", ("umbrella.example", "acme.example"), True),
        ("dana@sub.acme.example", ("acme.example",), False),
        ("dana@notacme.example", ("acme.example",), False),
        ("dana@acme.example@evil.example", ("acme.example",), False),
        ("", ("acme.example",), False),
    ],
)
def test_only_domains_of_the_organisation_get_in(
    provider: OidcProvider, settings: Any, email: str, domains: tuple[str, ...], gets_in: bool
) -> None:
    settings.OIDC = replace(provider.settings, allowed_domains=domains)
    provider.claims["email"] = email
    assert enter(provider).status_code == (302 if gets_in else 403)
    assert User.objects.exists() is gets_in


def test_an_address_that_the_token_leaves_out_is_asked_for(provider: OidcProvider) -> None:
    provider.claims = {"sub": "dana-1"}
    provider.user_info = {**DANA, "sub": "another"}
    assert enter(provider).status_code == 403
    provider.user_info = dict(DANA)
    assert enter(provider).status_code == 302


# --- The second factor


def test_a_second_factor_is_asked_unless_the_provider_asked_for_several(
    cast: Cast, provider: OidcProvider, settings: Any, clock: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, _ = set_up(cast.alice, clock)
    provider.claims = {**ALICE, "amr": ["pwd"]}
    client = Client()
    answer = enter(provider, client, next="/account")
    assert (answer.headers["Location"], is_signed_in(client)) == ("/sign-in/code", False)
    assert "has a second factor" in text_of(client.get("/sign-in/code"))
    assert client.post("/sign-in/code", {"code": "000000"}).status_code == 422
    assert not is_signed_in(client)
    done = client.post("/sign-in/code", {"code": code_of(secret, clock[0])})
    assert (done.headers["Location"], is_signed_in(client)) == ("/account", True)

    late = Client()
    enter(provider, late)
    clock[0] += timedelta(seconds=30)
    monkeypatch.setattr(pages, "utc_now", lambda: utc_now() + timedelta(minutes=11))
    assert late.post("/sign-in/code", {"code": code_of(secret, clock[0])}).headers["Location"] == "/sign-in"
    assert not is_signed_in(late)
    monkeypatch.undo()

    provider.claims["amr"] = ["pwd", "mfa"]
    assert enter(provider).headers["Location"] == "/"
    provider.claims["amr"] = "mfa"
    assert enter(provider).status_code == 403, "It is a list."
    del provider.claims["amr"]
    settings.OIDC = replace(provider.settings, asks_code=False)
    assert enter(provider).headers["Location"] == "/"


def test_codes_are_held_up_like_passwords(cast: Cast, provider: OidcProvider, clock: list[Any]) -> None:
    secret, _ = set_up(cast.alice, clock)
    provider.claims = dict(ALICE)
    client = Client()
    enter(provider, client)
    for _ in range(10):
        client.post("/sign-in/code", {"code": "000000"})
    refused = client.post("/sign-in/code", {"code": code_of(secret, clock[0])})
    assert "Too many attempts" in text_of(refused)
    assert not is_signed_in(client)


def test_nobody_enters_a_code_without_having_come_from_the_provider(db: None) -> None:
    assert Client().get("/sign-in/code").headers["Location"] == "/sign-in"
    assert Client().post("/sign-in/code", {"code": "000000"}).headers["Location"] == "/sign-in"


# --- Passwords off


def test_with_the_provider_alone_passwords_are_for_staff(cast: Cast, provider: OidcProvider, settings: Any) -> None:
    settings.OIDC = replace(provider.settings, is_only=True)
    User.objects.filter(pk=cast.bob.pk).update(is_staff=True)
    page = text_of(Client().get("/sign-in"))
    assert "Staff: sign in with a password" in page

    refused = sign_in(cast.alice)
    assert refused.status_code == 200
    assert "Passwords are for staff here: sign in with Acme Login." in text_of(refused)
    assert "Passwords are for staff" not in text_of(sign_in(cast.alice, password="wrong"))
    assert sign_in(cast.bob).status_code == 302
    with pytest.raises(CommandError, match="passwords are for staff"):
        call_command("reset_link", cast.alice.email)
    assert "you sign in with Acme Login" in text_of(browser(cast.alice).get("/account"))


def test_with_the_provider_alone_a_link_makes_no_account_with_a_password(
    cast: Cast, provider: OidcProvider, settings: Any
) -> None:
    settings.OIDC = replace(provider.settings, is_only=True)
    invited = invite_by_link(caller=cast.acme.caller, email=DANA["email"], role="viewer")
    assert isinstance(invited, InvitationLink)
    client, here = Client(raise_request_exception=False), f"/join/{invited.token}"
    assert "Sign in with Acme Login" in text_of(client.get(here))
    assert client.post(here, {"name": "Dana", "password": PASSWORD}).status_code == 422
    assert not User.objects.filter(email=DANA["email"]).exists()

    assert enter(provider, client, next=here).headers["Location"] == here
    assert client.post(here).status_code == 302
    assert client.get(f"/w/{cast.acme.workspace.slug}/memory").status_code == 200


def test_without_a_provider_there_are_no_such_pages(db: None) -> None:
    client = Client(raise_request_exception=False)
    assert client.get("/sign-in/provider").status_code == 404
    assert client.get("/sign-in/provider/answer").status_code == 404
    assert "Sign in with" not in text_of(client.get("/sign-in"))


# --- Settings


FULL = OidcSettings("https://login.acme.example", "memory", "secret")


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (OidcSettings(), ""),
        (FULL, ""),
        (replace(FULL, issuer="http://127.0.0.1:8080/realms/acme"), ""),
        (replace(FULL, allowed_domains=("acme.example",), hosts=("10.0.0.0/8",), is_only=True), ""),
        (OidcSettings(is_only=True), "OIDC_ISSUER"),
        (OidcSettings(client_id="memory"), "OIDC_ISSUER"),
        (replace(FULL, issuer="http://login.acme.example"), "OIDC_ISSUER"),
        (replace(FULL, issuer="login.acme.example"), "OIDC_ISSUER"),
        (replace(FULL, issuer="https://login.acme.example?tenant=1"), "OIDC_ISSUER"),
        (replace(FULL, client_secret=""), "OIDC_CLIENT_SECRET"),
        (replace(FULL, allowed_domains=("*",)), "OIDC_ALLOWED_DOMAINS"),
        (replace(FULL, hosts=("10.0.0.0/99",)), "OIDC_HOSTS"),
    ],
)
def test_what_cannot_work_is_named(given: OidcSettings, names: str) -> None:
    found = given.problems()
    assert bool(found) is bool(names)
    assert all(names in sentence for sentence in found)
