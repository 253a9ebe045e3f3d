"""What a token opens and for how long, who ends it, and the page that shows what was let in."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError
from django.test import Client
from oauth2_provider.models import AccessToken, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator

from core.clock import utc_now
from core.errors import NotFoundError, UnauthenticatedError
from tests.cast import PASSWORD, Cast
from tests.pages import Visitor, text_of, toast_of
from tests.workspaces.oauth import RESOURCE, Desk, told
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import workspace_apps
from workspaces.accounts.services.memberships import add_member, remove_member
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import AuditEvent, ConnectedApp, Role, User, Workspace
from workspaces.oauth.services.connected_apps import caller_of_token, withdraw_app
from workspaces.oauth.token_validator import ConnectedAppValidator


def caller_with(tokens: dict[str, Any], resource: str = RESOURCE) -> Caller:
    return caller_of_token(secret=tokens["access_token"], resource=resource)


# --- Tokens


def test_a_token_is_its_person_and_workspace_with_the_scopes_that_were_given(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id, scopes=["read", "facts"])
    caller = caller_with(tokens)

    assert (caller.workspace_id, caller.kind) == (cast.acme.workspace.id, ActorKind.APP)
    assert (caller.label, caller.is_person) == ("Desk for Alice", False)
    assert caller.rights == {Right.READ, Right.FACTS}
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, "read facts")
    with workspace_scope(cast.acme.caller):
        event = AuditEvent.objects.get(action="app.connected")
    assert (event.actor_label, event.details) == ("Alice", {"scopes": ["facts", "read"], "spaces": ["shared"]})


def test_tokens_are_kept_as_hashes_only(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id)

    for secret, kept in ((tokens["access_token"], AccessToken), (tokens["refresh_token"], RefreshToken)):
        row = kept.objects.get()
        assert (row.token, row.token_checksum) == ("", hashlib.sha256(secret.encode()).hexdigest())
    assert tokens["access_token"].startswith("oxa_app_")


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_verifier": None}, "invalid_request"),
        ({"code_verifier": "w" * 64}, "invalid_grant"),
        ({"redirect_uri": "http://127.0.0.1:4711/other"}, "invalid_request"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
        ({"code": "made up"}, "invalid_grant"),
        ({"grant_type": "password", "username": "alice@acme.example", "password": PASSWORD}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": "urn:ietf:params:oauth:grant-type:device_code"}, "unsupported_grant_type"),
    ],
)
def test_a_code_is_exchanged_by_whom_it_was_made_for(
    cast: Cast, desk: Desk, changed: dict[str, Any], error: str
) -> None:
    code = told(desk.consents(cast.acme.workspace.id))["code"]

    answer = desk.exchanges(changed.pop("code", code), **changed)

    assert (answer.status_code in {400, 401}, answer.json()["error"]) == (True, error)
    assert not AccessToken.objects.exists()


def test_a_code_is_exchanged_once_and_within_a_minute(cast: Cast, desk: Desk) -> None:
    code = told(desk.consents(cast.acme.workspace.id))["code"]
    assert desk.exchanges(code).status_code == 200
    assert desk.exchanges(code).json()["error"] == "invalid_grant"

    late = told(desk.consents(cast.acme.workspace.id))["code"]
    with time_machine.travel(utc_now() + timedelta(seconds=61)):
        assert desk.exchanges(late).json()["error"] == "invalid_grant"


def test_a_token_lasts_an_hour_and_is_renewed_with_another(cast: Cast, desk: Desk) -> None:
    first = desk.connects(cast.acme.workspace.id)
    with time_machine.travel(utc_now() + timedelta(minutes=61)):
        with pytest.raises(UnauthenticatedError, match="expired"):
            caller_with(first)
        second = desk.refreshes(first["refresh_token"]).json()
        assert caller_with(second).rights == {Right.READ, Right.WRITE}
        assert second["refresh_token"] != first["refresh_token"]


def test_a_refresh_token_that_is_used_twice_ends_them_all(cast: Cast, desk: Desk) -> None:
    first = desk.connects(cast.acme.workspace.id)
    second = desk.refreshes(first["refresh_token"]).json()

    assert desk.refreshes(first["refresh_token"]).json()["error"] == "invalid_grant"

    with pytest.raises(UnauthenticatedError, match="not valid"):
        caller_with(second)
    assert desk.refreshes(second["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_token_opens_the_address_that_it_was_made_for(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id)

    for resource in ("http://elsewhere.example/mcp", "https://testserver/mcp", "http://testserver/v1"):
        with pytest.raises(UnauthenticatedError, match="another server"):
            caller_with(tokens, resource)


@pytest.mark.parametrize("resource", ["http://testserver/other", "https://elsewhere.example/mcp", "lemon"])
def test_a_token_is_not_renewed_for_another_address(cast: Cast, desk: Desk, resource: str) -> None:
    tokens = desk.connects(cast.acme.workspace.id)

    refused = desk.refreshes(tokens["refresh_token"], resource=resource)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_target")
    assert desk.refreshes(tokens["refresh_token"]).status_code == 200


def test_without_a_resource_the_door_is_meant(cast: Cast, desk: Desk) -> None:
    page = desk.asks(resource=None)
    code = told(desk.consents(cast.acme.workspace.id, page=page))["code"]
    tokens = desk.exchanges(code, resource=None).json()

    assert AccessToken.objects.get().resource == [RESOURCE]
    assert caller_with(tokens).workspace_id == cast.acme.workspace.id


def test_rest_takes_keys_and_no_tokens(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id)
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}

    answer = Client().get(f"/v1/workspaces/{cast.acme.workspace.id}/memories", headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_key")


# --- Ending


def test_a_person_withdraws_an_app(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id)
    [app] = workspace_apps(cast.acme.caller)

    withdraw_app(caller=cast.acme.caller, app_id=app.id)
    withdraw_app(caller=cast.acme.caller, app_id=app.id)

    with pytest.raises(UnauthenticatedError):
        caller_with(tokens)
    assert desk.refreshes(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert workspace_apps(cast.acme.caller) == []
    with workspace_scope(cast.acme.caller):
        assert AuditEvent.objects.filter(action="app.withdrawn").count() == 1


def test_a_program_signs_out_by_itself(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id)

    answer = Client().post("/oauth/revoke", {"token": tokens["refresh_token"], "client_id": desk.client_id})

    assert answer.status_code == 200
    with pytest.raises(UnauthenticatedError):
        caller_with(tokens)


def test_whoever_leaves_takes_their_apps_along(cast: Cast) -> None:
    desk = Desk.of(cast.bob)
    tokens = desk.connects(cast.acme.workspace.id)
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    assert caller_with(tokens).rights == {Right.READ}

    remove_member(caller=cast.acme.caller, user_id=cast.bob.id)

    with pytest.raises(UnauthenticatedError):
        caller_with(tokens)


@pytest.mark.parametrize("gone", ["member", "account", "workspace"])
def test_nothing_is_renewed_for_whoever_is_gone(cast: Cast, gone: str) -> None:
    desk = Desk.of(cast.bob)
    tokens = desk.connects(cast.acme.workspace.id)
    if gone == "member":
        remove_member(caller=cast.acme.caller, user_id=cast.bob.id)
    elif gone == "account":
        User.objects.filter(id=cast.bob.id).update(is_active=False)
    else:
        with workspace_scope(cast.acme.caller):
            Workspace.objects.filter(id=cast.acme.workspace.id).update(is_deleted=True)

    answer = desk.refreshes(tokens["refresh_token"])

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


def test_whoever_comes_back_lets_their_apps_in_again(cast: Cast) -> None:
    desk = Desk.of(cast.bob)
    tokens = desk.connects(cast.acme.workspace.id)
    remove_member(caller=cast.acme.caller, user_id=cast.bob.id)
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.MEMBER)

    with pytest.raises(UnauthenticatedError):
        caller_with(tokens)
    assert desk.refreshes(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert caller_with(desk.connects(cast.acme.workspace.id)).workspace_id == cast.acme.workspace.id


def test_an_account_that_is_closed_closes_its_apps(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id)
    User.objects.filter(id=cast.alice.id).update(is_active=False)

    with pytest.raises(UnauthenticatedError):
        caller_with(tokens)


def test_connected_anew_an_app_leaves_where_it_was(cast: Cast, desk: Desk) -> None:
    second = found_workspace(owner=cast.alice, name="Second")
    before = desk.connects(cast.acme.workspace.id)

    after = desk.connects(second.id)

    with pytest.raises(UnauthenticatedError):
        caller_with(before)
    assert caller_with(after).workspace_id == second.id
    assert workspace_apps(cast.acme.caller) == []
    with workspace_scope(cast.acme.caller):
        assert AuditEvent.objects.get(action="app.withdrawn").actor_kind == "app"


@pytest.mark.parametrize("scopes", [["read", "write"], ["read"]])
def test_consent_given_anew_ends_all_that_the_former_gave(cast: Cast, desk: Desk, scopes: list[str]) -> None:
    code = told(desk.consents(cast.acme.workspace.id))["code"]
    assert desk.exchanges(code).status_code == 200
    unused = told(desk.consents(cast.acme.workspace.id))["code"]
    before = desk.connects(cast.acme.workspace.id)

    after = desk.connects(cast.acme.workspace.id, scopes=scopes)

    assert desk.exchanges(unused).json()["error"] == "invalid_grant"
    assert desk.refreshes(before["refresh_token"]).json()["error"] == "invalid_grant"
    with pytest.raises(UnauthenticatedError):
        caller_with(before)
    renewed = desk.refreshes(after["refresh_token"]).json()
    assert caller_with(renewed).rights == set(map(Right, scopes))
    assert desk.refreshes(renewed["refresh_token"], scope="read write facts").json()["error"] == "invalid_scope"


def test_tokens_of_a_former_consent_open_nothing_even_where_they_were_left(cast: Cast, desk: Desk) -> None:
    before = desk.connects(cast.acme.workspace.id)
    with workspace_scope(cast.acme.caller):
        ConnectedApp.objects.update(revoked_at=utc_now())
    after = desk.connects(cast.acme.workspace.id, scopes=["read"])

    assert desk.refreshes(before["refresh_token"]).json()["error"] == "invalid_grant"
    with pytest.raises(UnauthenticatedError):
        caller_with(before)
    assert caller_with(after).rights == {Right.READ}


def test_a_token_is_worth_no_more_than_what_the_app_was_given(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id)
    with workspace_scope(cast.acme.caller):
        ConnectedApp.objects.update(scopes=["read"])

    assert caller_with(tokens).rights == {Right.READ}
    assert caller_with(desk.refreshes(tokens["refresh_token"]).json()).rights == {Right.READ}


def test_what_is_withdrawn_while_it_is_renewed_is_not_renewed(
    cast: Cast, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = desk.connects(cast.acme.workspace.id)
    scopes_of = ConnectedAppValidator.get_original_scopes

    def withdrawn_meanwhile(self: Any, *args: Any, **kwargs: Any) -> Any:
        scopes = scopes_of(self, *args, **kwargs)
        withdraw_app(caller=cast.acme.caller, app_id=workspace_apps(cast.acme.caller)[0].id)
        return scopes

    monkeypatch.setattr(ConnectedAppValidator, "get_original_scopes", withdrawn_meanwhile)

    answer = desk.refreshes(tokens["refresh_token"])

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    assert not AccessToken.objects.exists()


def test_charlie_sees_and_withdraws_nothing(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id)
    [app] = workspace_apps(cast.acme.caller)

    assert workspace_apps(cast.umbrella.caller) == []
    with pytest.raises(NotFoundError):
        withdraw_app(caller=cast.umbrella.caller, app_id=app.id)
    assert caller_with(tokens).workspace_id == cast.acme.workspace.id
    other = Desk.of(cast.charlie)
    assert other.refreshes(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    Client().post("/oauth/revoke", {"token": tokens["access_token"], "client_id": other.client_id})
    assert caller_with(tokens).workspace_id == cast.acme.workspace.id


# --- The page of the settings


def test_everybody_sees_and_withdraws_their_own_apps(cast: Cast) -> None:
    tokens = Desk.of(cast.bob).connects(cast.acme.workspace.id)
    Desk.of(cast.alice).connects(cast.acme.workspace.id)
    alice, bob = (Visitor.of(person, cast.acme.workspace) for person in (cast.alice, cast.bob))
    his, hers = sorted(workspace_apps(cast.acme.caller), key=lambda app: app.user.name, reverse=True)

    assert "settings/apps" in text_of(bob.get("settings/memory"))
    assert text_of(bob.get("settings/apps")).count("Withdraw Desk?") == 1
    assert text_of(alice.get("settings/apps")).count("Withdraw Desk?") == 2
    assert bob.post(f"settings/apps/{hers.id}/withdraw").status_code == 404

    answer = bob.swap(f"settings/apps/{his.id}/withdraw", target="apps", at="settings/apps")

    assert toast_of(answer)["text"] == "Withdrew Desk. Its calls are refused from now on."
    assert "No connected apps" in text_of(answer)
    with pytest.raises(UnauthenticatedError):
        caller_with(tokens)


def test_charlie_sees_no_page_of_acmes_apps(cast: Cast, desk: Desk) -> None:
    desk.connects(cast.acme.workspace.id)
    [app] = workspace_apps(cast.acme.caller)
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)

    assert charlie.get("settings/apps").status_code == 404
    assert charlie.post(f"settings/apps/{app.id}/withdraw").status_code == 404
    assert [each.id for each in workspace_apps(cast.acme.caller)] == [app.id]


def test_a_code_that_comes_back_while_it_is_exchanged_gives_no_tokens(
    cast: Cast, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = told(desk.consents(cast.acme.workspace.id))["code"]
    save = OAuth2Validator.save_bearer_token
    replayed: list[Any] = []

    def replayed_meanwhile(self: Any, *args: Any, **kwargs: Any) -> Any:
        replayed.append(desk.exchanges(code))
        return save(self, *args, **kwargs)

    monkeypatch.setattr(OAuth2Validator, "save_bearer_token", replayed_meanwhile)

    answers = [desk.exchanges(code), *replayed]

    assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [(400, "invalid_grant")] * 2
    assert not AccessToken.objects.exists()


def test_a_refresh_token_that_is_used_twice_at_once_is_refused_in_the_words_of_oauth(
    cast: Cast, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = desk.connects(cast.acme.workspace.id)
    save = ConnectedAppValidator.save_bearer_token

    def replaced_meanwhile(self: Any, *args: Any, **kwargs: Any) -> None:
        save(self, *args, **kwargs)
        AccessToken.objects.all().delete()

    monkeypatch.setattr(ConnectedAppValidator, "save_bearer_token", replaced_meanwhile)

    answer = desk.refreshes(tokens["refresh_token"])

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


def test_what_the_database_refuses_is_an_invalid_grant(cast: Cast, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = desk.connects(cast.acme.workspace.id)

    def refused(self: Any, *args: Any, **kwargs: Any) -> None:
        raise IntegrityError

    monkeypatch.setattr(OAuth2Validator, "save_bearer_token", refused)

    answer = desk.refreshes(tokens["refresh_token"])

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
