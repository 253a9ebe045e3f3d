"""Signing in, choosing a workspace, its settings and its API keys, as pages."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.cast import PASSWORD, Cast, RestClient
from tests.pages import Visitor, as_role, text_of, toast_of
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace, current_workspace, workspace_keys
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import Role, User, Workspace
from workspaces.settings.workspace_settings import memory_settings

# --- Coming and going


def test_signs_in_to_the_first_workspace(cast: Cast) -> None:
    client = Client()

    answer = client.post("/sign-in", {"username": "ALICE@acme.example", "password": PASSWORD}, follow=True)

    assert answer.redirect_chain[-1] == (f"/w/{cast.acme.workspace.slug}/home", 302)
    assert "alice@acme.example" in text_of(answer)


@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("alice@acme.example", "wrong"),
        ("nobody@acme.example", PASSWORD),
        ("", ""),
        ("a\x00b", PASSWORD),
        ("x" * 10_000, "y" * 10_000),
    ],
)
def test_a_wrong_address_or_password_stays_outside(cast: Cast, email: str, password: str) -> None:
    client = Client(raise_request_exception=False)

    answer = client.post("/sign-in", {"username": email, "password": password})

    assert answer.status_code == 200
    assert 'class="errorlist' in text_of(answer)
    assert client.get("/").status_code == 302


def test_a_person_who_left_cannot_sign_in(cast: Cast) -> None:
    User.objects.filter(id=cast.alice.id).update(is_active=False)

    client = Client()
    client.post("/sign-in", {"username": cast.alice.email, "password": PASSWORD})

    assert client.get("/").headers["Location"].startswith("/sign-in")


def test_signing_in_leads_to_what_was_asked_for_and_to_no_other_site(cast: Cast) -> None:
    for asked, led in (("/w/x/settings/memory", "/w/x/settings/memory"), ("https://elsewhere.example/", "/")):
        answer = Client().post(
            f"/sign-in?next={asked}", {"username": cast.bob.email, "password": PASSWORD, "next": asked}
        )
        assert answer.headers["Location"] == led


def test_signing_out_is_a_post_and_ends_the_session(bob: Visitor) -> None:
    assert bob.get("/sign-out").status_code == 405

    assert bob.post("/sign-out").headers["Location"] == "/sign-in"
    assert bob.get("memory").headers["Location"].startswith("/sign-in?next=")


def test_a_person_without_a_workspace_is_told_what_to_do(db: None) -> None:
    client = Client()
    client.force_login(User.objects.create_user("new@acme.example", PASSWORD))

    page = text_of(client.get("/"))

    assert "No workspace yet" in page
    assert "new@acme.example" in page


def test_home_and_the_workspace_itself_lead_to_its_home(bob: Visitor) -> None:
    assert bob.get("/").headers["Location"] == bob.address("home")
    assert bob.get(f"/w/{bob.workspace.slug}").headers["Location"] == bob.address("home")


# --- The rail


def test_the_switcher_names_a_persons_workspaces_and_no_other(cast: Cast, alice: Visitor) -> None:
    found_workspace(owner=cast.alice, name="Side project")

    page = text_of(alice.get("memory"))

    assert "Side project" in page
    assert "Umbrella" not in page


def test_a_deleted_workspace_is_absent(cast: Cast, alice: Visitor) -> None:
    gone = found_workspace(owner=cast.alice, name="Side project")
    with workspace_scope(access_workspace(user=cast.alice, workspace_id=gone.id)):
        Workspace.objects.filter(id=gone.id).update(is_deleted=True)

    assert alice.get(f"/w/{gone.slug}/memory").status_code == 404
    assert "Side project" not in text_of(alice.get("memory"))


def test_error_pages_have_no_rail(bob: Visitor) -> None:
    answer = bob.get("/nowhere")

    assert answer.status_code == 404
    assert "Not found" in text_of(answer)
    assert 'class="rail"' not in text_of(answer)


# --- Settings → API keys


def test_a_secret_is_in_the_answer_to_its_making_and_nowhere_else(cast: Cast, alice: Visitor) -> None:
    answer = alice.post("settings/api-keys/new", name="Night shift", scopes=["read", "write"], lifetime="30")

    (secret,) = set(re.findall(r"oxa_live_[\w-]{20,}", text_of(answer)))
    assert "no-store" in answer.headers["Cache-Control"]
    agent = RestClient(cast.acme.workspace.id, secret)
    assert agent.post("memories", {"content": "Tea is at four."}).status_code == 201
    assert agent.post("memories", {"content": "Tea is at five.", "kind": "fact"}).status_code == 403
    page = text_of(alice.get("settings/api-keys"))
    assert "Night shift" in page
    assert secret not in page


def test_a_new_key_takes_the_place_of_the_list(alice: Visitor) -> None:
    answer = alice.swap("settings/api-keys/new", name="Night shift", scopes=["read"], lifetime="never")

    assert answer.headers["HX-Retarget"] == "#api-keys"
    assert text_of(answer).lstrip().startswith('<div id="api-keys"')


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"name": "", "scopes": ["read"], "lifetime": "30"}, "This field is required."),
        ({"name": "Night shift", "lifetime": "30"}, "Choose at least one."),
        ({"name": "Night shift", "scopes": ["root"], "lifetime": "30"}, "Select a valid choice."),
        ({"name": "Night shift", "scopes": ["read"], "lifetime": "9999999999"}, "Select a valid choice."),
        ({"name": "x" * 121, "scopes": ["read"], "lifetime": "30"}, "at most 120 characters"),
        ({"name": "x", "scopes": ["read"], "lifetime": "30", "spaces": "users"}, "Give `shared`, or a kind and a key"),
        ({"name": "x", "scopes": ["read"], "lifetime": "30", "spaces": "a:1," * 101}, "At most 100 spaces."),
        (
            {"name": "x", "scopes": ["read"], "lifetime": "30", "spaces": "shared", "stamped": "on"},
            "bind it to `user:*`",
        ),
    ],
)
def test_a_refused_key_comes_back_with_the_reason(
    cast: Cast, alice: Visitor, fields: dict[str, Any], complaint: str
) -> None:
    answer = alice.swap("settings/api-keys/new", **fields)

    assert answer.status_code == 422
    assert complaint in text_of(answer)
    assert len(workspace_keys(cast.acme.caller)) == 1


def test_a_key_is_bound_to_the_spaces_that_were_typed(cast: Cast, alice: Visitor) -> None:
    fields = {"name": "Backend", "scopes": ["read"], "lifetime": "30", "stamped": "on"}

    page = text_of(alice.post("settings/api-keys/new", **fields, spaces=" user:*, shared ,, project:apollo"))

    [key] = [each for each in workspace_keys(cast.acme.caller) if each.name == "Backend"]
    assert (key.spaces, key.is_stamped) == (["user:*", "shared", "project:apollo"], True)
    assert "user:*, shared, project:apollo" in page
    assert "Stamped" in page


def test_a_revoked_key_is_refused_from_then_on(cast: Cast, alice: Visitor, acme: RestClient) -> None:
    key = workspace_keys(cast.acme.caller)[0]

    answer = alice.swap(f"settings/api-keys/{key.id}/revoke", at="settings/api-keys")

    assert toast_of(answer)["text"].startswith("Revoked Acme agent.")
    assert "Revoked</span>" in text_of(answer)
    assert acme.get("memories").json()["code"] == "revoked_key"


@pytest.mark.parametrize("role", [Role.MEMBER, Role.VIEWER])
def test_only_owners_and_admins_manage_keys(cast: Cast, role: Role) -> None:
    visitor = as_role(cast, role)
    key = workspace_keys(cast.acme.caller)[0]

    assert "API keys" not in text_of(visitor.get("settings/memory"))
    assert visitor.get("settings/api-keys").status_code == 403
    assert visitor.post("settings/api-keys/new", name="x", scopes=["read"], lifetime="30").status_code == 403
    assert visitor.post(f"settings/api-keys/{key.id}/revoke").status_code == 403
    assert [key.is_active for key in workspace_keys(cast.acme.caller)] == [True]


# --- Who may


def test_an_outsider_finds_nothing_at_any_address(cast: Cast, outsider: Visitor) -> None:
    key = workspace_keys(cast.acme.caller)[0]

    for path in ("settings/memory", "settings/api-keys", "settings/api-keys/new"):
        assert outsider.get(path).status_code == 404, path
    for path in (
        "settings/memory",
        "settings/memory/switch",
        "settings/api-keys/new",
        f"settings/api-keys/{key.id}/revoke",
    ):
        assert outsider.post(path, on="true").status_code == 404, path
    assert outsider.get(f"/w/{outsider.workspace.slug}").status_code == 404
    assert workspace_keys(cast.acme.caller)[0].is_active
    assert memory_settings(current_workspace(cast.acme.caller)).enabled is False


def test_keys_of_another_workspace_are_absent(cast: Cast) -> None:
    charlie = Visitor.of(cast.charlie, cast.umbrella.workspace)
    key = workspace_keys(cast.acme.caller)[0]

    for key_id in (key.id, uuid4(), "nonsense"):
        assert charlie.post(f"settings/api-keys/{key_id}/revoke").status_code == 404
    assert workspace_keys(cast.acme.caller)[0].is_active


def test_forms_need_the_pages_token(cast: Cast, alice: Visitor) -> None:
    alice.client.handler.enforce_csrf_checks = True

    for path in ("/sign-in", "/sign-out", "settings/memory", "settings/memory/switch", "settings/api-keys/new"):
        assert alice.post(path, on="true").status_code == 403, path
    assert memory_settings(current_workspace(cast.acme.caller)).enabled is False
