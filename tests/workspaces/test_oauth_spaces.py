"""A connected app gets the spaces that its person chose, and never more than the person has at that moment."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import UnauthenticatedError
from tests.cast import Cast
from tests.pages import Visitor, text_of
from tests.workspaces.oauth import RESOURCE, Desk
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces, SpaceNotAllowedError, parse_space
from workspaces.accounts.services.memberships import add_member
from workspaces.accounts.services.space_grants import grant_space, withdraw_grant
from workspaces.models import ConnectedApp, Role
from workspaces.oauth.services.connected_apps import caller_of_token, connect_app


def caller_with(tokens: dict[str, Any]) -> Caller:
    return caller_of_token(secret=tokens["access_token"], resource=RESOURCE)


def _checked(page: str) -> list[str]:
    boxes = [line for line in page.split("<input") if 'name="spaces"' in line and "checked" in line]
    return [each.partition('value="')[2].partition('"')[0] for each in boxes]


def test_shared_and_the_persons_own_are_ticked_and_granted_ones_offered(cast: Cast) -> None:
    grant_space(caller=cast.acme.caller, user_id=cast.bob.id, space="project:apollo")

    page = Desk.of(cast.bob).asks().content.decode()

    assert _checked(page) == ["shared", f"user:{cast.bob.id}"]
    assert 'value="project:apollo"' in page
    assert "project:apollo" not in Desk.of(cast.alice).asks().content.decode()


@pytest.mark.parametrize(
    ("spaces", "said"),
    [([], "Choose at least one."), (["user:42"], "Select a valid choice"), (["project:apollo"], "you do not have")],
)
def test_a_space_that_cannot_be_given_is_asked_again(cast: Cast, spaces: list[str], said: str) -> None:
    add_member(caller=cast.umbrella.caller, email=cast.bob.email, role=Role.MEMBER)
    grant_space(caller=cast.acme.caller, user_id=cast.bob.id, space="project:apollo")

    answer = Desk.of(cast.bob).consents(cast.umbrella.workspace.id, spaces=spaces)

    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_no_person_gives_spaces_that_they_do_not_have(cast: Cast) -> None:
    with pytest.raises(SpaceNotAllowedError):
        connect_app(
            user=cast.bob,
            workspace_id=cast.acme.workspace.id,
            client_id="x",
            name="x",
            scopes=[Right.READ],
            spaces=["user:*"],
        )


def test_an_app_gets_the_spaces_that_its_person_chose(cast: Cast) -> None:
    mine, desk = f"user:{cast.bob.id}", Desk.of(cast.bob)
    grant_space(caller=cast.acme.caller, user_id=cast.bob.id, space="project:apollo")

    caller = caller_with(desk.connects(cast.acme.workspace.id, spaces=[mine, "project:apollo"]))

    assert caller.binding.allowed == (mine, "project:apollo")
    assert caller.naming(NamedSpaces(space="project:apollo")).reach.written == parse_space("project:apollo").id
    for other in ("shared", "user:42", f"user:{cast.alice.id}"):
        with pytest.raises(SpaceNotAllowedError):
            caller.naming(NamedSpaces(space=other))
    assert "own, project:apollo" in text_of(Visitor.of(cast.bob, cast.acme.workspace).get("settings/apps"))


def test_an_app_of_an_owner_reaches_no_more_than_was_chosen(cast: Cast, desk: Desk) -> None:
    caller = caller_with(desk.connects(cast.acme.workspace.id, spaces=["shared"]))

    with pytest.raises(SpaceNotAllowedError):
        caller.naming(NamedSpaces(user="42"))


def test_a_grant_that_is_withdrawn_is_withdrawn_from_apps(cast: Cast) -> None:
    desk = Desk.of(cast.bob)
    grant = grant_space(caller=cast.acme.caller, user_id=cast.bob.id, space="project:apollo")
    both = desk.connects(cast.acme.workspace.id, spaces=["shared", "project:apollo"])
    other = Desk.of(cast.bob)
    alone = other.connects(cast.acme.workspace.id, spaces=["project:apollo"])

    withdraw_grant(caller=cast.acme.caller, grant_id=grant.id)

    assert caller_with(both).binding.allowed == ("shared",)
    with pytest.raises(UnauthenticatedError, match="spaces"):
        caller_with(alone)
    refused = other.refreshes(alone["refresh_token"])
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert desk.refreshes(both["refresh_token"]).status_code == 200


def test_an_app_of_before_has_what_is_shared_and_its_persons_own(cast: Cast) -> None:
    tokens = Desk.of(cast.bob).connects(cast.acme.workspace.id)
    with workspace_scope(cast.acme.caller):
        ConnectedApp.objects.update(spaces=[])

    assert caller_with(tokens).binding.allowed == ("shared", f"user:{cast.bob.id}")
