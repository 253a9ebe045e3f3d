"""The settings, the toggle, API keys and members, through REST."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core.clock import utc_now
from tests.cast import Answer, Cast, Household, RestClient
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.memberships import add_member
from workspaces.keys.secrets import PREFIX, secret_hash
from workspaces.models import ApiKey, AuditEvent, Role, User, Workspace
from workspaces.settings.workspace_settings import is_memory_enabled

EVERY_RIGHT = [str(right) for right in Right]


def events(household: Household, *actions: str) -> list[tuple[str, str]]:
    """Who did what, oldest first, of these actions."""
    with workspace_scope(household.caller):
        found = AuditEvent.objects.filter(action__in=actions).order_by("id")
        return [(event.actor_label, event.action) for event in found]


def signed_in(person: User, household: Household, method: str, path: str, body: Any = None) -> Answer:
    client = Client()
    client.force_login(person)
    address = f"/v1/workspaces/{household.workspace.id}/{path}"
    return client.generic(method, address, "{}" if body is None else body, content_type="application/json")


def test_settings_have_defaults_and_keep_what_is_not_named(acme: RestClient) -> None:
    before = acme.get("settings").json()
    assert (before["memory"]["enabled"], before["memory"]["retention_days"]) == (False, 90)

    changed = acme.put("settings", {"memory": {"retention_days": 30}}).json()

    assert changed == {**before, "memory": {**before["memory"], "retention_days": 30}}
    assert acme.get("settings").json() == changed
    assert acme.put("settings", {}).json() == changed


@pytest.mark.parametrize(
    "memory",
    [
        {"retention_days": 0},
        {"retention_days": 3_651},
        {"retention_days": "30"},
        {"retention_days": 30.5},
        {"retention_days": True},
        {"retention_days": None},
        {"token_budget": 99},
        {"token_budget": 200_001},
        {"enabled": "true"},
        {"enabled": 1},
        {"enabled": None},
        {"colour": "red"},
        None,
        [],
    ],
)
def test_settings_out_of_their_limits_change_nothing(acme: RestClient, memory: Any) -> None:
    before = acme.get("settings").json()

    answer = acme.put("settings", {"memory": memory})

    assert (answer.status_code, answer.json()["code"]) in {(422, "invalid"), (422, "unknown_field")}
    assert acme.get("settings").json() == before


def test_the_toggle_is_idempotent_and_audited_once(cast: Cast) -> None:
    acme = cast.acme.rest()

    answers = [acme.post(f"memory/{verb}").json() for verb in ("disable", "enable", "enable", "disable")]

    assert answers == [
        {"enabled": False, "changed": False},
        {"enabled": True, "changed": True},
        {"enabled": True, "changed": False},
        {"enabled": False, "changed": True},
    ]
    switched = [("Acme agent", "memory.enabled"), ("Acme agent", "memory.disabled")]
    assert events(cast.acme, "memory.enabled", "memory.disabled") == switched


def test_the_settings_turn_the_same_toggle(cast: Cast) -> None:
    cast.acme.rest().put("settings", {"memory": {"enabled": True}})

    with workspace_scope(cast.acme.caller):
        assert is_memory_enabled(Workspace.objects.get())
    assert events(cast.acme, "memory.enabled") == [("Acme agent", "memory.enabled")]
    assert cast.umbrella.rest().get("settings").json()["memory"]["enabled"] is False


def test_members_may_turn_the_toggle_and_viewers_may_not(cast: Cast) -> None:
    assert signed_in(cast.bob, cast.acme, "POST", "memory/enable").json()["changed"] is True

    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    refused = signed_in(cast.bob, cast.acme, "POST", "memory/disable")

    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert cast.acme.rest().get("settings").json()["memory"]["enabled"] is True


@pytest.mark.parametrize("right", [right for right in Right if right != Right.ADMIN])
def test_a_key_turns_the_toggle_with_admin_only(cast: Cast, right: Right) -> None:
    answer = cast.acme.rest(Right.READ, right).post("memory/enable")

    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")


def test_a_key_with_admin_alone_turns_the_toggle(cast: Cast) -> None:
    answer = cast.acme.rest(Right.ADMIN).post("memory/enable")

    assert (answer.status_code, answer.json()) == (200, {"enabled": True, "changed": True})


def test_the_toggle_is_not_in_the_openapi_document(acme: RestClient) -> None:
    paths = acme.get("/v1/openapi.json").json()["paths"]

    assert "/v1/workspaces/{ws}/memories" in paths
    assert [path for path in paths if "memory/enable" in path or "memory/disable" in path] == []


def test_a_secret_is_shown_once_and_kept_as_a_hash(cast: Cast) -> None:
    acme = cast.acme.rest()

    made = acme.post("api-keys", {"name": "clerk", "scopes": ["read", "read", "write"]})

    assert made.status_code == 201
    key = made.json()
    secret = key.pop("secret")
    assert secret.startswith(PREFIX)
    assert key["scopes"] == ["read", "write"]
    assert secret not in acme.get("api-keys").content.decode()
    assert key["id"] in {listed["id"] for listed in acme.get("api-keys").json()["results"]}
    assert RestClient(acme.workspace_id, secret).get("memories").status_code == 200
    with workspace_scope(cast.acme.caller):
        assert ApiKey.objects.get(id=key["id"]).secret_hash == secret_hash(secret)
    assert events(cast.acme, "key.created")[-1] == ("Acme agent", "key.created")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "x"},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["everything"]},
        {"name": "x", "scopes": "read"},
        {"name": "", "scopes": ["read"]},
        {"name": "x" * 121, "scopes": ["read"]},
        {"name": "x\x00", "scopes": ["read"]},
        {"name": "x", "scopes": ["read"], "expires_at": "soon"},
        {"name": "x", "scopes": ["read"], "expires_at": "2020-01-01T00:00:00Z"},
        {"name": "x", "scopes": ["read"], "secret": "mine"},
    ],
)
def test_keys_that_make_no_sense_are_not_made(acme: RestClient, body: dict[str, Any]) -> None:
    before = acme.get("api-keys").json()["results"]

    assert acme.post("api-keys", body).status_code == 422
    assert [key["id"] for key in acme.get("api-keys").json()["results"]] == [key["id"] for key in before]


def test_no_key_makes_a_key_that_may_more_than_itself(cast: Cast) -> None:
    half = cast.acme.rest(Right.READ, Right.ADMIN)

    for scope in ("write", "facts"):
        refused = half.post("api-keys", {"name": "x", "scopes": ["read", scope]})
        assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")

    assert half.post("api-keys", {"name": "x", "scopes": ["read", "admin"]}).status_code == 201


def test_revoking_is_final_idempotent_and_audited_once(cast: Cast) -> None:
    acme = cast.acme.rest()
    key = acme.post("api-keys", {"name": "clerk", "scopes": ["read"]}).json()

    first, again = (acme.delete(f"api-keys/{key['id']}") for _ in range(2))

    assert (first.status_code, again.json()) == (200, first.json())
    assert first.json()["revoked_at"] is not None
    assert RestClient(acme.workspace_id, key["secret"]).get("memories").json()["code"] == "revoked_key"
    assert events(cast.acme, "key.revoked") == [("Acme agent", "key.revoked")]
    assert acme.get("api-keys").json()["results"][-1]["id"] == key["id"], "Revoked keys are listed last."


def test_the_last_use_of_a_key_is_noted(cast: Cast) -> None:
    before = utc_now() - timedelta(seconds=1)
    cast.acme.rest().get("memories")

    with workspace_scope(cast.acme.caller):
        used = ApiKey.objects.get().last_used_at
    assert used is not None
    assert used > before


def test_members_change_and_go(cast: Cast) -> None:
    acme = cast.acme.rest()
    add_member(caller=cast.acme.caller, email=cast.charlie.email, role=Role.VIEWER)
    assert signed_in(cast.charlie, cast.acme, "GET", "memories").status_code == 200

    changed = acme.post("members", {"email": cast.charlie.email, "role": "admin"})
    assert (changed.status_code, changed.json()["role"], changed.json()["status"]) == (201, "admin", "active")
    emails = [member["email"] for member in acme.get("members").json()["results"]]
    assert emails == sorted([cast.alice.email, cast.bob.email, cast.charlie.email])

    assert acme.delete("members", {"user_id": str(cast.charlie.id)}).status_code == 204
    assert signed_in(cast.charlie, cast.acme, "GET", "memories").status_code == 404
    assert acme.delete("members", {"user_id": str(cast.charlie.id)}).status_code == 404


@pytest.mark.parametrize(("role", "rights"), [("member", {"read", "write", "facts"}), ("viewer", {"read"})])
def test_roles_bring_their_rights(cast: Cast, role: str, rights: set[str]) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    tried = {
        "read": signed_in(cast.bob, cast.acme, "GET", "memories"),
        "write": signed_in(cast.bob, cast.acme, "POST", "memories", '{"content": "Tea."}'),
        "facts": signed_in(cast.bob, cast.acme, "POST", "memories", '{"content": "Fact.", "kind": "fact"}'),
        "admin": signed_in(cast.bob, cast.acme, "GET", "api-keys"),
    }

    assert {right for right, answer in tried.items() if answer.status_code < 400} == rights
    assert {answer.status_code for right, answer in tried.items() if right not in rights} <= {403}


def test_a_person_with_a_very_long_address_can_remember(cast: Cast) -> None:
    person = User.objects.create_user(f"{'x' * 60}@{'y' * 60}.{'z' * 60}.{'w' * 50}.example", "correct horse battery")
    add_member(caller=cast.acme.caller, email=person.email, role="member")

    remembered = signed_in(person, cast.acme, "POST", "memories", '{"content": "Tea."}')

    assert remembered.status_code == 201, remembered.content
    pinned = signed_in(person, cast.acme, "POST", f"memories/{remembered.json()['id']}/pin")
    assert pinned.json()["pinned_by"] == remembered.json()["author"]


def test_a_deleted_workspace_is_closed_to_its_people(cast: Cast) -> None:
    assert signed_in(cast.alice, cast.acme, "GET", "memories").status_code == 200
    with workspace_scope(cast.acme.caller):
        Workspace.objects.update(is_deleted=True)

    assert signed_in(cast.alice, cast.acme, "GET", "memories").status_code == 404
