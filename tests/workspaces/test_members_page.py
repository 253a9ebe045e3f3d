"""Settings → Members: who sees and changes what, and links that let a person in once."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.log_redaction import mask_path
from core import mail as sending
from core.clock import utc_now
from tests.cast import PASSWORD, Answer, Cast, Household
from tests.pages import Visitor, as_role, text_of
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import received_invitations, workspace_invitations
from workspaces.accounts.services.invitations import invite_member
from workspaces.accounts.services.memberships import add_member
from workspaces.models import AuditEvent, Invitation, Membership, Role, User

DANA = "dana@elsewhere.example"
NEW_PASSWORD = "a quite long one"
LINK = re.compile(r"http://testserver(/join/[\w-]{43})")


def invite(visitor: Visitor, email: str = DANA, role: str = "member") -> str:
    """The path of the link that inviting shows."""
    answer = visitor.post("settings/members", email=email, role=role)
    found = LINK.search(text_of(answer))
    assert found, text_of(answer)
    return found[1]


def roles(household: Household) -> dict[str, str]:
    with workspace_scope(household.caller):
        return {one.user.email: one.role for one in Membership.objects.select_related("user")}


def actions(household: Household) -> list[str]:
    with workspace_scope(household.caller):
        return list(AuditEvent.objects.order_by("id").values_list("action", flat=True))


def join(path: str, **fields: str) -> tuple[Client, Answer]:
    client = Client(raise_request_exception=False)
    return client, client.post(path, {"name": "Dana", "password": NEW_PASSWORD, **fields})


def browser_of(user: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


# --- The page


@pytest.mark.parametrize("role", list(Role))
def test_every_role_sees_the_members_and_governors_their_addresses(cast: Cast, role: Role) -> None:
    visitor = as_role(cast, role)
    page = text_of(visitor.get("settings/members")).partition('id="members"')[2]
    governs = role in {Role.OWNER, Role.ADMIN}

    assert "Alice" in page
    assert (cast.alice.email in page) is governs
    assert ("Invite</button>" in page) is governs
    assert (f"settings/members/{cast.alice.id}/remove" in page) is (role == Role.OWNER)


@pytest.mark.parametrize("role", [Role.MEMBER, Role.VIEWER])
def test_members_and_viewers_change_nothing(cast: Cast, role: Role) -> None:
    visitor, before = as_role(cast, role), roles(cast.acme)

    for path, fields in (
        ("settings/members", {"email": DANA, "role": "viewer"}),
        (f"settings/members/{cast.alice.id}/role", {"role": "viewer"}),
        (f"settings/members/{cast.alice.id}/remove", {}),
        ("settings/members/withdraw", {"email": DANA}),
    ):
        assert visitor.post(path, **fields).status_code == 403, path
    assert roles(cast.acme) == before
    assert workspace_invitations(cast.acme.caller) == []


def test_an_outsider_finds_nothing(outsider: Visitor, cast: Cast) -> None:
    for path in ("settings/members", f"settings/members/{cast.bob.id}/role", "settings/members/withdraw"):
        assert outsider.post(path, email=DANA, role="owner").status_code == 404, path
    assert outsider.get("settings/members").status_code == 404


def test_an_admin_is_offered_no_owner_and_changes_none(cast: Cast) -> None:
    visitor = as_role(cast, Role.ADMIN)
    page = text_of(visitor.get("settings/members"))

    assert 'value="owner"' not in page
    assert f"settings/members/{cast.alice.id}/" not in page
    assert visitor.post("settings/members", email=DANA, role="owner").status_code == 422
    assert visitor.post(f"settings/members/{cast.alice.id}/role", role="viewer").status_code == 403
    assert visitor.post(f"settings/members/{cast.alice.id}/remove").status_code == 403
    assert roles(cast.acme)[cast.alice.email] == "owner"


def test_roles_change_and_people_go(alice: Visitor, cast: Cast) -> None:
    alice.post(f"settings/members/{cast.bob.id}/role", role="viewer")
    assert roles(cast.acme)[cast.bob.email] == "viewer"

    assert alice.post(f"settings/members/{cast.bob.id}/role", role="king").status_code == 422
    assert alice.post(f"settings/members/{cast.alice.id}/remove").status_code == 409

    alice.post(f"settings/members/{cast.bob.id}/remove")
    assert cast.bob.email not in roles(cast.acme)
    assert alice.post(f"settings/members/{cast.bob.id}/remove").status_code == 404


def test_ids_of_people_elsewhere_are_absent(alice: Visitor, cast: Cast) -> None:
    for verb in ("role", "remove"):
        assert alice.post(f"settings/members/{cast.charlie.id}/{verb}", role="viewer").status_code == 404


def test_the_number_of_queries_does_not_grow(alice: Visitor, cast: Cast) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            alice.get("settings/members")
        return len(queries)

    before = count()
    for number in range(4):
        user = User.objects.create_user(f"p{number}@acme.example", PASSWORD)
        add_member(caller=cast.acme.caller, email=user.email, role=Role.VIEWER)
        invite_member(caller=cast.acme.caller, email=f"i{number}@acme.example", role=Role.VIEWER)
    assert count() == before


def test_names_are_text(alice: Visitor, cast: Cast) -> None:
    cast.bob.name = '<img src=x onerror="alert(1)">'
    cast.bob.save()
    page = text_of(alice.get("settings/members"))
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page


# --- The link


def test_a_link_makes_an_account_and_a_member_once(alice: Visitor, cast: Cast) -> None:
    path = invite(alice)
    page = Client().get(path)
    assert "Join Acme" in text_of(page)
    assert page.headers["Referrer-Policy"] == "strict-origin"

    client, answer = join(path)

    assert answer.headers["Location"] == f"/w/{cast.acme.workspace.slug}"
    assert client.get(f"/w/{cast.acme.workspace.slug}/memory").status_code == 200
    assert roles(cast.acme)[DANA] == "member"
    assert actions(cast.acme)[-3:] == ["member.invited", "invitation.accepted", "member.added"]
    assert Client().post("/sign-in", {"username": DANA, "password": NEW_PASSWORD}).status_code == 302
    for again in (join(path)[1], Client().get(path)):
        assert again.status_code == 404
        assert "was used or withdrawn, or has expired" in text_of(again)


def test_a_link_is_for_its_address_alone(alice: Visitor, cast: Cast) -> None:
    path = invite(alice)
    charlie = browser_of(cast.charlie)

    assert "Sign out, then open the link again" in text_of(charlie.get(path))
    assert charlie.post(path).status_code == 403
    assert cast.charlie.email not in roles(cast.acme)


def test_who_has_an_account_signs_in_first(alice: Visitor, cast: Cast) -> None:
    path = invite(alice, cast.charlie.email, "viewer")

    page = text_of(Client().get(path))
    assert f"/sign-in?next={path}" in page
    assert join(path, password="another long one")[1].status_code == 422
    assert cast.charlie.check_password(PASSWORD)

    assert browser_of(cast.charlie).post(path).status_code == 302
    assert roles(cast.acme)[cast.charlie.email] == "viewer"


def test_a_link_does_not_tell_whether_its_address_has_an_account(alice: Visitor, cast: Cast) -> None:
    """Who may invite may invite any address, and open the link: that must not list the accounts of the server."""
    pages = {}
    for email in (cast.charlie.email, DANA):
        path = invite(alice, email, "viewer")
        page = text_of(Client().get(path)).replace(email, "").replace(path, "")
        pages[email] = re.sub(r"\b\w{64}\b", "", page)  # the token of its forms

    assert pages[cast.charlie.email] == pages[DANA]
    assert 'name="password"' in pages[DANA]


@pytest.mark.parametrize("password", ["", "short", "password123"])
def test_a_simple_password_is_refused_and_the_link_stays(alice: Visitor, password: str) -> None:
    path = invite(alice)

    assert join(path, password=password)[1].status_code == 422
    assert not User.objects.filter(email=DANA).exists()
    assert join(path)[1].status_code == 302


def test_a_new_link_replaces_the_old_one_and_withdrawing_ends_it(alice: Visitor) -> None:
    first, second = invite(alice), invite(alice)
    assert first != second
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200

    alice.post("settings/members/withdraw", email=DANA)
    assert Client().get(second).status_code == 404


def test_a_link_expires(alice: Visitor, cast: Cast) -> None:
    path = invite(alice)
    with workspace_scope(cast.acme.caller):
        Invitation.objects.update(expires_at=utc_now() - timedelta(seconds=1))

    assert Client().get(path).status_code == 404
    assert join(path)[1].status_code == 404
    assert "expired" in text_of(alice.get("settings/members"))


def test_a_link_goes_with_the_one_who_sent_it(alice: Visitor, cast: Cast) -> None:
    path = invite(as_role(cast, Role.ADMIN))
    alice.post(f"settings/members/{cast.bob.id}/role", role="member")

    assert Client().get(path).status_code == 404


def test_only_a_hash_is_kept_and_no_log_has_the_link(alice: Visitor, cast: Cast) -> None:
    path = invite(alice)
    token = path.removeprefix("/join/")
    with workspace_scope(cast.acme.caller):
        kept = Invitation.objects.get()
        assert token not in str(vars(kept))
        assert token not in str(list(AuditEvent.objects.values()))
    assert token not in mask_path(path)
    assert token not in text_of(alice.get("settings/members"))


def test_an_account_of_a_link_is_not_taken_for_the_owner_of_its_address(alice: Visitor, cast: Cast) -> None:
    """Whoever holds a link chooses the password: what others send to that address by itself must not open to them."""
    join(invite(alice))
    dana = User.objects.get(email=DANA)
    invited = invite_member(caller=cast.umbrella.caller, email=DANA, role=Role.ADMIN)
    assert isinstance(invited, Invitation)

    assert received_invitations(dana) == []
    assert browser_of(dana).post(f"/invitations/{invited.id}/accept").status_code == 404
    assert DANA not in roles(cast.umbrella)

    User.objects.filter(id=dana.id).update(is_email_confirmed=True)
    assert browser_of(dana).post(f"/invitations/{invited.id}/accept").status_code == 302


def test_inviting_a_member_changes_the_role(alice: Visitor, cast: Cast) -> None:
    answer = alice.post("settings/members", email=cast.bob.email, role="viewer")
    assert answer.status_code == 302
    assert roles(cast.acme)[cast.bob.email] == "viewer"


@pytest.mark.parametrize("token", ["x", "a" * 43, "%00", "../x"])
def test_a_made_up_link_is_nothing(db: None, token: str) -> None:
    assert Client(raise_request_exception=False).get(f"/join/{token}").status_code == 404


# --- Mail


def test_the_link_is_mailed_where_a_server_is_configured(
    alice: Visitor, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "sends no mail" in text_of(alice.post("settings/members", email=DANA, role="viewer"))
    settings.EMAIL_URL = "smtp://127.0.0.1"
    monkeypatch.setattr(sending, "_backend", lambda url: EmailBackend())

    answer = text_of(alice.post("settings/members", email=DANA, role="viewer"))

    assert "It was mailed to them" in answer
    assert mail.outbox[0].to == [DANA]
    assert LINK.findall(str(mail.outbox[0].body)) == LINK.findall(unescape(answer))[:1]


def test_a_server_that_is_away_leaves_the_link(alice: Visitor, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://127.0.0.1:1?tls=no"
    answer = text_of(alice.post("settings/members", email=DANA, role="viewer"))
    assert "could not be mailed" in answer
    assert LINK.search(answer)
