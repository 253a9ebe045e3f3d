"""A key that is bound to spaces reaches no other by any argument, and a stamped one nobody without a stamp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core.clock import utc_now
from tests.cast import Cast, Household, RestClient
from workspaces.access.callers import Right
from workspaces.keys.services import create_key
from workspaces.keys.stamps import make_stamp
from workspaces.models import User

pytestmark = pytest.mark.django_db


def _bound(household: Household, spaces: Sequence[str], *, is_stamped: bool = False) -> RestClient:
    made = create_key(caller=household.caller, name="bound", scopes=list(Right), spaces=spaces, is_stamped=is_stamped)
    return RestClient(household.workspace.id, made.secret)


@pytest.mark.parametrize(
    "spaces",
    [{"user": "43"}, {"space": "user:43"}, {"space": "shared"}, {"agent": "clerk"}, {"user": "42", "agent": "clerk"}],
)
@pytest.mark.parametrize("path", ["memories/search", "memories", "context", "conversations/c/messages"])
def test_a_bound_key_reaches_no_other_space(cast: Cast, spaces: dict[str, Any], path: str) -> None:
    cast.acme.rest().remembered("A secret of another user.", user="43")
    bound = _bound(cast.acme, ["user:42"])

    body = {"query": "secret"} if path in {"memories/search", "context"} else {"content": "x", "role": "user"}
    refused = bound.post(path, {**body, **spaces})

    assert (refused.status_code, refused.json()["code"]) == (403, "space_not_allowed")
    assert "secret of another" not in refused.content.decode()


def test_a_key_of_one_space_need_not_name_it(cast: Cast) -> None:
    bound = _bound(cast.acme, ["user:42"])
    mine = bound.remembered("Mine.")

    assert cast.acme.rest().get(f"memories/{mine['id']}").status_code == 404
    assert cast.acme.rest().get(f"memories/{mine['id']}", user="42").status_code == 200
    assert [each["content"] for each in bound.get("memories").json()["results"]] == ["Mine."]


def test_a_receipt_is_seen_by_those_alone_who_read_what_it_names(cast: Cast) -> None:
    rest, bound = cast.acme.rest(), _bound(cast.acme, ["user:42"])
    rest.remembered("The kiln fires at nine.")
    asked = {"query": "When does the kiln fire?", "user": "42"}
    wide = rest.post("context", asked).json()["receipt_id"]
    narrow = bound.post("context", asked).json()["receipt_id"]

    assert rest.get(f"receipts/{wide}", user="42").status_code == 200
    assert bound.get(f"receipts/{wide}", user="42").status_code == 404
    assert bound.get(f"receipts/{narrow}", user="42").status_code == 200


def test_a_key_of_every_user_names_one(cast: Cast) -> None:
    bound = _bound(cast.acme, ["user:*"])

    assert bound.get("memories").json()["code"] == "space_required"
    assert bound.get("memories", user="7").status_code == 200


def test_a_bound_key_makes_no_wider_one(cast: Cast) -> None:
    bound = _bound(cast.acme, ["user:42", "shared"])
    asked = {"name": "another", "scopes": ["read"]}

    assert bound.post("api-keys", {**asked, "spaces": ["user:43"]}).json()["code"] == "space_not_allowed"
    assert bound.post("api-keys", {**asked, "spaces": ["user:*"]}).json()["code"] == "space_not_allowed"
    assert bound.post("api-keys", asked).json()["code"] == "space_not_allowed"
    made = bound.post("api-keys", {**asked, "spaces": ["user:42"]})
    assert (made.status_code, made.json()["spaces"], made.json()["stamped"]) == (201, ["user:42"], False)


def _stamped(client: RestClient, header: str, **query: str) -> Any:
    headers = {"Authorization": f"Bearer {client.secret}", "X-On-Behalf-Of": header}
    return Client().get(f"/v1/workspaces/{client.workspace_id}/memories", query, headers=headers)


def test_a_stamped_key_acts_for_the_user_of_the_stamp_alone(cast: Cast) -> None:
    stamped = _bound(cast.acme, ["user:*", "shared"], is_stamped=True)
    for user in ("ädä 1", "bob"):
        cast.acme.rest().remembered(f"About {user}.", user=user)
    now = utc_now()
    stamp = make_stamp(secret=stamped.secret, user="ädä 1", now=now)

    assert [each["content"] for each in _stamped(stamped, stamp).json()["results"]] == ["About ädä 1."]
    assert _stamped(stamped, stamp, user="bob").json()["code"] == "space_not_allowed"
    assert stamped.get("memories").json()["code"] == "stamp_required"
    assert stamped.get("memories", user="bob").json()["code"] == "stamp_required"
    old = make_stamp(secret=stamped.secret, user="bob", now=now - timedelta(minutes=5))
    other = make_stamp(secret=cast.acme.secret, user="bob", now=now)
    for header in (old, other, "bob", "bob 1 2", f"bob {stamp.split(' ', 1)[1]}", f"{stamp} x"):
        assert _stamped(stamped, header).json()["code"] == "invalid_stamp", header


def test_a_key_without_a_stamp_takes_none(cast: Cast) -> None:
    plain = replace(cast.acme.rest())
    stamp = make_stamp(secret=plain.secret, user="bob", now=utc_now())

    assert _stamped(plain, stamp).json()["code"] == "stamp_not_expected"


def test_a_stamped_key_is_for_users(cast: Cast) -> None:
    refused = cast.acme.rest().post(
        "api-keys", {"name": "k", "scopes": ["read"], "spaces": ["shared"], "stamped": True}
    )

    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "needs_users")


def test_a_member_opens_their_own_space_and_no_other_users(cast: Cast) -> None:
    cast.acme.rest().remembered("A secret of another user.", user="43")
    address = f"/v1/workspaces/{cast.acme.workspace.id}/memories"

    def read(person: User, **spaces: str) -> Any:
        browser = Client()
        browser.force_login(person)
        return browser.get(address, spaces)

    assert read(cast.bob).status_code == 200
    assert read(cast.bob, user=str(cast.bob.id)).status_code == 200
    assert read(cast.bob, user="43").json()["code"] == "space_not_allowed"
    assert [each["content"] for each in read(cast.alice, user="43").json()["results"]] == ["A secret of another user."]
