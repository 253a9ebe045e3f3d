"""The console pages of the ontology, as a browser without script sees them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.cast import Cast, RestClient
from tests.ontology.test_asking import FLOUR, TEXT, edge, node, posted
from tests.pages import Visitor, text_of, toast_of
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role


@pytest.fixture
def things(acme: RestClient) -> dict[str, dict[str, Any]]:
    """Ada, who works at the mill in Oslo."""
    ada, mill = node(acme, "Ada Lovelace", role="miller"), node(acme, "Acme Mills", "organization")
    oslo = node(acme, "Oslo", "place")
    edge(acme, "works_at", ada, mill)
    edge(acme, "located_in", mill, oslo)
    return {"ada": ada, "mill": mill, "oslo": oslo}


def at(thing: dict[str, Any], page: str = "") -> str:
    return f"ontology/nodes/{thing['id']}{page}"


# --- The list ------------------------------------------------------------------------------------


def test_the_list_has_nodes_and_leaves_memories_to_their_own_section(
    bob: Visitor, acme: RestClient, things: dict[str, Any]
) -> None:
    acme.remembered(FLOUR)

    page = text_of(bob.get("ontology"))

    assert "Ada Lovelace" in page
    assert "3 nodes" in page
    assert FLOUR not in page
    assert FLOUR in text_of(bob.get("ontology", types="memory"))


def test_filters_are_addresses(bob: Visitor, things: dict[str, Any]) -> None:
    page = text_of(bob.get("ontology", types="place"))

    assert "Oslo" in page
    assert "Ada Lovelace" not in page
    assert "?types=place%2Cperson" in page or "types=person" in page
    assert bob.get("ontology", created_after="soon").status_code == 422


def test_searching_shows_scores(bob: Visitor, things: dict[str, Any]) -> None:
    page = text_of(bob.get("ontology", q="miller"))

    assert "Ada Lovelace" in page
    assert "Oslo" not in page
    assert "By words: rank 1" in page
    assert "Nothing found" in text_of(bob.get("ontology", q="zebra"))


def test_an_empty_list_says_what_to_do(bob: Visitor, acme: RestClient) -> None:
    assert "No nodes yet" in text_of(bob.get("ontology"))
    acme.remembered(FLOUR)
    assert "Only memories so far" in text_of(bob.get("ontology"))


def test_deleted_nodes_are_one_filter_away(bob: Visitor, acme: RestClient, things: dict[str, Any]) -> None:
    acme.delete(at(things["oslo"]))

    assert "Oslo" not in text_of(bob.get("ontology"))
    assert "Oslo" in text_of(bob.get("ontology", deleted="true"))


# --- One node ------------------------------------------------------------------------------------


def test_a_node_has_its_properties_edges_and_mentions(bob: Visitor, acme: RestClient, things: dict[str, Any]) -> None:
    memory = acme.remembered("Every Monday Ada Lovelace opens the mill.")

    page = text_of(bob.get(at(things["ada"])))

    assert "miller" in page
    assert re.search(r"<dt>works at</dt><dd><ul><li><a href=\"[^\"]+\">Acme Mills", page)
    assert f"/memory/{memory['id']}" in page
    assert f"[node:{things['ada']['id']}]" in page, "to copy"
    assert "Added" in page


def test_what_was_extracted_says_where_it_comes_from(bob: Visitor, acme: RestClient) -> None:
    update = posted(acme, "prompt", text=TEXT, intent="update")["update"]

    page = text_of(bob.get(at(update["nodes"][0]["node"])))

    assert "Found by rules" in page
    assert update["text_hash"][:8] in page


def test_a_memory_is_a_node_that_leads_to_its_own_page(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(FLOUR)

    page = text_of(bob.get(at(memory)))

    assert f"/memory/{memory['id']}" in page
    assert "Delete" not in page


def test_a_node_is_added_edited_deleted_and_restored(bob: Visitor, acme: RestClient) -> None:
    answer = bob.post("ontology/nodes/new", type="ship", name="Vega", properties='{"port": "Oslo", "masts": 3}')
    assert answer.status_code == 302
    url = answer["Location"]

    bob.post(f"{url}/edit", type="ship", name="Vega II", properties='{"port": "Bergen"}')
    page = text_of(bob.get(url))
    assert "Vega II" in page
    assert "Bergen" in page
    assert "Name before: Vega" in page

    deleted = bob.swap(f"{url}/delete", target="node", at=url)
    assert "Restore" in text_of(deleted)
    assert toast_of(deleted)["undo_url"] == f"{url}/restore"
    bob.post(f"{url}/restore")
    (ship,) = acme.get("ontology/nodes", type="ship").json()["results"]
    assert (ship["properties"], ship["is_deleted"]) == ({"port": "Bergen"}, False)


def test_of_two_editors_the_second_reads_again_before_they_replace(bob: Visitor, acme: RestClient) -> None:
    ship = acme.post("ontology/nodes", {"type": "ship", "name": "Vega", "properties": {"port": "Oslo"}}).json()
    url = at(ship, "/edit")
    seen = re.search(r'name="seen" value="([^"]+)"', text_of(bob.get(url)))
    assert seen
    acme.patch(f"ontology/nodes/{ship['id']}", {"properties": {"masts": 3}})
    typed = {"type": "ship", "name": "Vega II", "properties": '{"port": "Oslo"}'}

    refused = bob.post(url, **typed, seen=seen[1])

    assert refused.status_code == 409
    assert "It has changed since it was shown here" in text_of(refused)
    assert "Vega II" in text_of(refused)
    assert acme.get(f"ontology/nodes/{ship['id']}").json()["properties"] == {"port": "Oslo", "masts": 3}
    again = re.search(r'name="seen" value="([^"]+)"', text_of(refused))
    assert again
    assert bob.post(url, **typed, seen=again[1]).status_code == 302


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"properties": "{"}, "not JSON"),
        ({"properties": "[1]"}, "one object"),
        ({"properties": '{"a": NaN}'}, "not JSON"),
        ({"properties": '{"a": 1e400}'}, "not JSON"),
        ({"properties": r'{"a": "\u0000"}'}, "not JSON"),
        ({"properties": r'{"\ud800": 1}'}, "not JSON"),
        ({"name": ""}, "This field is required"),
        ({"type": "fact"}, "POST memories"),
        ({"properties": '{"password": "hunter2secret99"}'}, "credential"),
    ],
)
def test_a_form_that_does_not_fit_comes_back(bob: Visitor, acme: RestClient, fields: dict[str, str], said: str) -> None:
    answer = bob.post("ontology/nodes/new", **{"type": "ship", "name": "Vega", "properties": "{}", **fields})

    assert answer.status_code == 422
    assert said in text_of(answer)
    assert acme.get("ontology/nodes").json()["results"] == []


# --- The graph, the types ------------------------------------------------------------------------


def test_the_graph_has_a_table_with_the_same_content(bob: Visitor, things: dict[str, Any]) -> None:
    page = text_of(bob.get(at(things["ada"], "/graph")))

    drawn = json.loads(re.search(r'<script id="graph-data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert drawn["centre"] == things["ada"]["id"]
    assert {one["title"] for one in drawn["nodes"]} == {"Ada Lovelace", "Acme Mills", "Oslo"}
    assert {one["words"] for one in drawn["edges"]} == {"works at", "located in"}
    table = page[page.index("data-graph-table") :]
    assert all(words in table for words in ("Ada Lovelace", "works at", "Acme Mills", "located in", "Oslo"))


def test_the_graph_goes_as_deep_as_asked(bob: Visitor, things: dict[str, Any]) -> None:
    assert "Oslo" not in text_of(bob.get(at(things["ada"], "/graph"), depth=1))
    assert bob.get(at(things["ada"], "/graph"), depth="far").status_code == 200


def test_a_node_without_edges_says_so(bob: Visitor, acme: RestClient) -> None:
    assert "Nothing around it" in text_of(bob.get(at(node(acme, "Vega", "ship"), "/graph")))


def test_the_catalogue_counts(bob: Visitor, things: dict[str, Any]) -> None:
    page = text_of(bob.get("ontology/types"))

    assert all(name in page for name in ("person", "organization", "place", "works_at", "located_in"))
    assert "?types=person" in page


# --- Rights --------------------------------------------------------------------------------------

PAGES = ["ontology", "ontology/types", "ontology/nodes/new"]


def test_the_outsider_sees_nothing(cast: Cast, things: dict[str, Any]) -> None:
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)
    at_home = Visitor.of(cast.charlie, cast.umbrella.workspace)
    ada = things["ada"]

    for path in (*PAGES, at(ada), at(ada, "/edit"), at(ada, "/graph")):
        assert charlie.get(path).status_code == 404, path
    for path in ("ontology/nodes/new", at(ada, "/edit"), at(ada, "/delete"), at(ada, "/restore")):
        assert charlie.post(path).status_code == 404, path
    for path in (at(ada), at(ada, "/edit"), at(ada, "/graph")):
        assert at_home.get(path).status_code == 404, path
    for path in (at(ada, "/edit"), at(ada, "/delete"), at(ada, "/restore")):
        assert at_home.post(path).status_code == 404, path
    assert "Nothing found" in text_of(at_home.get("ontology", q="Ada Lovelace"))


def test_a_viewer_reads_and_changes_nothing(cast: Cast, things: dict[str, Any]) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    viewer = Visitor.of(cast.bob, cast.acme.workspace)
    ada = things["ada"]

    assert "Add node" not in text_of(viewer.get("ontology"))
    assert "Delete" not in text_of(viewer.get(at(ada)))
    for path in ("ontology/nodes/new", at(ada, "/edit"), at(ada, "/delete")):
        assert viewer.post(path).status_code == 403, path


def test_strangers_sign_in_first(cast: Cast) -> None:
    stranger = Visitor.of(cast.bob, cast.acme.workspace)
    stranger.client.logout()
    for path in PAGES:
        assert stranger.get(path).status_code == 302, path


def test_types_are_counted_up_to_a_bound(
    acme: RestClient, alice: Visitor, things: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def counts() -> dict[str, str]:
        rows = re.findall(r'<tr[^>]*><th scope="row">(.*?)</th><td class="is-number">(.*?)</td>', types_page())
        return {re.sub("<.*?>", "", name): re.sub("<.*?>", "", number) for name, number in rows}

    def types_page() -> str:
        return text_of(alice.get("ontology/types"))

    node(acme, "Bergen", "place")
    exact = {one["name"]: str(one["count"]) for one in acme.get("ontology/types").json()["results"]}
    assert counts() == exact
    acme.delete(f"ontology/nodes/{things['mill']['id']}")
    assert (counts()["works_at"], counts()["place"]) == ("0", "2")
    monkeypatch.setattr("ontology.nodes_and_edges.pages.MAX_NODES_COUNTED", 1)
    assert counts()["place"] == "1+"
