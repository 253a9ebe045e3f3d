"""An API key for a program on a person's machine: who may agree, what the code is worth, and what the key opens."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from oauth2_provider.models import AccessToken, Grant

from tests.cast import Answer, Cast
from tests.workspaces.oauth import BACK, RESOURCE, Desk, told
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import workspace_apps, workspace_keys
from workspaces.models import ApiKey, AuditEvent, Membership, User

REST = "http://testserver/v1"


class KeyDesk(Desk):
    """A program that asks for a key, as `wsm login` does."""

    def asks(self, **changed: Any) -> Answer:
        return super().asks(**{"resource": REST, "scope": "read write facts", **changed})

    def exchanges(self, code: str, **changed: Any) -> Answer:
        return super().exchanges(code, **{"resource": REST, **changed})

    def consents(self, chosen: Any, *, page: Answer = None, **given: Any) -> Answer:
        return super().consents(chosen, page=page, **{"lifetime": "90", **given})


def key_desk_of(person: User) -> KeyDesk:
    """A registered program that asks for a key, whose person is signed in."""
    registered = Desk.of(person)
    return KeyDesk(registered.browser, registered.client_id)


@pytest.fixture
def desk(cast: Cast) -> KeyDesk:
    return key_desk_of(cast.alice)


def rest(secret: str, path: str) -> Answer:
    return Client().get(path, headers={"Authorization": f"Bearer {secret}"})


def code_of(desk: Desk, cast: Cast, **given: Any) -> str:
    return told(desk.consents(cast.acme.workspace.id, **given))["code"]


def test_the_page_names_who_asks_the_workspace_the_role_and_the_spaces(cast: Cast, desk: KeyDesk) -> None:
    page = desk.asks().content.decode()

    for said in (
        "Give Desk an API key?",
        "http://127.0.0.1:4711",
        cast.alice.email,
        "Acme, where you are owner",
        "Shared: what everybody in the workspace may know",
        "Every space of the workspace",
        "Make the key",
    ):
        assert said in page
    assert "Umbrella" not in page
    ticked = [line.split('value="')[1].split('"')[0] for line in page.split("<input") if "checked" in line]
    assert ("write" in ticked, "admin" in ticked, "*" in ticked) == (True, False, False)


def test_the_code_is_worth_one_key_of_the_person(cast: Cast, desk: KeyDesk) -> None:
    answer = desk.exchanges(code_of(desk, cast, scopes=["read", "facts"], lifetime="30"))

    assert (answer.status_code, answer["Cache-Control"].count("no-store")) == (200, 1)
    given = answer.json()
    assert (given["token_type"], given["scope"]) == ("Bearer", "facts read")
    assert given["workspace_id"] == str(cast.acme.workspace.id)
    assert given["expires_in"] == pytest.approx(30 * 24 * 3600, abs=60)
    made = next(key for key in workspace_keys(cast.acme.caller) if key.name == "Desk")
    assert (made.created_by, made.spaces, made.scopes) == (cast.alice, ["shared"], ["facts", "read"])
    assert rest(given["access_token"], f"/v1/workspaces/{cast.acme.workspace.id}/memories").status_code == 200
    assert rest(given["access_token"], f"/v1/workspaces/{cast.umbrella.workspace.id}/memories").status_code == 404
    bound = f"/v1/workspaces/{cast.acme.workspace.id}/memories?user=42"
    assert rest(given["access_token"], bound).json()["code"] == "space_not_allowed"
    assert not AccessToken.objects.exists()
    assert workspace_apps(cast.acme.caller) == []
    with workspace_scope(cast.acme.caller):
        event = AuditEvent.objects.filter(action="key.created").latest("id")
    assert event.details == {"scopes": ["facts", "read"], "spaces": ["shared"]}


def test_a_key_for_every_space_names_any_user(cast: Cast, desk: KeyDesk) -> None:
    secret = desk.exchanges(code_of(desk, cast, spaces=["shared", "*"], lifetime="never")).json()["access_token"]

    assert rest(secret, f"/v1/workspaces/{cast.acme.workspace.id}/memories?user=42").status_code == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"code_verifier": "w" * 64},
        {"code_verifier": None},
        {"redirect_uri": BACK.replace("4711", "4712")},
        {"redirect_uri": None},
    ],
    ids=["another verifier", "no verifier", "another address", "no address"],
)
def test_who_cannot_prove_that_they_asked_gets_nothing_and_ends_the_code(
    cast: Cast, desk: KeyDesk, changed: dict[str, Any]
) -> None:
    code = code_of(desk, cast)

    assert _refused(desk.exchanges(code, **changed)) == (400, "invalid_grant")
    assert _refused(desk.exchanges(code)) == (400, "invalid_grant")
    assert not _keys_named_desk(cast)


def test_a_code_of_another_program_is_not_taken(cast: Cast, desk: KeyDesk) -> None:
    code = code_of(desk, cast)
    other = desk.registers().json()["client_id"]

    assert _refused(desk.exchanges(code, client_id=other)) == (400, "invalid_grant")
    assert desk.exchanges(code).status_code == 200


def test_a_code_that_comes_back_ends_the_key_that_it_gave(cast: Cast, desk: KeyDesk) -> None:
    code = code_of(desk, cast)
    secret = desk.exchanges(code).json()["access_token"]

    assert _refused(desk.exchanges(code)) == (400, "invalid_grant")

    assert rest(secret, f"/v1/workspaces/{cast.acme.workspace.id}/memories").json()["code"] == "revoked_key"
    with workspace_scope(cast.acme.caller):
        event = AuditEvent.objects.filter(action="key.revoked").latest("id")
    assert event.object_id == str(_keys_named_desk(cast)[0].id)


def test_a_code_is_worth_a_minute(cast: Cast, desk: KeyDesk) -> None:
    code = code_of(desk, cast)

    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=61)):
        assert _refused(desk.exchanges(code)) == (400, "invalid_grant")
    assert not _keys_named_desk(cast)


def test_a_code_for_a_key_gives_no_tokens_and_one_for_tokens_no_key(cast: Cast, desk: KeyDesk) -> None:
    plain = Desk(desk.browser, desk.client_id)

    assert _refused(plain.exchanges(code_of(desk, cast))) == (400, "invalid_target")
    assert _refused(desk.exchanges(code_of(plain, cast))) == (400, "invalid_grant")
    tokens = plain.exchanges(code_of(plain, cast)).json()
    assert rest(tokens["access_token"], f"/v1/workspaces/{cast.acme.workspace.id}/memories").status_code == 401
    assert not _keys_named_desk(cast)


def test_claims_of_a_program_are_not_taken_for_what_the_person_agreed_to(cast: Cast, desk: KeyDesk) -> None:
    claims = '{"workspace": "x", "scopes": ["admin"], "spaces": [], "expires_at": null}'

    assert "scope" in desk.exchanges(code_of(desk, cast, claims=claims)).json()
    assert _keys_named_desk(cast)[0].scopes == ["read", "write"]
    code_of(Desk(desk.browser, desk.client_id), cast, claims=claims)
    assert Grant.objects.latest("id").claims == "{}"


def test_a_page_for_tokens_whose_form_names_rest_as_well_gives_tokens(cast: Cast, desk: KeyDesk) -> None:
    plain = Desk(desk.browser, desk.client_id)

    code = code_of(plain, cast, resource=[RESOURCE, REST])

    assert Grant.objects.get(code=code).resource == [RESOURCE]
    assert plain.exchanges(code).status_code == 200
    assert not _keys_named_desk(cast)


@pytest.mark.parametrize("back", ["https://desk.example/callback", "cursor://desk/callback"])
def test_a_key_is_handed_to_this_machine_only(cast: Cast, desk: KeyDesk, back: str) -> None:
    desk.client_id = desk.registers(redirect_uris=[back]).json()["client_id"]

    asked = desk.asks(redirect_uri=back)
    page = Desk(desk.browser, desk.client_id).asks(redirect_uri=back)
    agreed = desk.consents(cast.acme.workspace.id, page=page, resource=REST)

    assert asked.status_code == 302
    assert asked["Location"].startswith(back)
    assert "error=invalid_request" in asked["Location"]
    assert (agreed.status_code, "on this machine only" in agreed.content.decode()) == (422, True)
    assert not Grant.objects.exists()


@pytest.mark.parametrize("role", ["member", "viewer"])
def test_who_may_not_make_keys_is_told_whom_to_ask(cast: Cast, desk: KeyDesk, role: str) -> None:
    _change_role(cast, cast.alice, role)

    page = desk.asks().content.decode()
    plain = Desk(desk.browser, desk.client_id).asks(resource="http://testserver/mcp")
    forged = desk.consents(cast.acme.workspace.id, page=plain, resource=REST)

    assert "You cannot make a key" in page
    assert "ask an owner or admin to make one in Settings → API keys" in page
    assert 'name="allow"' not in page
    assert forged.status_code == 422
    assert not Grant.objects.exists()


def test_who_lost_the_right_since_gets_no_key(cast: Cast, desk: KeyDesk) -> None:
    code = code_of(desk, cast)
    _change_role(cast, cast.alice, "member")

    assert _refused(desk.exchanges(code)) == (403, "missing_scope")
    assert not _keys_named_desk(cast)


def test_who_left_since_gets_no_key(cast: Cast, desk: KeyDesk) -> None:
    code = code_of(desk, cast)
    with workspace_scope(cast.acme.caller):
        Membership.objects.filter(user=cast.alice).delete()

    assert _refused(desk.exchanges(code)) == (400, "invalid_grant")
    assert not _keys_named_desk(cast)


def test_an_outsider_agrees_for_their_own_workspace_only(cast: Cast) -> None:
    charlie = key_desk_of(cast.charlie)

    page = charlie.asks().content.decode()

    assert ("Umbrella" in page, "Acme" in page) == (True, False)
    assert charlie.consents(cast.acme.workspace.id).status_code == 422


def test_saying_no_makes_nothing(cast: Cast, desk: KeyDesk) -> None:
    back = told(desk.consents(cast.acme.workspace.id, allow=None, workspace=None, scopes=None, lifetime=None))

    assert back["error"] == "access_denied"
    assert not Grant.objects.exists()


def _refused(answer: Answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


def _keys_named_desk(cast: Cast) -> list[ApiKey]:
    return [key for key in workspace_keys(cast.acme.caller) if key.name == "Desk"]


def _change_role(cast: Cast, person: User, role: str) -> None:
    with workspace_scope(cast.acme.caller):
        Membership.objects.filter(user=person).update(role=role)
