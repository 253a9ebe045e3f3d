"""Things as a table and as a graph, paths, and merging by hand, as a browser without script sees them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ontology.matching.tasks import match_workspace
from tests.cast import Cast, RestClient
from tests.ontology.test_asking import edge, node
from tests.pages import Visitor, text_of
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

HOSTILE = "<script>alert(1)</script> \u202e </script>"


@pytest.fixture
def hotels(acme: RestClient) -> tuple[str, str]:
    """Two nodes for one hotel, which differ in a property; a guest has an edge to the second."""
    first = node(acme, "Hotel Astoria", "customer", since="2010", city="Oslo")
    second = node(acme, "Astoria Hotel", "customer", since="2025", zip="0150")
    edge(acme, "stays_at", node(acme, "Ada Lovelace"), second)
    return first["id"], second["id"]


def properties(acme: RestClient, node_id: str) -> dict[str, Any]:
    found: dict[str, Any] = acme.get(f"ontology/nodes/{node_id}").json()["properties"]
    return found


def drawn(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="graph-data"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


# --- Table and graph -----------------------------------------------------------------------------


def test_rows_have_a_mark_and_a_property_or_two(bob: Visitor, hotels: tuple[str, str]) -> None:
    page = text_of(bob.get("ontology"))

    assert "since: 2010" in page
    assert re.search(r"class=\"mark hue-\d\"[^>]*><use href=\"[^\"]+#shape-\w+\"></use></svg>customer", page)
    assert 'aria-current="true">Table' in page


def test_the_graph_of_the_list_keeps_search_and_filters(bob: Visitor, hotels: tuple[str, str]) -> None:
    page = text_of(bob.get("ontology", view="graph"))
    assert {one["title"] for one in drawn(page)["nodes"]} == {"Hotel Astoria", "Astoria Hotel", "Ada Lovelace"}
    assert [one["words"] for one in drawn(page)["edges"]] == ["stays at"]
    assert "data-graph-table open" in page, "the table, for who has no script"

    narrowed = text_of(bob.get("ontology", view="graph", types="customer"))
    assert {one["type"] for one in drawn(narrowed)["nodes"]} == {"customer"}
    assert "view=graph" in narrowed
    assert bob.get("ontology", view="globe").status_code == 422


def test_a_type_has_one_mark_on_every_page(bob: Visitor, hotels: tuple[str, str]) -> None:
    def mark(page: str) -> tuple[str, int]:
        found = next(one for one in drawn(page)["nodes"] if one["type"] == "customer")
        return found["shape"], found["hue"]

    whole = mark(text_of(bob.get("ontology", view="graph")))
    assert {whole} == {
        mark(text_of(bob.get(f"ontology/nodes/{hotels[1]}/graph", depth=str(depth)))) for depth in (1, 2, 3)
    }


def test_what_is_around_a_node_can_be_added_to_a_picture(cast: Cast, bob: Visitor, hotels: tuple[str, str]) -> None:
    answer = bob.get(f"ontology/nodes/{hotels[1]}/graph/data")

    assert {one["title"] for one in answer.json()["nodes"]} == {"Astoria Hotel", "Ada Lovelace"}
    assert (
        Visitor.of(cast.charlie, cast.acme.workspace).get(f"ontology/nodes/{hotels[1]}/graph/data").status_code == 404
    )


def test_a_path_is_a_list_of_steps(bob: Visitor, acme: RestClient, hotels: tuple[str, str]) -> None:
    oslo = node(acme, "Oslo", "place")["id"]
    edge(acme, "located_in", {"id": hotels[1]}, {"id": oslo})
    ada = drawn(text_of(bob.get(f"ontology/nodes/{oslo}/graph")))["nodes"]
    ada_id = next(one["id"] for one in ada if one["title"] == "Ada Lovelace")

    page = text_of(bob.get(f"ontology/nodes/{ada_id}/graph", to=oslo))

    assert "A shortest path, 2 edges" in page
    assert re.search(r"stays at</span> <a [^>]+>Astoria Hotel</a>.*located in</span> <a [^>]+>Oslo", page, re.DOTALL)
    assert len(drawn(page)["path"]) == 3
    assert "No path" in text_of(bob.get(f"ontology/nodes/{ada_id}/graph", to=hotels[0]))
    for wrong in ("here", "01a20dce-0000-7000-8000-000000000000"):
        assert bob.get(f"ontology/nodes/{ada_id}/graph", to=wrong).status_code == 404


def test_edges_stand_under_their_name_as_the_node_sees_them(bob: Visitor, acme: RestClient) -> None:
    oven = node(acme, "Order 26-1053", "order")
    cafe = node(acme, "Lindqvist", "customer")
    edge(acme, "placed_by", oven, cafe)

    assert "<dt>placed</dt>" in text_of(bob.get(f"ontology/nodes/{cafe['id']}"))
    assert "<dt>placed by</dt>" in text_of(bob.get(f"ontology/nodes/{oven['id']}"))


def test_hostile_names_and_properties_are_escaped(bob: Visitor, acme: RestClient) -> None:
    name = HOSTILE.replace("\u202e", "")
    one, other = (node(acme, f"{name}{at}", "thing", **{"note": f"{name}{at}"})["id"] for at in "ab")
    for page in (
        bob.get("ontology", view="graph"),
        bob.get(f"ontology/nodes/{one}"),
        bob.get("ontology/merge", nodes=one),
        bob.get(f"ontology/merge?nodes={one}&nodes={other}"),
    ):
        assert "<script>alert" not in text_of(page)


def test_the_number_of_queries_does_not_grow_with_the_nodes(bob: Visitor, acme: RestClient) -> None:
    counts = []
    for _ in range(2):
        for number in range(6):
            edge(acme, "knows", node(acme, f"Ada {number}"), node(acme, f"Bob {number}"))
        bob.get("ontology", view="graph")
        with CaptureQueriesContext(connection) as queries:
            bob.get("ontology", view="graph")
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- Merging by hand -----------------------------------------------------------------------------


def test_the_other_node_is_proposed_or_found(bob: Visitor, hotels: tuple[str, str]) -> None:
    assert f"ontology/merge?nodes={hotels[0]}" in text_of(bob.get(f"ontology/nodes/{hotels[0]}"))

    page = text_of(bob.get("ontology/merge", nodes=hotels[0]))
    assert "Astoria Hotel" in page
    assert f"nodes={hotels[0]}&amp;nodes={hotels[1]}" in page
    assert "Ada Lovelace" in text_of(bob.get("ontology/merge", nodes=hotels[0], q="Lovelace"))
    assert "Select two nodes" in text_of(bob.get("ontology/merge"))


def test_differing_properties_are_chosen_one_by_one(bob: Visitor, acme: RestClient, hotels: tuple[str, str]) -> None:
    first, second = hotels
    page = text_of(bob.get(f"ontology/merge?nodes={first}&nodes={second}"))
    assert page.count('class="differs"') == 1
    assert 'name="value:since"' in page
    assert 'name="value:city"' not in page

    answer = bob.post("ontology/merge", nodes=[first, second], keep=first, **{"value:since": second})

    assert answer["Location"].endswith(f"/ontology/nodes/{first}")
    assert properties(acme, first) == {"since": "2025", "city": "Oslo", "zip": "0150", "aliases": ["Astoria Hotel"]}
    assert acme.get(f"ontology/nodes/{second}").json()["is_deleted"]


def test_undoing_puts_the_replaced_value_back_unless_it_was_changed_since(
    acme: RestClient, hotels: tuple[str, str]
) -> None:
    first, second = hotels
    before = properties(acme, first)
    given = {"keep": first, "absorb": second, "take": ["since"]}
    merged = acme.post("ontology/merge", given).json()
    assert merged["replaced_properties"] == ["since"]
    acme.post(f"ontology/merges/{merged['id']}/undo")
    assert properties(acme, first) == before

    again = acme.post("ontology/merge", given).json()
    acme.patch(f"ontology/nodes/{first}", {"properties": {"since": "1999"}})
    acme.post(f"ontology/merges/{again['id']}/undo")
    assert properties(acme, first) == {**before, "since": "1999"}


def test_the_second_may_stay_and_keep_what_it_has(bob: Visitor, acme: RestClient, hotels: tuple[str, str]) -> None:
    first, second = hotels
    bob.post("ontology/merge", nodes=[first, second], keep=second, **{"value:since": second})
    assert properties(acme, second)["since"] == "2025"


def test_a_property_that_is_gone_is_refused(bob: Visitor, acme: RestClient, hotels: tuple[str, str]) -> None:
    first, second = hotels
    answer = acme.post("ontology/merge", {"keep": first, "absorb": second, "take": ["phone"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    page = bob.post("ontology/merge", nodes=[first, second], keep=first, **{"value:phone": second})
    assert page.status_code == 422
    assert 'role="alert"' in text_of(page)
    assert bob.post("ontology/merge", nodes=[first, second]).status_code == 422


def test_who_may_not_write_or_is_not_here_merges_nothing(cast: Cast, acme: RestClient, hotels: tuple[str, str]) -> None:
    first, second = hotels
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    viewer, outsider = Visitor.of(cast.bob, cast.acme.workspace), Visitor.of(cast.charlie, cast.acme.workspace)

    for visitor, status in ((viewer, 403), (outsider, 404)):
        assert visitor.get("ontology/merge", nodes=first).status_code == status
        assert visitor.post("ontology/merge", nodes=[first, second], keep=first).status_code == status
    assert "Merge with" not in text_of(viewer.get(f"ontology/nodes/{first}"))
    assert 'type="checkbox"' not in text_of(viewer.get("ontology"))
    away = Visitor.of(cast.charlie, cast.umbrella.workspace)
    assert away.get("ontology/merge", nodes=first).status_code == 404
    assert not acme.get(f"ontology/nodes/{second}").json()["is_deleted"]


def test_a_memory_is_merged_nowhere(bob: Visitor, acme: RestClient, hotels: tuple[str, str]) -> None:
    memory = acme.remembered("Tea.")["id"]
    assert bob.get("ontology/merge", nodes=memory).status_code == 409


def test_the_tab_says_how_many_pairs_wait(bob: Visitor, acme: RestClient, hotels: tuple[str, str]) -> None:
    match_workspace(str(acme.workspace_id))
    assert re.search(r"Merge queue <span class=\"count\">\s*1", text_of(bob.get("ontology")))
    assert "same words in the name" in text_of(bob.get("ontology/merge-queue"))
