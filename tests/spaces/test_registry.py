"""The list of spaces: what a caller may know of, in the order of keys, and how much is in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import pytest
from cachetools import TTLCache

from tests.cast import Cast, Household, RestClient
from workspaces.access import space_registry
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.keys.services import create_key
from workspaces.models import Space

pytestmark = pytest.mark.django_db

SPACES = ("user:42", "user:43", "user:a/b c", "agent:clerk", "project:apollo", "project:zeus")


def _bound(household: Household, *spaces: str, scopes: Sequence[Right] = (Right.READ,)) -> RestClient:
    made = create_key(caller=household.caller, name="bound", scopes=list(scopes), spaces=spaces)
    return RestClient(household.workspace.id, made.secret)


def _fill(cast: Cast) -> RestClient:
    rest = cast.acme.rest()
    for space in SPACES:
        rest.remembered(f"Something of {space}.", space=space)
    return rest


def _names(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [each["space"] for each in answer.json()["results"]]


def test_shared_is_there_before_anything_is_written(cast: Cast) -> None:
    rest = cast.acme.rest()

    (only,) = rest.get("spaces").json()["results"]

    assert {name: only[name] for name in ("space", "kind", "key", "title", "erased_at")} == {
        "space": "shared",
        "kind": "shared",
        "key": None,
        "title": None,
        "erased_at": None,
    }
    assert rest.get("spaces/shared").json()["counts"] == {
        "memories": 0,
        "conversations": 0,
        "statements": 0,
        "actions": 0,
    }


@pytest.mark.django_db(transaction=True)
def test_a_space_that_another_process_took_out_of_the_list_comes_back(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, seconds = [0.0], space_registry.ENTERED_SECONDS
    monkeypatch.setattr(space_registry, "_entered", TTLCache(maxsize=10, ttl=seconds, timer=lambda: now[0]))
    rest = cast.acme.rest()
    rest.remembered("Tea.", user="42")
    with workspace_scope(cast.acme.caller):
        Space.objects.of(cast.acme.caller).delete()

    rest.remembered("Coffee.", user="42")
    assert _names(rest.get("spaces")) == ["shared"]

    now[0] += seconds
    rest.remembered("Cocoa.", user="42")
    assert _names(rest.get("spaces")) == ["shared", "user:42"]


def test_spaces_are_listed_by_their_keys_and_in_pages(cast: Cast) -> None:
    rest = _fill(cast)
    cast.umbrella.rest().remembered("Elsewhere.", user="elsewhere")

    whole = _names(rest.get("spaces"))
    walked, page = [], rest.get("spaces", limit=2).json()
    while True:
        walked += [each["space"] for each in page["results"]]
        if page["next"] is None:
            break
        page = rest.get(page["next"].partition("testserver")[2]).json()

    assert whole[0] == "shared"
    assert sorted(whole) == sorted(["shared", *SPACES])
    assert walked == whole


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"kind": "user"}, {"user:42", "user:43", "user:a/b c"}),
        ({"kind": "project"}, {"project:apollo", "project:zeus"}),
        ({"kind": "shared"}, {"shared"}),
        ({"kind": "nothing"}, set()),
        ({"q": "4"}, {"user:42", "user:43"}),
        ({"q": "user:42"}, {"user:42"}),
        ({"q": "project:a"}, {"project:apollo"}),
        ({"kind": "project", "q": "z"}, {"project:zeus"}),
        ({"kind": "user", "q": "user:a/"}, {"user:a/b c"}),
        ({"q": "sha"}, {"shared"}),
        ({"q": "%"}, set()),
    ],
)
def test_spaces_are_found_by_kind_and_by_how_they_begin(cast: Cast, asked: dict[str, str], found: set[str]) -> None:
    assert set(_names(_fill(cast).get("spaces", **asked))) == found


def test_a_bound_key_knows_of_its_own_spaces_only(cast: Cast) -> None:
    _fill(cast)

    assert _names(_bound(cast.acme, "user:42", scopes=[Right.READ, Right.ADMIN]).get("spaces")) == ["user:42"]
    users = _bound(cast.acme, "user:*", "project:apollo", "shared")
    assert set(_names(users.get("spaces"))) == {"shared", "user:42", "user:43", "user:a/b c", "project:apollo"}
    assert set(_names(_bound(cast.acme, "project:*").get("spaces", q="z"))) == set()
    assert _names(_bound(cast.acme, "project:*").get("spaces", q="project:z")) == ["project:zeus"]
    for refused in ("user:43", "user:nobody", "shared"):
        answer = _bound(cast.acme, "user:42").get(f"spaces/{refused}")
        assert (answer.status_code, answer.json()["code"]) == (403, "space_not_allowed")


@pytest.mark.parametrize("path", ["spaces", "spaces/shared", "spaces/user:42", "spaces/user:nobody"])
def test_without_a_binding_the_list_needs_admin(cast: Cast, path: str) -> None:
    _fill(cast)

    refused = cast.acme.rest(Right.READ, Right.WRITE, Right.FACTS).get(path)

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")


def test_one_space_tells_how_much_is_in_it(cast: Cast) -> None:
    rest = _fill(cast)
    rest.post("memories", {"content": "One more.", "user": "42"})
    gone = rest.remembered("Forgotten.", user="42")
    rest.delete(f"memories/{gone['id']}", {"user": "42"})
    rest.post("conversations/c/messages", {"role": "user", "content": "Hello.", "user": "42"})

    found = _bound(cast.acme, "user:42").get("spaces/user:42").json()

    assert (found["space"], found["kind"], found["key"]) == ("user:42", "user", "42")
    assert (found["counts"]["memories"], found["counts"]["conversations"]) == (2, 1)
    assert rest.get("spaces/user:43").json()["counts"]["memories"] == 1


@pytest.mark.parametrize("name", [quote("user:a/b c", safe=""), quote("user:a/b c", safe="/:"), "project:apollo"])
def test_the_name_in_the_path_may_have_any_characters(cast: Cast, name: str) -> None:
    assert _fill(cast).get(f"spaces/{name}").status_code == 200


@pytest.mark.parametrize("name", ["user:nobody", "user", "user:", "nonsense", "user:*", "user:%00", "x" * 300, "a:%0A"])
def test_what_is_no_space_is_absent(cast: Cast, name: str) -> None:
    answer = _fill(cast).get(f"spaces/{name}")

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("query", [{"kind": "User"}, {"cursor": "cD0lMDA="}, {"user": "42"}, {"q": "\x00"}])
def test_a_bad_query_is_refused(cast: Cast, query: dict[str, str]) -> None:
    assert cast.acme.rest().get("spaces", **query).status_code == 422
