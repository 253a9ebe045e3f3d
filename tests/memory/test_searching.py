"""What may be recalled, and what a search or a list can be narrowed to."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
import time_machine

from core.clock import utc_now
from core.embedding import default_embedder
from core.embedding.local import OnnxEmbedder
from core.embedding.model_files import bundled_model
from core.embedding.query_cache import CachedQueries
from llm.embedding.services.backlog import embed_pending
from memory.memories.services.memory_writer import NewMemory, remember
from memory.models import Kind, Source
from ontology.search.services.node_embeddings import NODE_VECTORS
from tests.cast import Cast, RestClient
from tests.memory.citing import cite
from workspaces.access.callers import Right

TEA = "The office tea order is due on the first Monday of each month."
MODES = ("hybrid", "keyword", "semantic")


def at(moment: datetime) -> str:
    return moment.isoformat()


def in_days(days: float) -> str:
    return at(utc_now() + timedelta(days=days))


def found(client: RestClient, query: str = "tea", **fields: Any) -> list[str]:
    """The ids that a search finds, best first."""
    answer = client.post("memories/search", {"query": query, **fields})
    assert answer.status_code == 200, answer.content
    return [hit["memory"]["id"] for hit in answer.json()["results"]]


def listed(client: RestClient, **filters: Any) -> list[str]:
    answer = client.get("memories", **filters)
    assert answer.status_code == 200, answer.content
    return [memory["id"] for memory in answer.json()["results"]]


def recommended(client: RestClient) -> list[str]:
    return [memory["id"] for memory in client.get("memories/pin-recommendations").json()["results"]]


def embed(client: RestClient) -> int:
    return embed_pending(NODE_VECTORS, workspace_id=client.workspace_id, most=100)


def test_what_has_no_vector_yet_is_ranked_by_its_words_alone(acme: RestClient) -> None:
    acme.remembered("Coffee is roasted in the shop on Fridays.")
    embed(acme)
    fresh = acme.remembered(TEA)["id"]

    [first, *_] = acme.post("memories/search", {"query": "When is the tea order due?"}).json()["results"]

    assert (first["memory"]["id"], first["score"], set(first["arms"])) == (fresh, 1.0, {"keyword"})


@pytest.mark.parametrize(("query", "found_first"), [
    ("What pet do I have?", "I have a cat called Mildred."),
    ("Which medication must I avoid?", "I'm allergic to penicillin."),
    ("What pet does Aunt Quorlith have?", None),  # nobody has that name
])  # fmt: skip
def test_few_notes_are_found_in_other_words(acme: RestClient, query: str, found_first: str | None) -> None:
    for note in ("I have a cat called Mildred.", "I'm allergic to penicillin.", "Parcels go out on Tuesdays.", TEA):
        acme.remembered(note)
    embed(acme)

    blocks = acme.post("context", {"query": query}).json()["blocks"]

    contents = [block["text"] for block in blocks if block["name"] == "memories"]
    assert [found_first in text for text in contents] == [True] if found_first else contents == []


# What hides a memory, and what shows it again: a step or an edit.
HIDINGS: list[tuple[Any, Any]] = [
    ("suppress", "unsuppress"),
    ("forget", "restore"),
    ({"expires_at": in_days(-1)}, {"expires_at": None}),
    ({"valid_from": in_days(1)}, {"valid_from": in_days(-1)}),
    ({"valid_to": in_days(-1)}, {"valid_to": None}),
]


@pytest.mark.parametrize(("hide", "show"), HIDINGS, ids=["suppressed", "forgotten", "expired", "not yet", "no longer"])
def test_what_may_not_be_recalled_is_neither_found_nor_recommended(
    cast: Cast, acme: RestClient, hide: Any, show: Any
) -> None:
    memory_id = acme.remembered(TEA)["id"]
    cite(cast.acme.rest(Right.READ, Right.WRITE), memory_id)
    embed(acme)

    _change(acme, memory_id, hide)
    assert {mode: found(acme, mode=mode) for mode in MODES} == {mode: [] for mode in MODES}
    assert recommended(acme) == []

    _change(acme, memory_id, show)
    assert {mode: found(acme, mode=mode) for mode in MODES} == {mode: [memory_id] for mode in MODES}
    assert recommended(acme) == [memory_id]


def test_people_see_in_lists_what_agents_do_not_recall(acme: RestClient) -> None:
    expired = acme.remembered("Expired.", expires_at=in_days(-1))["id"]
    suppressed = acme.remembered("Suppressed.")["id"]
    forgotten = acme.remembered("Forgotten.")["id"]
    _change(acme, suppressed, "suppress")
    _change(acme, forgotten, "forget")

    assert listed(acme) == [suppressed, expired]
    assert acme.get(f"memories/{forgotten}").json()["is_deleted"] is True


@pytest.fixture
def embedded_queries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries of which a vector was made, for want of one in the cache."""
    made: list[str] = []
    local = OnnxEmbedder(bundled_model(), threads=1)
    embed = local.embed_query

    def counted(text: str, **given: Any) -> Any:
        made.append(text)
        return embed(text)

    monkeypatch.setattr(local, "embed_query", counted)
    cached = CachedQueries(local)
    monkeypatch.setattr("core.embedding.query_embedding.default_embedder", lambda: cached)
    return made


