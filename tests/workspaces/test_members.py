"""Members: who may give which role, invitations and consent, and what becomes of the keys of those who leave."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.cast import PASSWORD, Answer, Cast, Household, RestClient
from workspaces.access.callers import Right
from workspaces.access.scope import person_scope, workspace_scope
from workspaces.access.selectors import access_workspace
from workspaces.accounts.services.memberships import add_member
from workspaces.keys.services import create_key
from workspaces.models import ApiKey, AuditEvent, Invitation, Membership, Role, User

NAMES = {role: f"{role}@acme.example" for role in Role.values}


@dataclass(frozen=True)
class Person:
    """Somebody signed in, talking to the members of Acme."""

    user: User
    workspace_id: UUID

    def asks(self, method: str, path: str = "members", body: Any = None) -> Answer:
        client = Client()
        client.force_login(self.user)
        address = f"/v1/workspaces/{self.workspace_id}/{path}"
        if method == "GET":
            return client.get(address)
        return client.generic(method, address, json.dumps(body or {}), content_type="application/json")

    def opens(self, path: str, *, posts: bool = False) -> Answer:
        client = Client()
        client.force_login(self.user)
        return client.post(path) if posts else client.get(path)


def member(cast: Cast, role: str) -> Person:
    """A member of Acme with this role."""
    user = User.objects.create_user(NAMES[role], PASSWORD, name=role.title())
    add_member(caller=cast.acme.caller, email=user.email, role=role)
    return Person(user, cast.acme.workspace.id)


def charlie(cast: Cast) -> Person:
    return Person(cast.charlie, cast.acme.workspace.id)


def roles(household: Household) -> dict[str, str]:
    with workspace_scope(household.caller):
        return {one.user.email: one.role for one in Membership.objects.select_related("user")}


def actions(household: Household) -> list[str]:
    with workspace_scope(household.caller):
        return list(AuditEvent.objects.order_by("id").values_list("action", flat=True))


def invitation(household: Household) -> Invitation:
    with workspace_scope(household.caller):
        found: Invitation = Invitation.objects.get()
    return found


def key_of(person: Person, *scopes: Right) -> RestClient:
    caller = access_workspace(user=person.user, workspace_id=person.workspace_id)
    return RestClient(person.workspace_id, create_key(caller=caller, name="theirs", scopes=scopes).secret)


# --- Nobody grants what they do not have.


@pytest.mark.parametrize("scopes", [[Right.ADMIN], [Right.ADMIN, Right.READ], list(Right)])
@pytest.mark.parametrize("email", ["new@nowhere.example", "bob@acme.example"])
def test_no_key_makes_an_owner(cast: Cast, scopes: list[Right], email: str) -> None:
    answer = cast.acme.rest(*scopes).post("members", {"email": email, "role": "owner"})

    assert (answer.status_code, answer.json()["code"]) in {(403, "missing_scope"), (403, "owners_only")}
    assert roles(cast.acme) == {cast.alice.email: "owner", cast.bob.email: "member"}


@pytest.mark.parametrize(
    ("scopes", "grantable"),
    [
        ([Right.ADMIN], set()),
        ([Right.ADMIN, Right.READ], {"viewer"}),
        ([Right.ADMIN, Right.READ, Right.WRITE], {"viewer"}),
        (list(Right), {"viewer", "member", "admin"}),
    ],
)
def test_a_key_gives_only_roles_whose_rights_it_has(cast: Cast, scopes: list[Right], grantable: set[str]) -> None:
    rest = cast.acme.rest(*scopes)

    given = {role: rest.post("members", {"email": NAMES[role], "role": role}).status_code for role in Role.values}

    assert {role for role, status in given.items() if status == 201} == grantable
    assert {status for role, status in given.items() if role not in grantable} <= {403}


def test_an_admin_manages_members_up_to_admin_and_no_owner(cast: Cast) -> None:
    admin = member(cast, "admin")

    for role in ("viewer", "member", "admin"):
        assert admin.asks("POST", body={"email": cast.bob.email, "role": role}).json()["role"] == role
    refused = [
        admin.asks("POST", body={"email": admin.user.email, "role": "owner"}),
        admin.asks("POST", body={"email": "new@nowhere.example", "role": "owner"}),
        admin.asks("POST", body={"email": cast.alice.email, "role": "viewer"}),
        admin.asks("DELETE", body={"user_id": str(cast.alice.id)}),
        admin.asks("DELETE", body={"email": cast.alice.email}),
    ]

    assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(403, "owners_only")}
    assert roles(cast.acme)[cast.alice.email] == "owner"
    assert admin.asks("DELETE", body={"user_id": str(cast.bob.id)}).status_code == 204


def test_owners_make_and_depose_owners_and_the_last_one_stays(cast: Cast) -> None:
    alice = Person(cast.alice, cast.acme.workspace.id)

    assert alice.asks("POST", body={"email": cast.bob.email, "role": "owner"}).json()["role"] == "owner"
    bob = Person(cast.bob, cast.acme.workspace.id)
    assert bob.asks("POST", body={"email": cast.alice.email, "role": "admin"}).json()["role"] == "admin"
    for answer in (
        bob.asks("POST", body={"email": cast.bob.email, "role": "admin"}),
        bob.asks("DELETE", body={"user_id": str(cast.bob.id)}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


@pytest.mark.parametrize("role", ["member", "viewer"])
def test_members_and_viewers_manage_nobody(cast: Cast, role: str) -> None:
    person = member(cast, role)

    assert person.asks("POST", body={"email": "new@nowhere.example", "role": "viewer"}).status_code == 403
    assert person.asks("DELETE", body={"user_id": str(cast.bob.id)}).status_code == 403


# --- Invitations: addresses tell nothing, and nobody is a member without their consent.


def test_an_address_with_an_account_is_answered_like_one_without(cast: Cast) -> None:
    acme = cast.acme.rest()
    User.objects.create_user("gone@acme.example", PASSWORD, is_active=False)

    answers = [
        acme.post("members", {"email": email, "role": "viewer"})
        for email in (cast.charlie.email, "unknown@nowhere.example", "gone@acme.example")
    ]

    told = [{**answer.json(), "email": None, "since": None} for answer in answers]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert (
        told == [{"user_id": None, "email": None, "name": "", "role": "viewer", "status": "pending", "since": None}] * 3
    )
    listed = [one for one in acme.get("members").json()["results"] if one["status"] == "pending"]
    assert [{**one, "email": None, "since": None} for one in listed] == told
    assert acme.delete("members", {"email": cast.charlie.email}).status_code == 204
    assert acme.delete("members", {"email": "never@nowhere.example"}).status_code == 404


def test_an_invited_person_is_a_member_once_they_accept(cast: Cast) -> None:
    cast.acme.rest().post("members", {"email": "CHARLIE@umbrella.example", "role": "viewer"})
    person = charlie(cast)
    assert person.asks("GET", "memories").status_code == 404

    page = person.opens("/")
    assert ("Acme" in page.content.decode(), "Accept" in page.content.decode()) == (True, True)
    accepted = person.opens(f"/invitations/{invitation(cast.acme).id}/accept", posts=True)

    assert (accepted.status_code, accepted.headers["Location"]) == (302, f"/w/{cast.acme.workspace.slug}/home")
    assert person.asks("GET", "memories").status_code == 200
    assert roles(cast.acme)[cast.charlie.email] == "viewer"
    listed = cast.acme.rest().get("members").json()["results"]
    assert [(one["name"], one["status"]) for one in listed if one["email"] == cast.charlie.email] == [
        ("Charlie", "active")
    ]
    assert actions(cast.acme)[-3:] == ["member.invited", "invitation.accepted", "member.added"]
    assert person.opens("/").status_code == 302


def test_a_declined_invitation_is_gone_and_makes_no_member(cast: Cast) -> None:
    cast.acme.rest().post("members", {"email": cast.charlie.email, "role": "admin"})
    person, path = charlie(cast), f"/invitations/{invitation(cast.acme).id}"

    assert person.opens(f"{path}/decline", posts=True).status_code == 302

    assert person.opens(f"{path}/accept", posts=True).status_code == 404
    assert cast.charlie.email not in roles(cast.acme)
    assert actions(cast.acme)[-1] == "invitation.declined"


def test_nobody_answers_the_invitation_of_another(cast: Cast) -> None:
    cast.acme.rest().post("members", {"email": "unknown@nowhere.example", "role": "admin"})
    path = f"/invitations/{invitation(cast.acme).id}"

    for verb in ("accept", "decline"):
        assert charlie(cast).opens(f"{path}/{verb}", posts=True).status_code == 404
        assert Client().post(f"{path}/{verb}").headers["Location"].startswith("/sign-in")
    assert "Acme" not in charlie(cast).opens("/workspaces").content.decode()
    with person_scope(cast.charlie.id):
        assert not Invitation.objects.exists()


def test_inviting_again_changes_the_role_and_only_owners_touch_the_invitation_of_one(cast: Cast) -> None:
    alice, admin = Person(cast.alice, cast.acme.workspace.id), member(cast, "admin")
    alice.asks("POST", body={"email": cast.charlie.email, "role": "viewer"})
    alice.asks("POST", body={"email": cast.charlie.email, "role": "owner"})
    assert invitation(cast.acme).role == "owner"

    for answer in (
        admin.asks("POST", body={"email": cast.charlie.email, "role": "viewer"}),
        admin.asks("DELETE", body={"email": cast.charlie.email}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "owners_only")


def test_an_invitation_goes_with_the_rights_of_the_one_who_sent_it(cast: Cast) -> None:
    admin = member(cast, "admin")
    admin.asks("POST", body={"email": cast.charlie.email, "role": "admin"})
    path = f"/invitations/{invitation(cast.acme).id}/accept"

    add_member(caller=cast.acme.caller, email=admin.user.email, role=Role.VIEWER)

    assert charlie(cast).opens(path, posts=True).status_code == 404


@pytest.mark.parametrize("body", [{}, {"user_id": "01a20091-7751-70b8-a15b-41cfaf02f2f2", "email": "a@b.example"}])
def test_a_removal_names_one_member(acme: RestClient, body: dict[str, Any]) -> None:
    answer = acme.delete("members", body)

    assert answer.status_code == 422
    assert "Provide exactly one of `user_id` and `email`." in answer.content.decode()


def test_an_operator_adds_a_member_without_asking(cast: Cast) -> None:
    call_command("add_member", str(cast.acme.workspace.id), cast.charlie.email, "--role", "owner")

    assert roles(cast.acme)[cast.charlie.email] == "owner"
    with pytest.raises(CommandError, match="No active account"):
        call_command("add_member", str(cast.acme.workspace.id), "unknown@nowhere.example")
    with pytest.raises(CommandError, match="There is no workspace"):
        call_command("add_member", str(cast.charlie.id), cast.charlie.email)


# --- Keys of people who leave, or whose role is lowered.


def test_the_keys_of_a_member_go_with_them(cast: Cast) -> None:
    admin = member(cast, "admin")
    direct = key_of(admin, *Right)
    made = direct.post("api-keys", {"name": "by the key", "scopes": ["read", "admin"]}).json()
    indirect = RestClient(admin.workspace_id, made["secret"])
    assert indirect.get("memories").status_code == 200

    assert cast.acme.rest().delete("members", {"user_id": str(admin.user.id)}).status_code == 204

    assert {one.get("memories").json()["code"] for one in (direct, indirect)} == {"revoked_key"}
    assert actions(cast.acme).count("key.revoked") == 2
    assert cast.acme.rest().get("memories").status_code == 200


def test_the_keys_of_a_member_are_handed_over_when_asked(cast: Cast) -> None:
    admin = member(cast, "admin")
    key = key_of(admin, Right.READ)

    gone = cast.acme.rest().delete("members", {"user_id": str(admin.user.id), "keys": "keep"})

    assert gone.status_code == 204
    assert key.get("memories").status_code == 200
    makers = {one["name"]: one["created_by"]["name"] for one in cast.acme.rest().get("api-keys").json()["results"]}
    assert makers == {"theirs": "Alice", "Acme agent": "Alice"}
    assert actions(cast.acme).count("key.handed_over") == 1


def test_keys_are_not_handed_over_to_the_one_who_leaves(cast: Cast) -> None:
    admin = member(cast, "admin")

    answer = key_of(admin, *Right).delete("members", {"user_id": str(admin.user.id), "keys": "keep"})

    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "no_heir")
    assert admin.user.email in roles(cast.acme)


def test_a_key_may_never_do_more_than_its_maker_may_now(cast: Cast) -> None:
    admin = member(cast, "admin")
    key = key_of(admin, *Right)

    add_member(caller=cast.acme.caller, email=admin.user.email, role=Role.VIEWER)
    tried = [key.get("memories"), key.post("memories", {"content": "Tea."}), key.get("api-keys")]
    assert [answer.status_code for answer in tried] == [200, 403, 403]

    add_member(caller=cast.acme.caller, email=admin.user.email, role=Role.ADMIN)
    assert key.get("api-keys").status_code == 200
    User.objects.filter(id=admin.user.id).update(is_active=False)
    assert (key.get("memories").status_code, key.get("memories").json()["code"]) == (401, "revoked_key")


def test_a_key_without_a_person_keeps_its_scopes(cast: Cast) -> None:
    with workspace_scope(cast.acme.caller):
        ApiKey.objects.update(created_by=None)

    assert cast.acme.rest().get("api-keys").json()["results"][0]["created_by"] is None


# --- What viewers see of other members.


@pytest.mark.parametrize(("role", "sees"), [("admin", True), ("member", False), ("viewer", False)])
def test_e_mail_addresses_and_invitations_are_for_admins(cast: Cast, role: str, sees: bool) -> None:
    cast.acme.rest().post("members", {"email": "unknown@nowhere.example"})

    text = member(cast, role).asks("GET").content.decode()

    assert "Alice" in text
    assert ("alice@acme.example" in text, "unknown@nowhere.example" in text) == (sees, sees)


@pytest.mark.parametrize(("role", "status"), [("admin", 200), ("member", 403), ("viewer", 403)])
def test_calls_of_models_and_addresses_of_providers_are_for_admins(cast: Cast, role: str, status: int) -> None:
    provider = {"name": "house", "kind": "openai", "base_url": "https://models.example/v1", "api_key": "sk-" + "x" * 40}
    assert cast.acme.rest().post("models/providers", provider).status_code == 201
    person = member(cast, role)

    assert person.asks("GET", "prompt-runs").status_code == status
    texts = [
        person.asks("GET", "models/providers").content.decode(),
        person.opens(f"/w/{cast.acme.workspace.slug}/settings/models").content.decode(),
    ]
    assert all("house" in text for text in texts)
    assert {"models.example" in text for text in texts} == {status == 200}
