"""A key that is bound to spaces reaches no other by any argument, and a stamped one nobody without a stamp."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core.clock import utc_now
from tests.cast import Cast, Household, RestClient
from workspaces.access.callers import Right
from workspaces.keys.on_behalf_stamps import make_stamp
from workspaces.keys.services import create_key
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


def _repeated(client: RestClient, user: str, path: str, body: dict[str, Any]) -> Any:
    stamp = make_stamp(secret=client.secret, user=user, now=utc_now())
    headers = {"Authorization": f"Bearer {client.secret}", "X-On-Behalf-Of": stamp, "Idempotency-Key": "turn-1"}
    address = f"/v1/workspaces/{client.workspace_id}/{path}"
    return Client().post(address, json.dumps(body), content_type="application/json", headers=headers)


def test_users_of_a_stamped_key_get_the_answers_to_their_own_calls(cast: Cast) -> None:
    stamped = _bound(cast.acme, ["user:*", "shared"], is_stamped=True)
    body = {"content": "My favourite tea is Assam."}

    alice, again, bob = (_repeated(stamped, user, "memories", body) for user in ("alice", "alice", "bob"))

    assert (again.json()["id"], again["Idempotency-Replayed"]) == (alice.json()["id"], "true")
    assert (bob.status_code, "Idempotency-Replayed" in bob.headers) == (201, False)
    assert bob.json()["id"] != alice.json()["id"]
    assert cast.acme.rest().get(f"memories/{bob.json()['id']}", user="bob").status_code == 200


def test_what_users_of_a_stamped_key_share_is_answered_to_each(cast: Cast) -> None:
    stamped = _bound(cast.acme, ["user:*", "shared"], is_stamped=True)
    body = {"agent": "clerk", "space": "shared"}

    alice, bob = (_repeated(stamped, user, "runs", body) for user in ("alice", "bob"))

    assert (alice.status_code, bob.status_code) == (201, 201)
    assert bob.json()["id"] != alice.json()["id"]


def test_a_user_whose_key_ends_with_a_wildcard_is_one_user(cast: Cast) -> None:
    bound = _bound(cast.acme, ["user:a:*"])
    asked = {"name": "another", "scopes": ["read"]}

    for wider in ("user:alice", "user:*"):
        assert bound.post("api-keys", {**asked, "spaces": [wider]}).json()["code"] == "space_not_allowed", wider
    assert bound.post("api-keys", {**asked, "spaces": ["user:a:*"]}).status_code == 201
    assert bound.get("memories").status_code == 200
    bound.remembered("Mine.")
    assert [each["space"] for each in bound.get("spaces").json()["results"]] == ["user:a:*"]


def test_a_stamped_user_whose_key_ends_with_a_wildcard_makes_no_wider_key(cast: Cast) -> None:
    stamped = _bound(cast.acme, ["user:*"], is_stamped=True)

    refused = _repeated(stamped, "a:*", "api-keys", {"name": "k", "scopes": ["read"], "spaces": ["user:alice"]})

    assert (refused.status_code, refused.json()["code"]) == (403, "space_not_allowed")


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


IMPORTS = [
    ("POST", "import", "{}"),
    ("GET", "imports", None),
    ("POST", "imports", "{}"),
    ("GET", "imports/{id}", None),
    ("PUT", "imports/{id}/parts/0", "{}"),
    ("POST", "imports/{id}/start", "{}"),
    ("GET", "imports/{id}/map", None),
]


@pytest.mark.parametrize(("method", "path", "body"), IMPORTS)
def test_a_bound_key_imports_no_workspace(cast: Cast, method: str, path: str, body: str | None) -> None:
    begun = cast.acme.rest(*Right).post("imports").json()["id"]
    bound = _bound(cast.acme, ["user:42", "shared"])

    kind = "application/x-ndjson" if path in {"import", "imports/{id}/parts/0"} else "application/json"
    refused = bound.raw(method, path.format(id=begun), body or "", content_type=kind)

    assert (refused.status_code, refused.json()["code"]) == (403, "space_not_allowed")


def test_a_bound_key_takes_items_into_its_space(cast: Cast) -> None:
    bound = _bound(cast.acme, ["user:42"])
    item = {"item": "memory", "content": "Tea is ordered on Mondays."}

    assert bound.raw("POST", "import/items", json.dumps(item), content_type="application/x-ndjson").status_code == 200
    assert cast.acme.rest().get("memories").json()["results"] == []
    assert len(bound.get("memories").json()["results"]) == 1


def test_a_bound_key_sees_keys_that_reach_no_further(cast: Cast) -> None:
    for spaces in (["user:43"], ["user:42"], ["user:42", "shared"], ["user:*"]):
        _bound(cast.acme, spaces)
    bound = _bound(cast.acme, ["user:42"])

    listed = [key["spaces"] for key in bound.get("api-keys").json()["results"]]

    assert listed == [["user:42"], ["user:42"]]
    assert [] in [key["spaces"] for key in cast.acme.rest(*Right).get("api-keys").json()["results"]]


@pytest.mark.parametrize("tier", ["working", "session"])
def test_slots_of_a_conversation_are_changed_in_its_space_alone(cast: Cast, tier: str) -> None:
    acme = cast.acme.rest()
    acme.post("conversations/shared-one/messages", {"role": "user", "content": "Hello."})
    slot = f"slots/{tier}/notes?scope.conversation=shared-one"
    assert acme.put(slot, {"value": ["theirs"]}).status_code == 200
    bound = _bound(cast.acme, ["user:42", "shared"])

    changes = [
        bound.put(f"{slot}&user=42", {"value": ["mine"]}),
        bound.post(f"{slot}&user=42".replace("/notes", "/notes/append"), {"item": "mine"}),
        bound.delete(f"{slot}&user=42"),
    ]

    if tier == "working":
        assert [answer.status_code for answer in changes] == [404, 404, 404]
    assert acme.get(f"slots/{tier}/notes", **{"scope.conversation": "shared-one"}).json()["value"] == ["theirs"]
    assert bound.put(f"{slot}&space=shared", {"value": ["ours"]}).status_code == 200
