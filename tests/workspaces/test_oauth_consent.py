"""What a person is asked before a program is let in, and what a request must be to get there."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.test import Client
from oauth2_provider.models import Grant

from core.errors import NotFoundError
from tests.cast import Cast
from tests.workspaces.oauth import BACK, Desk, told
from workspaces.access.callers import MissingScopeError, Right
from workspaces.access.selectors import workspace_apps
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.oauth.services.connected_apps import connect_app

# --- Consent


def test_somebody_who_is_not_signed_in_signs_in_first(cast: Cast, desk: Desk) -> None:
    desk.browser.logout()

    answer = desk.asks()

    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in?next=/oauth/authorize")


def test_the_page_says_who_asks_for_what_and_where_it_leads(cast: Cast, desk: Desk) -> None:
    found_workspace(owner=cast.alice, name="Second")

    answer = desk.asks(scope="read facts")

    page = answer.content.decode()
    assert "Connect Desk?" in page
    assert "http://127.0.0.1:4711" in page
    assert [name in page for name in ("Acme", "Second", "Umbrella")] == [True, True, False]
    assert "create facts, promote memories to facts, decide about proposals, pin, weigh" in page
    checked = [line for line in page.split("<input") if "checked" in line]
    assert [scope for scope in Right if any(f'value="{scope}"' in each for each in checked)] == ["read", "facts"]
    assert "form-action 'self' http://127.0.0.1:4711;" in answer["Content-Security-Policy"]
    assert "no-store" in answer["Cache-Control"]


def test_consent_leads_back_with_a_code_state_and_issuer(cast: Cast, desk: Desk) -> None:
    back = told(desk.consents(cast.acme.workspace.id))

    assert back.keys() == {"code", "state", "iss"}
    assert (back["state"], back["iss"]) == ("s-1", "http://testserver")
    [app] = workspace_apps(cast.acme.caller)
    assert (app.name, app.user, app.scopes) == ("Desk", cast.alice, ["read", "write"])


def test_saying_no_leads_back_with_nothing(cast: Cast, desk: Desk) -> None:
    back = told(desk.consents(cast.acme.workspace.id, allow=None, workspace=None, scopes=None))

    assert (back["error"], back["state"], back["iss"]) == ("access_denied", "s-1", "http://testserver")
    assert workspace_apps(cast.acme.caller) == []
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"redirect_uri": "https://evil.example/callback"}, "invalid_request"),
        ({"redirect_uri": "http://127.0.0.1:4711/other"}, "invalid_request"),
        ({"client_id": None}, "invalid_request"),
    ],
)
def test_a_request_that_may_be_forged_leads_nowhere(cast: Cast, desk: Desk, changed: dict[str, Any], said: str) -> None:
    answer = desk.asks(**changed)

    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert "This app cannot be connected" in answer.content.decode()


def test_an_app_that_is_not_known_is_told_to_register_anew(cast: Cast, desk: Desk) -> None:
    answer = desk.asks(client_id="nobody")

    page = answer.content.decode()
    assert (answer.status_code, "This app is not known here" in page) == (400, True)
    assert "Connect it again from the app's side; it then registers again." in page


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
        ({"resource": "http://testserver/other"}, "invalid_target"),
        ({"resource": "lemon"}, "invalid_target"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"response_type": "token"}, "unsupported_response_type"),
    ],
)
def test_a_request_that_is_not_served_is_told_to_the_program(
    cast: Cast, desk: Desk, changed: dict[str, Any], error: str
) -> None:
    back = told(desk.asks(**changed))

    assert (back["error"], back.get("state", "s-1")) == (error, "s-1")


def test_any_port_of_this_machine_will_do(cast: Cast, desk: Desk) -> None:
    assert desk.asks(redirect_uri=BACK.replace("4711", "4712")).status_code == 200


def test_nobody_is_let_in_unasked(cast: Cast, desk: Desk) -> None:
    desk.connects(cast.acme.workspace.id)

    assert desk.asks(approval_prompt="auto").status_code == 200


@pytest.mark.parametrize("field", ["client_id", "redirect_uri", "state", "scope", "code_challenge", "resource"])
def test_what_is_no_text_is_refused(cast: Cast, desk: Desk, field: str) -> None:
    assert desk.asks(**{field: "a\x00b"}).status_code == 400
    assert desk.consents(cast.acme.workspace.id, **{field: "a\x00b"}).status_code == 400
    assert desk.exchanges("code", **{field: "a\x00b"}).status_code == 400


@pytest.mark.django_db
def test_what_is_no_text_is_refused_in_a_header_too() -> None:
    basic = base64.b64encode(b"%00:x").decode()

    answer = Client(raise_request_exception=False).post(
        "/oauth/token", {"grant_type": "authorization_code", "code": "x"}, headers={"Authorization": f"Basic {basic}"}
    )

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


def test_a_person_cannot_choose_a_workspace_of_others(cast: Cast, desk: Desk) -> None:
    answer = desk.consents(cast.umbrella.workspace.id)

    assert answer.status_code == 422
    assert "Select a valid choice" in answer.content.decode()
    assert not Grant.objects.exists()
    with pytest.raises(NotFoundError):
        connect_app(
            user=cast.alice, workspace_id=cast.umbrella.workspace.id, client_id="x", name="x", scopes=[Right.READ]
        )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"scopes": []}, "Choose at least one."),
        ({"workspace": ""}, "Choose one."),
        ({"scopes": ["everything"]}, "Select a valid choice"),
        ({"client_id": "nobody"}, "This app is not known here"),
    ],
)
def test_a_choice_that_cannot_be_is_asked_again(cast: Cast, desk: Desk, given: dict[str, Any], said: str) -> None:
    answer = desk.consents(cast.acme.workspace.id, **given)

    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_nobody_gives_more_than_they_have(cast: Cast) -> None:
    desk = Desk.of(cast.bob)

    assert 'value="admin"' not in desk.asks(scope="read write admin").content.decode()
    assert desk.consents(cast.acme.workspace.id, scopes=["read", "admin"]).status_code == 422
    found_workspace(owner=cast.bob, name="His own")
    answer = desk.consents(cast.acme.workspace.id, scopes=["read", "admin"])
    assert "As member of that workspace you cannot give it: admin." in answer.content.decode()
    with pytest.raises(MissingScopeError):
        connect_app(user=cast.bob, workspace_id=cast.acme.workspace.id, client_id="x", name="x", scopes=[Right.ADMIN])


def test_the_form_is_the_persons_own(cast: Cast, desk: Desk) -> None:
    desk.browser.handler.enforce_csrf_checks = True

    assert desk.consents(cast.acme.workspace.id, csrfmiddlewaretoken=None).status_code == 403
