"""Names that are one thing and names that are not: which pairs are proposed, and how many proposals are right."""

from __future__ import annotations

import pytest

from ontology.matching.name_forms import initials_key, name_words, words_key
from ontology.matching.similarity import Described, similarity
from ontology.matching.tasks import match_workspace
from tests.cast import RestClient
from tests.ontology.conftest import Ontology

ONE_THING = [
    ("Hotel Astoria", "Astoria Hotel"),
    ("Bistro Olsen", "Olsen Bistro"),
    ("Jens Lund", "J. Lund"),
    ("Lindqvist café", "Lindqvist Cafe"),
    ("Lund, Jens", "Jens Lund"),
    ("Jens P. Lund", "J. Lund"),
    ("Fisk & Co", "Fisk and Co"),
    ("O'Brien Stores", "OBrien Stores"),
    ("Bjørn Dahl", "Bjorn Dahl"),
    ("Søren Kjær", "Soren Kjaer"),
    ("Zoë Müller", "Zoe Muller"),
    ("The Harbour Bakery", "Harbour Bakery"),
    ("Harbour-Bakery", "Harbour Bakery"),
    ("Jon Smith", "John Smith"),
    ("Lindqvist Catering", "Lindkvist Catering"),
    ("Harbour Bakrey", "Harbour Bakery"),
]
TWO_THINGS = [
    ("Hotel Astoria", "Hotel Nordlys"),
    ("Jens Lund", "Jens Lind"),
    ("Jens Lund", "Lars Lund"),
    ("J. Lund", "K. Lund"),
    ("Jens Lund", "J. Lind"),
    ("Hotel Astoria", "Hotel Astoria Annex"),
    ("Bistro Olsen", "Bistro Olson Nord"),
    ("Café Petit Nord", "Café Petit Syd"),
    ("Harbour Bakery East", "Harbour Bakery West"),
    ("Warehouse North Gate", "Warehouse South Gate"),
    ("Room 7", "Room 8"),
    ("Order 26-1053", "Order 26-1035"),
    ("Invoice 2026-411", "Invoice 2026-412"),
    ("Shelf 1-2", "Shelf 2-1"),
    ("B Street", "Baker Street"),
    ("Plan A", "Plan B"),
    ("Ole Hansen", "Ole Jensen"),
    ("Anna Berg", "Anne Berg"),
    ("Route A North", "Route A South"),
    ("Lund", "Jens Lund"),
]
# A person decides about these: nothing in the names says which it is.
MAY_BE_EITHER = [("Andersen", "Anderson"), ("Jens Lund", "Jens Lunde"), ("J. Lund", "Jonas Lund")]


def _is_proposed(one: str, other: str) -> bool:
    ends = (Described("thing", one.casefold()), Described("thing", other.casefold()))
    assert similarity(*ends) == similarity(*reversed(ends))
    return similarity(*ends).is_worth_a_look


@pytest.mark.parametrize(("one", "other"), ONE_THING)
def test_names_of_one_thing_are_proposed(one: str, other: str) -> None:
    assert _is_proposed(one, other)


@pytest.mark.parametrize(("one", "other"), TWO_THINGS)
def test_names_of_two_things_are_not(one: str, other: str) -> None:
    assert not _is_proposed(one, other)


def test_at_least_nine_in_ten_of_the_proposals_among_all_these_names_are_right() -> None:
    names = sorted({name for pair in (*ONE_THING, *TWO_THINGS) for name in pair})
    right = {frozenset(pair) for pair in ONE_THING} | {
        # Further spellings of what is above: each of these is one thing under three names.
        frozenset(pair)
        for group in (["Jens Lund", "J. Lund", "Lund, Jens", "Jens P. Lund"], ["The Harbour Bakery", *HARBOUR])
        for one in group
        for other in group
        if other != one
        for pair in ((one, other),)
    }
    proposed = {
        frozenset((one, other)) for at, one in enumerate(names) for other in names[at + 1 :] if _is_proposed(one, other)
    }

    wrong = proposed - right
    assert len(proposed & right) / len(proposed) >= 0.9, sorted(map(sorted, wrong))


HARBOUR = ["Harbour Bakery", "Harbour-Bakery", "Harbour Bakrey"]


@pytest.mark.parametrize(("one", "other"), MAY_BE_EITHER)
def test_what_may_be_either_is_left_to_a_person(one: str, other: str) -> None:
    assert _is_proposed(one, other)


@pytest.mark.parametrize(
    ("name", "words", "initials"),
    [
        ("Astoria Hotel", "astoria hotel", "a hotel"),
        ("Lund, Jens", "jens lund", "j lund"),
        ("Café", "cafe", ""),
        ("Room 7", "7 room", ""),
        ("The", "the", ""),
        ("...", "", ""),
        ("", "", ""),
        ("東京 駅", "東京 駅", ""),
        ("x" * 400, "x" * 300, ""),
    ],
)
def test_keys_of_a_name(name: str, words: str, initials: str) -> None:
    assert (words_key(name), initials_key(name)) == (words, initials)
    assert name_words(name) == name_words(name.upper())


def test_pairs_are_found_among_the_nodes_of_a_workspace(ontology: Ontology, acme: RestClient) -> None:
    planted = [frozenset(pair) for pair in ONE_THING[:4]]
    ids = {ontology.node(name): name for pair in planted for name in sorted(pair)}
    ids |= {ontology.node(name): name for name in ("Hotel Nordlys", "Jens Lind", "Café Petit")}

    match_workspace(str(acme.workspace_id))

    found = acme.get("ontology/merge-candidates").json()["results"]
    assert {frozenset(ids[node["id"]] for node in one["nodes"]) for one in found} == set(planted)


def test_a_renamed_node_is_found_by_its_new_name_alone(ontology: Ontology, acme: RestClient) -> None:
    ontology.node("Hotel Astoria")
    other = ontology.node("Harbour Bakery")
    match_workspace(str(acme.workspace_id))
    acme.patch(f"ontology/nodes/{other}", {"name": "Astoria Hotel"})

    match_workspace(str(acme.workspace_id))

    [pair] = acme.get("ontology/merge-candidates").json()["results"]
    assert [reason["reason"] for reason in pair["reasons"]] == ["same_words"]
