"""Every list of the OpenAPI document takes `limit` from 1 to 200, and its pages hold the whole list."""

from __future__ import annotations

from typing import Any, get_origin

import pytest

from config.openapi.document import UNLISTED, document, operations
from tests.cast import Answer, Cast
from tests.rules.doors import Door, ids_of, rest_doors, with_operator
from workspaces.access.callers import Right
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.keys.services import create_key


def is_page(answer: Any) -> bool:
    """Whether an answer is a part of a list."""
    return str(getattr(get_origin(answer) or answer, "__name__", "")).startswith("Page")


@pytest.fixture
def cast(furnished_cast: Cast, db: None) -> Cast:
    """A cast whose workspaces have something in every table."""
    return furnished_cast


LISTS = [
    door
    for door in rest_doors()
    if door.method == "GET"
    and door.name not in UNLISTED
    and is_page(operations()[door.method, door.name].gives.get(200))
]


def size_parameter(door: Door) -> str:
    """`limit`; a conversation is read from its end, so that its parameter is `last`."""
    listed = document()["paths"][door.documented]["get"].get("parameters", [])
    return next(str(one["name"]) for one in listed if one.get("name") in {"limit", "last"})


def test_there_are_lists() -> None:
    assert len(LISTS) > 20


@pytest.mark.parametrize("door", LISTS, ids=str)
def test_a_list_takes_a_limit_and_its_pages_hold_all_of_it(cast: Cast, door: Door) -> None:
    for name in ("second", "third"):
        create_key(caller=cast.acme.caller, name=name, scopes=[Right.READ])
    found_workspace(owner=cast.alice, name="Another")
    ids, size = ids_of(cast.acme), size_parameter(door)
    visitor = with_operator(cast.acme.secret)

    def asked(query: str) -> Answer:
        return visitor.asks(door, ids, query=query)

    for wrong in ("0", "-1", "x", *(["", "201"] if size == "limit" else [])):
        assert asked(f"?{size}={wrong}").status_code == 422, wrong
    whole = asked(f"?{size}=200").json()["results"]
    first = asked(f"?{size}=1").json()
    assert len(first["results"]) == min(len(whole), 1)
    if first["next"] is None:
        return
    assert asked("?cursor=made-up").status_code == 422
    walked, page = list(first["results"]), first
    while page["next"]:
        assert len(walked) < 100
        page = visitor.client.get(page["next"], headers={"Authorization": f"Bearer {cast.acme.secret}"}).json()
        walked += page["results"]
    # The calls of this test are actions themselves, so that the list of them grows meanwhile.
    assert set(_marks(whole)) <= set(_marks(walked))
    assert len(set(_marks(walked))) == len(walked)


@pytest.mark.parametrize(
    "path", ["api-keys", "members", "metrics", "ontology/types", "models/providers", "models/choices"]
)
def test_small_lists_are_paged_both_ways(cast: Cast, path: str) -> None:
    acme = cast.acme.rest()
    if path == "members":
        acme.post("members", {"email": "new@nowhere.example"})
    elif path == "models/providers":
        acme.post(path, {"name": "another", "kind": "openai", "api_key": "sk-" + "x" * 40})
    whole = acme.get(path).json()["results"]

    second = acme.get(_below(acme.get(path, limit=1).json()["next"])).json() if len(whole) > 1 else None

    assert second is None or second["results"] == [whole[1]]
    assert second is None or acme.get(_below(second["previous"])).json()["results"] == [whole[0]]
    assert len(whole) > 1 or path == "models/choices"


def _below(url: str) -> str:
    return url.removeprefix("http://testserver")


def _marks(results: list[dict[str, Any]]) -> list[str]:
    """What tells the items of a list apart."""
    return [str(one.get("id") or sorted(one.items(), key=repr)) for one in results]
