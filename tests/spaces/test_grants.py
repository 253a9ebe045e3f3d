"""Custom spaces that members are granted: from then on they open them, in pages and with a session, and no others."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import InvalidError, NotFoundError
from tests.cast import Cast
from tests.pages import Visitor, text_of
from workspaces.access.callers import MissingScopeError
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace, workspace_grants
from workspaces.access.spaces import NamedSpaces, SpaceNotAllowedError
from workspaces.accounts.services.memberships import add_member, remove_member
from workspaces.accounts.services.space_grants import grant_space, withdraw_grant
from workspaces.models import AuditEvent, Role, SpaceGrant

pytestmark = pytest.mark.django_db


def _granted(cast: Cast, space: str = "project:apollo") -> SpaceGrant:
    return grant_space(caller=cast.acme.caller, user_id=cast.bob.id, space=space)


def _events(cast: Cast, *actions: str) -> list[AuditEvent]:
    with workspace_scope(cast.acme.caller):
        return list(AuditEvent.objects.of(cast.acme.caller).filter(action__in=actions).order_by("id"))


def _rest(visitor: Visitor, path: str, **query: Any) -> Any:
    return visitor.client.get(f"/v1/workspaces/{visitor.workspace.id}/{path}", query)


def test_an_owner_grants_and_withdraws_on_the_page(cast: Cast, alice: Visitor, bob: Visitor) -> None:
    refused = bob.get("memory", space="project:apollo")
    granted = alice.post("settings/spaces", member=str(cast.bob.id), space=" project:apollo ")

    assert refused.status_code == 403
    assert "You may not open the space" in text_of(refused)
    assert granted.status_code == 302
    page = text_of(alice.get("settings/spaces"))
    assert "project:apollo" in page
    assert bob.get("memory", space="project:apollo").status_code == 200
    assert "granted to you" in text_of(bob.get("settings/spaces"))

    [grant] = workspace_grants(cast.acme.caller)
    assert alice.post(f"settings/spaces/{grant.id}/withdraw").status_code == 302
    assert bob.get("memory", space="project:apollo").status_code == 403
    events = _events(cast, "space.granted", "space.grant_withdrawn")
    assert [(each.action, each.object_id, each.details) for each in events] == [
        ("space.granted", str(cast.bob.id), {"space": "project:apollo"}),
        ("space.grant_withdrawn", str(cast.bob.id), {"space": "project:apollo"}),
    ]


def test_granting_twice_changes_nothing(cast: Cast) -> None:
    assert _granted(cast).id == _granted(cast).id
    assert len(_events(cast, "space.granted")) == 1


@pytest.mark.parametrize("space", ["shared", "user:42", "agent:clerk", "project", "project:*", "Project:x", ""])
def test_only_custom_spaces_are_granted(cast: Cast, alice: Visitor, space: str) -> None:
    assert alice.post("settings/spaces", member=str(cast.bob.id), space=space).status_code == 422
    with pytest.raises(InvalidError):
        _granted(cast, space)
    assert workspace_grants(cast.acme.caller) == []


def test_only_members_are_granted_one(cast: Cast, alice: Visitor) -> None:
    assert alice.post("settings/spaces", member=str(cast.charlie.id), space="project:apollo").status_code == 422
    with pytest.raises(InvalidError):
        grant_space(caller=cast.acme.caller, user_id=cast.charlie.id, space="project:apollo")


def test_a_member_grants_and_withdraws_nothing(cast: Cast, bob: Visitor) -> None:
    grant = _granted(cast)
    member = access_workspace(user=cast.bob, workspace_id=cast.acme.workspace.id)

    assert bob.post("settings/spaces", member=str(cast.bob.id), space="project:zeus").status_code == 403
    assert bob.post(f"settings/spaces/{grant.id}/withdraw").status_code == 403
    assert "Granted custom spaces" not in text_of(bob.get("settings/spaces"))
    with pytest.raises(MissingScopeError):
        grant_space(caller=member, user_id=cast.bob.id, space="project:zeus")


def test_a_grant_of_another_workspace_is_absent(cast: Cast) -> None:
    grant = _granted(cast)
    charlie = Visitor.of(cast.charlie, cast.umbrella.workspace)

    assert charlie.post(f"settings/spaces/{grant.id}/withdraw").status_code == 404
    assert str(grant.id) not in text_of(charlie.get("settings/spaces"))
    with pytest.raises(NotFoundError):
        withdraw_grant(caller=cast.umbrella.caller, grant_id=grant.id)


def test_a_grant_is_for_one_workspace(cast: Cast) -> None:
    add_member(caller=cast.umbrella.caller, email=cast.bob.email, role=Role.MEMBER)
    _granted(cast)
    elsewhere = access_workspace(user=cast.bob, workspace_id=cast.umbrella.workspace.id)

    with pytest.raises(SpaceNotAllowedError):
        elsewhere.naming(NamedSpaces(space="project:apollo"))


def test_a_granted_session_reads_and_writes_the_space_through_rest(cast: Cast, bob: Visitor) -> None:
    cast.acme.rest().remembered("Apollo flies on Friday.", space="project:apollo")
    assert _rest(bob, "memories", space="project:apollo").status_code == 403

    _granted(cast)

    found = _rest(bob, "memories", space="project:apollo").json()["results"]
    assert [each["content"] for each in found] == ["Apollo flies on Friday."]
    bob.post("memory/remember?space=project:apollo", content="It lands on Sunday.", kind="memory")
    assert len(_rest(bob, "memories", space="project:apollo", shared="false").json()["results"]) == 2
    assert _rest(bob, "memories").json()["results"] == []


def test_who_is_removed_and_comes_back_has_no_grant(cast: Cast, bob: Visitor) -> None:
    _granted(cast)

    remove_member(caller=cast.acme.caller, user_id=cast.bob.id)
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.MEMBER)

    assert bob.get("memory", space="project:apollo").status_code == 403