def test_a_search_does_not_show_by_its_time_what_another_workspace_has_searched_for(
    acme: RestClient, umbrella: RestClient, embedded_queries: list[str]
) -> None:
    for client in (acme, acme, umbrella, umbrella):
        assert client.post("memories/search", {"query": "the merger"}).status_code == 200

    assert embedded_queries == ["the merger", "the merger"]


@pytest.mark.parametrize("path", ["memories/search", "context", "ontology/search", "messages/search"])
def test_nor_what_another_user_has_searched_for(acme: RestClient, embedded_queries: list[str], path: str) -> None:
    for user in ("alice", "alice", "bob", "bob"):
        assert acme.post(path, {"query": "the merger", "user": user}).status_code == 200

    assert embedded_queries == ["the merger", "the merger"]


def test_nothing_of_another_workspace_is_found(acme: RestClient, umbrella: RestClient) -> None:
    mine, theirs = acme.remembered(TEA)["id"], umbrella.remembered(TEA)["id"]
    for client in (acme, umbrella):
        embed(client)

    for mode in MODES:
        assert (found(acme, mode=mode), found(umbrella, mode=mode)) == ([mine], [theirs])
    assert (listed(acme), listed(umbrella)) == ([mine], [theirs])


@pytest.fixture
def shelf(cast: Cast, acme: RestClient) -> dict[str, str]:
    """Three memories about tea that differ in everything one can filter by."""
    now = utc_now()
    ids = {}
    for name, age, fields in (
        ("old", 30, {"tags": ["tea"], "source": "import"}),
        ("new", 1, {"tags": ["tea", "office", "monthly"]}),
    ):
        with time_machine.travel(now - timedelta(days=age), tick=False):
            ids[name] = acme.remembered(f"Tea, said the {name} one.", **fields)["id"]
    with time_machine.travel(now - timedelta(days=20), tick=False):
        new = NewMemory("Tea, said the fact one.", kind=Kind.FACT, source=Source.USER, tags=("tea", "office"))
        ids["fact"] = str(remember(caller=cast.acme.caller, new=new).memory.pk)
    acme.post(f"memories/{ids['fact']}/pin")
    return ids


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"old", "fact", "new"}),
    ({"kinds": ["memory"]}, {"old", "new"}),
    ({"kinds": ["fact"]}, {"fact"}),
    ({"kinds": ["memory", "fact"]}, {"old", "fact", "new"}),
    ({"tags": ["tea"]}, {"old", "fact", "new"}),
    ({"tags": ["office", "tea"]}, {"fact", "new"}),
    ({"tags": ["office", "nowhere"]}, set()),
    ({"tags": ["Tea"]}, set()),
    ({"pinned": True}, {"fact"}),
    ({"pinned": False}, {"old", "new"}),
    ({"sources": ["user"]}, {"fact"}),
    ({"sources": ["import", "agent"]}, {"old", "new"}),
    ({"created_after": in_days(-25)}, {"fact", "new"}),
    ({"created_before": in_days(-25)}, {"old"}),
    ({"created_after": in_days(-25), "created_before": in_days(-10)}, {"fact"}),
    ({"as_of": in_days(-10)}, {"old", "fact"}),
    ({"as_of": in_days(-40)}, set()),
    ({"kinds": ["memory"], "tags": ["office"], "pinned": False}, {"new"}),
]


@pytest.mark.parametrize(("filters", "names"), FILTERS)
def test_filters_narrow_searches_and_lists_alike(
    acme: RestClient, shelf: dict[str, str], filters: dict[str, Any], names: set[str]
) -> None:
    ids = {shelf[name] for name in names}

    assert set(found(acme, **filters)) == ids
    assert set(found(acme, filters=filters)) == ids
    joined = {name: ",".join(value) if isinstance(value, list) else value for name, value in filters.items()}
    assert set(listed(acme, **joined)) == ids
    assert set(listed(acme, **filters)) == ids


def test_a_filter_beside_the_query_wins_over_a_nested_one(acme: RestClient, shelf: dict[str, str]) -> None:
    nested = {"kinds": ["fact"], "pinned": True}

    assert found(acme, filters=nested, kinds=["memory"]) == []
    assert found(acme, filters={"kinds": ["fact"]}, kinds=["memory"], tags=["monthly"]) == [shelf["new"]]


