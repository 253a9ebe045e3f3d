"""A forgotten password: a link by mail or from an operator sets another one, once, and tells strangers nothing."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import CommandError, call_command
from django.test import Client
from django_q.models import OrmQ

from core import mail as sending
from core.stores import queued_tasks
from tests.cast import PASSWORD, Answer, Cast
from tests.pages import text_of
from tests.workspaces.test_account import NEW, browser, clock, code_of, events, set_up, sign_in
from workspaces.access.login_throttle import MAX_RESETS_FROM_AN_ADDRESS, MAX_RESETS_OF_AN_EMAIL, count_reset
from workspaces.accounts.tasks import mail_reset_link
from workspaces.models import User

__all__ = ["clock"]  # a fixture
UNKNOWN = "unknown@nowhere.example"
LINK = re.compile(r"http://127\.0\.0\.1:8000(/sign-in/password/\S+)")


@pytest.fixture
def mailing(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EMAIL_URL = "smtp://127.0.0.1"
    settings.PUBLIC_URL = "http://127.0.0.1:8000"
    monkeypatch.setattr(sending, "_backend", lambda url: EmailBackend())


def ask(email: str, **extra: Any) -> Answer:
    return Client(raise_request_exception=False).post("/sign-in/forgotten", {"email": email}, **extra)


def work() -> None:
    """Do what waits in the queue, as the worker does."""
    for row in OrmQ.objects.order_by("id"):
        task = queued_tasks.read(row.payload)
        assert task.path == "workspaces.accounts.tasks.mail_reset_link"
        mail_reset_link(*map(str, task.args))
        row.delete()


def mailed_link(user: User) -> str:
    ask(user.email)
    work()
    found = LINK.search(str(mail.outbox[-1].body))
    assert found
    return found[1]


def open_link(client: Client, link: str) -> str:
    """Where the form is: the token is in the session, and not in the address."""
    answer = client.get(link)
    assert (answer.status_code, answer.headers["Referrer-Policy"]) == (302, "strict-origin")
    assert link.rsplit("/", maxsplit=1)[1] not in answer.headers["Location"]
    return str(answer.headers["Location"])


def test_a_mailed_link_sets_another_password_and_ends_all_sessions(cast: Cast, mailing: None) -> None:
    elsewhere, client = browser(cast.alice), Client()
    assert "Forgot password?" in text_of(client.get("/sign-in"))

    form = open_link(client, mailed_link(cast.alice))
    page = client.get(form)
    assert (page.status_code, page.headers["Referrer-Policy"]) == (200, "strict-origin")
    done = client.post(form, {"new": NEW}, follow=True)

    assert "Your password is changed" in text_of(done)
    assert client.get("/account").status_code == 302, "The link signs nobody in."
    assert elsewhere.get("/account").status_code == 302
    assert sign_in(cast.alice).status_code == 200
    assert sign_in(cast.alice, password=NEW).status_code == 302
    assert events(cast)[-1] == ("account.changed", {"fields": ["password"], "by": "link"})
    letter = mail.outbox[-1]
    assert (type(letter), letter.to, letter.content_subtype) == (mail.EmailMessage, [cast.alice.email], "plain")


def test_a_link_works_once(cast: Cast, mailing: None) -> None:
    link = mailed_link(cast.alice)
    first, second = Client(), Client()
    forms = [open_link(client, link) for client in (first, second)]

    assert first.post(forms[0], {"new": NEW}).status_code == 302
    late = second.post(forms[1], {"new": "yet another password"})
    assert late.status_code == 404
    assert Client().get(link).status_code == 404
    assert sign_in(cast.alice, password=NEW).status_code == 302


def test_a_link_expires_after_an_hour(cast: Cast, mailing: None, monkeypatch: pytest.MonkeyPatch) -> None:
    link = mailed_link(cast.alice)
    now = PasswordResetTokenGenerator()._now
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda self: now() + timedelta(minutes=59))
    assert Client().get(link).status_code == 302
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda self: now() + timedelta(minutes=61))

    answer = Client().get(link)

    assert answer.status_code == 404
    assert "This link is over" in text_of(answer)


def test_a_link_of_another_account_or_a_made_up_one_is_nothing(cast: Cast, mailing: None) -> None:
    mine, others = mailed_link(cast.alice).split("/"), mailed_link(cast.bob).split("/")
    crossed = "/".join([*mine[:-1], others[-1]])
    for link in (
        crossed,
        "/sign-in/password/x/y",
        f"/sign-in/password/{mine[-2]}/x-y",
        "/sign-in/password/%00/set-password",
    ):
        assert Client(raise_request_exception=False).get(link).status_code == 404, link


def test_a_simple_password_is_refused_and_the_link_stays(cast: Cast, mailing: None) -> None:
    client = Client()
    form = open_link(client, mailed_link(cast.alice))
    for simple in ("short", "password123", ""):
        assert client.post(form, {"new": simple}).status_code == 422
    assert client.post(form, {"new": NEW}).status_code == 302


def test_a_second_factor_is_still_asked(cast: Cast, mailing: None, clock: list[Any]) -> None:
    secret, _ = set_up(cast.alice, clock)
    client = Client()
    client.post(open_link(client, mailed_link(cast.alice)), {"new": NEW})

    assert sign_in(cast.alice, password=NEW).status_code == 200
    assert sign_in(cast.alice, code_of(secret, clock[0]), password=NEW).status_code == 302


def test_nothing_tells_which_addresses_have_an_account(
    cast: Cast, mailing: None, django_assert_num_queries: Any
) -> None:
    cast.bob.is_active = False
    cast.bob.save()
    answers = []
    for email in (cast.alice.email, cast.bob.email, UNKNOWN):
        with django_assert_num_queries(4):
            answers.append(ask(email))
    assert {(answer.status_code, answer.headers["Location"]) for answer in answers} == {
        (302, "/sign-in/forgotten/asked")
    }
    assert OrmQ.objects.count() == 3
    work()
    assert [letter.to for letter in mail.outbox] == [[cast.alice.email]]


def test_who_has_no_password_gets_none(cast: Cast, mailing: None) -> None:
    cast.alice.set_unusable_password()
    cast.alice.save()
    ask(cast.alice.email)
    work()
    assert mail.outbox == []


def test_the_host_of_a_request_is_not_in_the_mail(cast: Cast, mailing: None, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    ask(cast.alice.email, headers={"Host": "evil.example"})
    work()
    assert "evil.example" not in str(mail.outbox[-1].body)
    assert LINK.search(str(mail.outbox[-1].body))


@pytest.mark.parametrize("email", ["alice@acme.example", UNKNOWN])
def test_asking_again_and_again_is_held_up(cast: Cast, mailing: None, email: str) -> None:
    for _ in range(MAX_RESETS_OF_AN_EMAIL):
        assert ask(email).status_code == 302
    refused = ask(email.upper())
    assert refused.status_code == 429
    assert "Too many links were asked for" in text_of(refused)
    assert ask(cast.bob.email).status_code == 302
    assert sign_in(cast.alice).status_code == 302, "Who remembers the password is not held up."


def test_an_address_that_asks_for_many_waits(cast: Cast, mailing: None) -> None:
    for number in range(MAX_RESETS_FROM_AN_ADDRESS):
        count_reset(email=f"{number}@acme.example", address="127.0.0.1")
    assert ask(cast.alice.email).status_code == 429


def test_setting_a_password_forgets_the_failures(cast: Cast, mailing: None) -> None:
    for _ in range(10):
        sign_in(cast.alice, password="wrong")
    assert sign_in(cast.alice).status_code == 429
    client = Client()
    client.post(open_link(client, mailed_link(cast.alice)), {"new": NEW})
    assert sign_in(cast.alice, password=NEW).status_code == 302


def test_without_mail_the_page_says_whom_to_ask(cast: Cast) -> None:
    page = text_of(Client().get("/sign-in/forgotten"))
    assert "Ask the person who operates it" in page
    assert "<form" not in page.partition('class="card"')[2].partition("</main>")[0]
    assert ask(cast.alice.email).status_code == 422
    assert not OrmQ.objects.exists()


@pytest.mark.parametrize("email", ["", "alice", "a@b@c"])
def test_what_is_no_address_is_said(mailing: None, db: None, email: str) -> None:
    assert ask(email).status_code == 422


def test_an_operator_makes_a_link(cast: Cast) -> None:
    said = StringIO()
    call_command("reset_link", cast.alice.email.upper(), stdout=said)
    link = re.search(r"/sign-in/password/\S+", said.getvalue())
    assert link
    client = Client()
    assert client.post(open_link(client, link[0]), {"new": NEW}).status_code == 302
    assert sign_in(cast.alice, password=NEW).status_code == 302
    assert [action for action, _ in events(cast)[-2:]] == ["account.reset_link_made", "account.changed"]

    with pytest.raises(CommandError, match="no active account"):
        call_command("reset_link", UNKNOWN)


def test_passwords_can_be_shown(db: None) -> None:
    page = text_of(Client().get("/sign-in"))
    assert re.search(r"<button[^>]*data-show-password[^>]*>Show<span class=\"unseen\"> password</span></button>", page)
    assert PASSWORD not in page
