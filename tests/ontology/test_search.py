"""Many nodes are searched through indexes, and what is found is what a comparison of all of them finds."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from core.clock import utc_now
from llm.embedding.services.backlog import embed_pending
from ontology.models import Node
from ontology.search.services import hybrid_ranking as search
from ontology.search.services import index_choice
from ontology.search.services.node_embeddings import NODE_VECTORS
from tests.cast import RestClient
from workspaces.access.callers import system_caller
from workspaces.access.scope import workspace_scope

DRINKS = ("tea", "coffee", "cocoa", "milk")
ROOMS = ("kitchen", "office", "garden", "library")
QUERIES = ("Who drinks coffee in the garden?", "library", "where does somebody like hot chocolate", "somebody likes")
MODES = ("hybrid", "keyword", "semantic")


@pytest.fixture
def household(acme: RestClient) -> RestClient:
    """Sixteen memories with vectors."""
    for drink in DRINKS:
        for room in ROOMS:
            acme.remembered(f"Somebody likes {drink} in the {room}.", tags=[drink])
    embed_pending(NODE_VECTORS, workspace_id=acme.workspace_id, most=100)
    return acme


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a handful of nodes were too many to compare them all, and one in ten a few."""
    _use_indexes(monkeypatch)


def _use_indexes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "EXACT_UP_TO", 3)
    monkeypatch.setattr(search, "MAX_FOUND", 0.1)
    monkeypatch.setattr(index_choice, "ROWS_FOR_INDEX", 0)


def found(client: RestClient, query: str, **fields: Any) -> list[str]:
    answer = client.post("memories/search", {"query": query, "limit": 10, **fields})
    assert answer.status_code == 200, answer.content
    return [hit["memory"]["content"] for hit in answer.json()["results"]]


def test_indexes_find_what_comparing_all_finds(household: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [(query, mode) for query in QUERIES for mode in ("hybrid", "semantic")]
    compared = [found(household, query, mode=mode) for query, mode in asked]
    _use_indexes(monkeypatch)

    assert all(compared)
    assert [found(household, query, mode=mode) for query, mode in asked] == compared


@pytest.mark.parametrize("filters", [{}, {"tags": ["cocoa"]}], ids=["most is allowed", "little is allowed"])
def test_the_nearest_that_are_allowed_are_found_either_way(
    household: RestClient, monkeypatch: pytest.MonkeyPatch, filters: dict[str, Any]
) -> None:
    monkeypatch.setattr(search, "CANDIDATES", 3)
    asked = [(query, {"mode": "semantic", **filters}) for query in QUERIES]
    compared = [found(household, query, **fields) for query, fields in asked]

    monkeypatch.setattr(search, "COMPARED", 6)

    assert all(compared)
    assert [found(household, query, **fields) for query, fields in asked] == compared


def test_the_more_others_have_the_more_is_compared(
    household: RestClient, umbrella: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = system_caller(household.workspace_id, "test")

    def compares_all() -> bool:
        index_choice._choices.clear()
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE node_embeddings")
        with workspace_scope(caller):
            return index_choice.compares_all(caller=caller, vectors="node_embeddings")

    monkeypatch.setattr(index_choice, "ROWS_FOR_INDEX", 15)  # sixteen of sixteen cost more than the index
    assert not compares_all()

    for number in range(2):
        umbrella.remembered(f"Somebody else likes lemonade number {number}.")
    embed_pending(NODE_VECTORS, workspace_id=umbrella.workspace_id, most=100)

    assert compares_all()  # sixteen of eighteen cost less


def test_telling_words_choose_and_the_others_rank(household: RestClient, many: None) -> None:
    household.remembered("Someone else likes the samovar.")

    assert found(household, "Who likes the samovar in the kitchen?", mode="keyword") == [
        "Someone else likes the samovar."
    ]
    assert (
        found(household, "Who likes cocoa in the garden?", mode="keyword")[0] == "Somebody likes cocoa in the garden."
    )


@pytest.mark.django_db
def test_no_search_reads_what_the_index_of_words_put_off() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT reloptions FROM pg_class WHERE relname = 'nodes_words'")
        assert cursor.fetchall() == [(["fastupdate=off"],)]


def test_what_is_hidden_after_its_words_were_found_is_left_out(household: RestClient) -> None:
    hidden = household.remembered("Somebody likes the samovar in the kitchen.")
    caller = system_caller(household.workspace_id, "test")
    with workspace_scope(caller):
        nodes = Node.objects.of(caller).recallable(utc_now())
        survey = search.survey_nodes(caller=caller, nodes=nodes, query="samovar")
    assert [str(identity) for identity in survey.worded] == [hidden["id"]]

    assert household.post(f"memories/{hidden['id']}/suppress", {}).status_code == 200

    with workspace_scope(caller):
        assert search.rank_surveyed(survey=survey, vector=None, mode="keyword", limit=10).hits == ()


def test_common_words_alone_find_the_newest(household: RestClient, many: None) -> None:
    assert found(household, "somebody likes", mode="keyword", limit=2) == [
        "Somebody likes milk in the library.",
        "Somebody likes milk in the garden.",
    ]


def test_a_narrow_filter_leaves_nothing_out(household: RestClient, many: None) -> None:
    for mode in MODES:
        assert len(found(household, "What does somebody like?", mode=mode, tags=["tea"], limit=50)) == len(ROOMS)


def test_what_is_hidden_stays_hidden_among_many(household: RestClient, many: None) -> None:
    query = "Who likes tea in the kitchen?"
    answer = household.post("memories/search", {"query": query, "limit": 3}).json()
    suppressed, forgotten, expired = (hit["memory"]["id"] for hit in answer["results"])
    hidden = {hit["memory"]["content"] for hit in answer["results"]}

    household.post(f"memories/{suppressed}/suppress")
    household.delete(f"memories/{forgotten}")
    household.patch(f"memories/{expired}", {"expires_at": "2020-01-01T00:00:00Z"})

    for mode in MODES:
        left = found(household, query, mode=mode, limit=50)
        assert left
        assert hidden.isdisjoint(left)


def test_an_outsider_finds_their_own_only(household: RestClient, umbrella: RestClient, many: None) -> None:
    umbrella.remembered("Charlie likes tea in the kitchen.")
    embed_pending(NODE_VECTORS, workspace_id=umbrella.workspace_id, most=100)

    for mode in MODES:
        assert found(umbrella, "Who likes tea in the kitchen?", mode=mode) == ["Charlie likes tea in the kitchen."]
        assert "Charlie likes tea in the kitchen." not in found(household, "Charlie likes tea", mode=mode, limit=50)