def test_as_of_answers_what_was_valid_then(acme: RestClient) -> None:
    past = acme.remembered("Tea costs two.", valid_from=in_days(-20), valid_to=in_days(-10))["id"]
    with time_machine.travel(utc_now() - timedelta(days=15)):
        meanwhile = acme.remembered("Tea costs three.", expires_at=in_days(5))["id"]

    assert found(acme) == []
    assert set(found(acme, as_of=in_days(-12))) == {past, meanwhile}
    assert found(acme, known_at=in_days(-12)) == [meanwhile], "What was not yet known then is not found."
    assert set(found(acme, as_of=in_days(1))) == set()
    assert past in listed(acme)


@pytest.mark.parametrize(
    "filters",
    [
        {"kinds": ["rumour"]},
        {"kinds": "memory"},
        {"tags": ["x" * 65]},
        {"tags": ["\x00"]},
        {"sources": ["hearsay"]},
        {"pinned": "yes"},
        {"pinned": 1},
        {"created_after": "yesterday"},
        {"as_of": 7},
        {"colour": "red"},
    ],
)
def test_filters_that_mean_nothing_are_refused(acme: RestClient, filters: dict[str, Any]) -> None:
    for body in ({"query": "tea", **filters}, {"query": "tea", "filters": filters}):
        answer = acme.post("memories/search", body)
        assert (answer.status_code, answer.json()["code"]) in {(422, "invalid"), (422, "unknown_field")}, answer.content


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"query": ""}, 422),
        ({"query": "   "}, 422),
        ({"query": None}, 422),
        ({"query": 7}, 422),
        ({"query": "tea\x00"}, 422),
        ({"query": "x" * 4_001}, 422),
        ({"query": "x " * 500_000}, 422),
        ({"query": "x" * 1_100_000}, 413),
        ({"query": "tea", "limit": 0}, 422),
        ({"query": "tea", "limit": 201}, 422),
        ({"query": "tea", "limit": "ten"}, 422),
        ({"query": "tea", "limit": True}, 422),
        ({"query": "tea", "limit": 1.5}, 422),
        ({"query": "tea", "mode": "psychic"}, 422),
        ({"query": "tea", "filters": []}, 422),
        ({"query": "tea", "filters": None}, 422),
    ],
)
def test_searches_that_mean_nothing_are_refused(acme: RestClient, body: dict[str, Any], status: int) -> None:
    assert acme.post("memories/search", body).status_code == status


@pytest.mark.parametrize(
    "query",
    [
        "!!! ???",
        "'",
        "a & b | !c",
        "tea:*",
        "\\",
        "' | 'x",
        "<->",
        "the of and",
        "x " * 2_000,
        "茶",
        "🍵",
        "tea\u200b",
        "%_",
    ],
)
def test_any_text_is_a_query(acme: RestClient, query: str) -> None:
    acme.remembered(TEA)

    for mode in MODES:
        assert acme.post("memories/search", {"query": query, "mode": mode}).status_code == 200


def test_hits_tell_their_arms_and_scores_never_rise(acme: RestClient) -> None:
    assert default_embedder() is not None, "These tests need the bundled embedder."
    for number in range(25):
        acme.remembered(f"Tea order number {number} goes to office {number % 5}.")
    acme.remembered("The cafeteria serves hot beverages in the morning.")
    embed(acme)

    for mode, arms in (("hybrid", {"keyword", "semantic"}), ("keyword", {"keyword"}), ("semantic", {"semantic"})):
        answer = acme.post("memories/search", {"query": "tea order for office 3", "mode": mode, "limit": 20}).json()
        scores = [hit["score"] for hit in answer["results"]]
        assert answer["method"] == mode
        assert answer["latency_ms"] > 0
        assert len(scores) == 20
        assert all(0 <= score <= 1 for score in scores)
        assert all(first >= second for first, second in pairwise(scores))
        assert set().union(*(hit["arms"] for hit in answer["results"])) == arms
        for hit in answer["results"]:
            assert all(place["rank"] >= 1 and 0 <= place["score"] <= 1 for place in hit["arms"].values())


def test_the_limit_of_a_search_is_kept(acme: RestClient) -> None:
    for number in range(12):
        acme.remembered(f"Tea order number {number}.")

    assert len(found(acme)) == 10
    assert len(found(acme, limit=12)) == 12
    assert len(found(acme, limit=1)) == 1


def test_searching_needs_no_more_than_read(cast: Cast) -> None:
    cast.acme.rest().remembered(TEA)

    assert len(found(cast.acme.rest(Right.READ))) == 1


def _change(client: RestClient, memory_id: str, change: Any) -> None:
    if isinstance(change, dict):
        answer = client.patch(f"memories/{memory_id}", change)
    elif change == "forget":
        answer = client.delete(f"memories/{memory_id}")
    else:
        answer = client.post(f"memories/{memory_id}/{change}")
    assert answer.status_code == 200, answer.content
