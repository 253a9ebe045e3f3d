"""Versions of a node on its page: what each step changed, and taking it back."""

from __future__ import annotations

from typing import Any

import pytest

from ontology.models import Change
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.scope import workspace_scope


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def mill(acme: RestClient) -> dict[str, Any]:
    first = {"city": "Oslo", "delivers": "flour"}
    node = acme.post("ontology/nodes", {"type": "company", "name": "Northern mill", "properties": first}).json()
    acme.patch(f"ontology/nodes/{node['id']}", {"properties": {"city": "Bergen"}})
    acme.patch(f"ontology/nodes/{node['id']}", {"name": "Southern <b>mill</b>", "properties": {"open": True}})
    return dict(node)


def _newest(cast: Cast, node: dict[str, Any]) -> str:
    with workspace_scope(cast.acme.caller):
        return str(Change.objects.filter(entity_id=node["id"]).order_by("-id").values_list("id", flat=True)[0])


def _now(acme: RestClient, node: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    found = acme.get(f"ontology/nodes/{node['id']}").json()
    return found["name"], found["properties"]


def test_each_step_says_what_it_changed_word_by_word(bob: Visitor, mill: dict[str, Any]) -> None:
    page = text_of(bob.get(f"ontology/nodes/{mill['id']}"))

    assert "<del>Oslo</del><ins>Bergen</ins>" in page
    assert "<del>Northern </del>" in page
    assert "<b>mill" not in page
    assert page.count("Revert to this") == 2
    assert f'name="step" value="{mill["id"]}"' in page


def test_a_version_comes_back_and_the_newer_one_after_undoing(
    cast: Cast, bob: Visitor, acme: RestClient, mill: dict[str, Any]
) -> None:
    address, seen = f"ontology/nodes/{mill['id']}", _newest(cast, mill)

    answer = bob.swap(f"{address}/revert", target="node", at=address, step=mill["id"], seen=seen)

    assert _now(acme, mill) == ("Northern mill", {"city": "Oslo", "delivers": "flour"})
    last = acme.get(f"{address}/history").json()["results"][0]
    assert (last["action"], last["before"]["name"]) == ("edit", "Southern <b>mill</b>")
    bob.post(toast_of(answer)["undo_url"])
    assert _now(acme, mill) == ("Southern <b>mill</b>", {"city": "Bergen", "delivers": "flour", "open": True})


def test_a_change_meanwhile_and_steps_of_others_are_refused(
    cast: Cast, bob: Visitor, acme: RestClient, mill: dict[str, Any]
) -> None:
    address, seen = f"ontology/nodes/{mill['id']}/revert", _newest(cast, mill)
    acme.patch(f"ontology/nodes/{mill['id']}", {"name": "Mill"})
    other = acme.post("ontology/nodes", {"type": "company", "name": "Other", "properties": {}}).json()["id"]

    assert bob.post(address, step=mill["id"], seen=seen).status_code == 409
    assert bob.post(address, step=other).status_code == 404
    assert bob.post(address, step="first").status_code == 422
    assert Visitor.of(cast.charlie, cast.acme.workspace).post(address, step=mill["id"]).status_code == 404
    assert _now(acme, mill)[0] == "Mill"
