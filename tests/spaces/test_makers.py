"""A key reaches no space that the person who made it may not open now."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.test import Client

from core.clock import utc_now
from tests.cast import Cast, RestClient
from workspaces.access.callers import Right
from workspaces.access.selectors import access_workspace
from workspaces.accounts.services.memberships import add_member
from workspaces.accounts.services.space_grants import grant_space
from workspaces.keys.on_behalf_stamps import make_stamp
from workspaces.keys.services import create_key
from workspaces.models import Role

pytestmark = pytest.mark.django_db


def _set_role(cast: Cast, role: Role) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)


def _bobs_key(cast: Cast, spaces: Sequence[str] = (), *, is_stamped: bool = False) -> RestClient:
    """Return a client with a key that Bob made while he was an admin; he is a member afterwards."""
    _set_role(cast, Role.ADMIN)
    bob = access_workspace(user=cast.bob, workspace_id=cast.acme.workspace.id)
    made = create_key(caller=bob, name="Bob's", scopes=list(Right), spaces=spaces, is_stamped=is_stamped)
    _set_role(cast, Role.MEMBER)
    return RestClient(cast.acme.workspace.id, made.secret)


def test_a_key_without_a_binding_has_the_spaces_of_its_demoted_maker(cast: Cast) -> None:
    rest, own = cast.acme.rest(), f"user:{cast.bob.id}"
    for space in ("user:42", "project:apollo", "shared", own):
        rest.remembered(f"A note in {space}.", space=space)
    key = _bobs_key(cast)
    seen = {space: key.get("memories", space=space).status_code for space in ("user:42", "project:apollo", own)}

    assert seen == {"user:42": 403, "project:apollo": 403, own: 200}
    assert key.get("memories", space="user:42").json()["code"] == "space_not_allowed"
    assert key.post("memories", {"content": "Not mine.", "user": "42"}).status_code == 403
    assert [each["content"] for each in key.get("memories").json()["results"]] == ["A note in shared."]

    grant_space(caller=cast.acme.caller, user_id=cast.bob.id, space="project:apollo")
    assert key.get("memories", space="project:apollo").status_code == 200
    _set_role(cast, Role.ADMIN)
    assert key.get("memories", space="user:42").status_code == 200


def test_a_key_none_of_whose_spaces_its_maker_may_open_is_refused(cast: Cast) -> None:
    answer = _bobs_key(cast, ["user:42"]).get("memories")

    assert (answer.status_code, answer.json()["code"]) == (401, "revoked_key")


def test_a_stamped_key_of_a_demoted_maker_acts_for_no_user(cast: Cast) -> None:
    key = _bobs_key(cast, ["user:*", "shared"], is_stamped=True)
    address = f"/v1/workspaces/{key.workspace_id}/memories"

    def answer() -> tuple[int, str]:
        stamp = make_stamp(secret=key.secret, user="42", now=utc_now())
        headers = {"Authorization": f"Bearer {key.secret}", "X-On-Behalf-Of": stamp}
        given = Client().get(address, headers=headers)
        return given.status_code, given.json().get("code", "")

    assert answer() == (401, "revoked_key")
    _set_role(cast, Role.ADMIN)
    assert answer() == (200, "")
