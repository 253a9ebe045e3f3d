"""Searching messages: by words and by meaning, in one conversation or all, and never what is gone or another's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations.indexing.services.embedded_messages import MESSAGE_VECTORS
from conversations.indexing.services.index_writer import index_pending, rebuild_index
from conversations.search.segment_cache import LastUsed
from conversations.search.services import index_reader as reading
from conversations.search.services import message_search as searching
from core.embedding import EmbeddingFailedError
from core.embedding import query_embedding as querying
from llm.embedding.services.backlog import embed_pending
from tests.cast import Cast, RestClient
from workspaces.access.callers import Caller

pytestmark = pytest.mark.django_db

TALK = [
    ("Ann", "Where did you go last weekend?"),
    ("Ben", "We hiked up the Silver Ridge and camped beside the lake."),
    ("Ann", "Lovely. I have been baking bread all day."),
    ("Ben", "Our dog Rex chased a heron into the water."),
]


def test_finds_by_words_and_by_meaning(cast: Cast, acme: RestClient) -> None:
    _say(acme, "trips", TALK)
    embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=100)

    answer = acme.post("messages/search", {"query": "Who went hiking in the mountains?", "limit": 3}).json()

    best = answer["results"][0]
    assert best["message"]["content"] == TALK[1][1]
    assert {"words", "meaning"} <= set(best["reasons"])
    assert answer["method"] == "hybrid"
    assert answer["latency_ms"] > 0
    assert len(answer["results"]) == 3
    scores = [result["score"] for result in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


@pytest.mark.parametrize(("query", "is_request"), [
    ("Could you show me how to reach the lake?", True),
    ("Who was at the lake?", False),
])  # fmt: skip
def test_a_request_is_answered_by_what_was_asked_for_once_and_for_all(
    acme: RestClient, query: str, is_request: bool
) -> None:
    rule = "Always name the sources of what you say."
    _say(acme, "trips", [("Ann", rule), *[("Ben", f"The lake was cold on day {day}.") for day in range(9)]])

    found = acme.post("messages/search", {"query": query, "limit": 8}).json()["results"]

    reasons = {hit["message"]["content"]: hit["reasons"] for hit in found}
    assert (reasons.get(rule) == ["instruction"]) is is_request
    assert len(found) == 8


def test_finds_by_words_at_once_without_a_vector(acme: RestClient) -> None:
    _say(acme, "trips", TALK)

    assert _found(acme, "the heron")[0] == TALK[3][1]


def test_a_name_finds_what_that_person_said(acme: RestClient) -> None:
    _say(acme, "trips", [("Ann", "The bread is in the oven."), ("Ben", "The bread is in the oven.")])

    (first, *_) = acme.post("messages/search", {"query": "What did Ben say about bread?"}).json()["results"]

    assert first["message"]["name"] == "Ben"
    assert "named_speaker" in first["reasons"]


def test_one_conversation_by_key_or_id(acme: RestClient) -> None:
    _say(acme, "trips", TALK)
    _say(acme, "kitchen", [("Ann", "The heron is on the kettle.")])
    identity = acme.get("conversations/kitchen").json()["id"]

    assert _found(acme, "heron", conversation="kitchen") == ["The heron is on the kettle."]
    assert _found(acme, "heron", conversation=identity) == ["The heron is on the kettle."]
    assert len(_found(acme, "heron")) >= 2
    assert acme.post("messages/search", {"query": "heron", "conversation": "nowhere"}).status_code == 404


def test_an_ended_conversation_is_found_and_a_deleted_one_is_not(acme: RestClient) -> None:
    _say(acme, "trips", TALK)
    acme.post("conversations/trips/end")
    assert _found(acme, "heron")

    acme.delete("conversations/trips")

    assert _found(acme, "heron") == []


def test_charlie_finds_nothing_of_acme(acme: RestClient, umbrella: RestClient) -> None:
    _say(acme, "trips", TALK)
    identity = acme.get("conversations/trips").json()["id"]

    assert _found(umbrella, "heron") == []
    assert umbrella.post("messages/search", {"query": "heron", "conversation": identity}).status_code == 404
    assert umbrella.post(f"conversations/{identity}/recall", {"query": "heron"}).status_code == 404


@pytest.mark.parametrize("cause", ["no embedder", "an embedder that fails", "the switch"])
def test_without_vectors_words_find_and_the_answer_says_so(
    cause: str, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    _say(acme, "trips", TALK)
    if cause == "the switch":
        acme.put("settings", {"memory": {"embed_messages": False}})
    else:
        monkeypatch.setattr(querying, "default_embedder", lambda: None if cause == "no embedder" else _Dead())

    answer = acme.post("messages/search", {"query": "heron"}).json()

    assert answer["method"] == "keyword"
    assert answer["results"][0]["message"]["content"] == TALK[3][1]


def test_what_has_nothing_to_do_with_the_question_is_not_found(acme: RestClient) -> None:
    _say(acme, "trips", TALK)

    assert _found(acme, "quarterly revenue") == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"query": ""},
        {"query": "x" * 4_001},
        {"query": "tea", "limit": 0},
        {"query": "tea", "limit": 201},
        {"query": "tea", "mode": "hybrid"},
        {"query": "tea\u0000"},
        {"query": ["tea"]},
        {"query": "tea", "conversation": 5},
    ],
)
def test_refuses_what_is_no_search(body: dict[str, Any], acme: RestClient) -> None:
    assert acme.post("messages/search", body).status_code == 422


@pytest.mark.parametrize("query", ["?", "the", "...", "🦆", "May 99 2023 February 30", "a" * 4_000, "what's 'that'?"])
def test_answers_any_question(query: str, acme: RestClient) -> None:
    assert acme.post("messages/search", {"query": query}).status_code == 200
    _say(acme, "trips", TALK)
    assert acme.post("messages/search", {"query": query}).status_code == 200


def test_blocks_answer_as_sheets_do(cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = cast.acme.workspace.id
    _say(acme, "trips", TALK)
    _say(acme, "kitchen", [("Ann", "The heron is on the kettle."), ("Ben", "And the water is hot.")])
    embed_pending(MESSAGE_VECTORS, workspace_id=workspace, most=100)
    before = acme.post("messages/search", {"query": "heron in the water"}).json()["results"]
    monkeypatch.setattr("conversations.indexing.services.index_writer.BLOCK_SIZE", 4)

    assert index_pending(workspace_id=workspace) == 1

    assert acme.post("messages/search", {"query": "heron in the water"}).json()["results"] == before
    for module in (reading, searching):
        monkeypatch.setattr(module, "FEW", 1)
    assert acme.post("messages/search", {"query": "heron in the water"}).json()["results"] == before
    assert _found(acme, "heron", conversation="kitchen")[0] == "The heron is on the kettle."


def test_what_is_deleted_leaves_the_blocks(cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = cast.acme.workspace.id
    monkeypatch.setattr("conversations.indexing.services.index_writer.BLOCK_SIZE", 3)
    _say(acme, "trips", TALK)
    _say(acme, "kitchen", [("Ann", "The heron is on the kettle."), ("Ben", "And the water is hot.")])
    assert index_pending(workspace_id=workspace) == 2

    acme.delete("conversations/trips")

    left = ["The heron is on the kettle.", "And the water is hot."]
    assert _found(acme, "heron") == left
    assert _found(acme, "heron", limit=1) == left[:1]
    assert index_pending(workspace_id=workspace) == 0
    assert _found(acme, "heron") == left


def test_a_search_reads_what_is_new_and_no_sheet_or_bucket_again(
    acme: RestClient, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    rows = reading._rows

    def noting(caller: Caller, statement: str, parameters: Mapping[str, Any], **more: Any) -> list[tuple[Any, ...]]:
        read.append(statement)
        return rows(caller, statement, parameters, **more)

    monkeypatch.setattr(reading, "_rows", noting)
    monkeypatch.setattr("conversations.indexing.services.index_writer.BLOCK_SIZE", 4)
    _say(acme, "trips", TALK)
    index_pending(workspace_id=cast.acme.workspace.id)
    _say(acme, "kitchen", [("Ann", "The heron is on the kettle.")])
    before = _found(acme, "heron")
    assert {"sheets", "blocks", "buckets"} <= set(read)

    read.clear()
    assert _found(acme, "heron") == before
    assert not {"sheets", "blocks", "buckets"} & set(read)

    _say(acme, "garden", [("Ben", "A heron, and another heron.")])
    assert "A heron, and another heron." in _found(acme, "heron")
    acme.delete("conversations/garden")
    assert _found(acme, "heron") == before
    assert read.count("sheets") == 1


@pytest.mark.parametrize(("embeds", "most"), [(False, 3), (True, 5)])
def test_a_search_of_a_conversation_takes_few_statements(
    *, embeds: bool, most: int, cast: Cast, acme: RestClient
) -> None:
    acme.put("settings", {"memory": {"embed_messages": embeds}})
    _say(acme, "trips", TALK)

    with CaptureQueriesContext(connection) as queries:
        found = searching.search_messages(caller=cast.acme.caller, query="heron", conversation="trips")

    assert found.hits
    reads = [
        query["sql"] for query in queries if query["sql"].startswith("SELECT") and "set_config" not in query["sql"]
    ]
    assert len(reads) == most  # the place, the sheets, which model, the cosines, the messages


def test_what_was_used_last_is_kept() -> None:
    kept: LastUsed[str, np.ndarray[Any, Any]] = LastUsed(most_bytes=20)
    for name in ("a", "b"):
        kept.put(name, np.zeros(10, np.uint8))
    kept.get("a")
    kept.put("c", np.zeros(10, np.uint8))
    kept.put("c", np.ones(10, np.uint8))
    kept.put("d", np.zeros(5, np.uint8))

    assert [name for name in ("a", "b", "c", "d") if kept.get(name) is not None] == ["c", "d"]


def test_what_is_larger_than_all_that_may_be_kept_is_not_kept() -> None:
    kept: LastUsed[str, np.ndarray[Any, Any]] = LastUsed(most_bytes=20)
    kept.put("a", np.zeros(10, np.uint8))
    kept.put("b", np.zeros(10, np.uint8))
    kept.put("b", np.zeros(21, np.uint8))

    assert kept.get("a") is not None
    assert kept.get("b") is None


def test_the_index_is_made_again(cast: Cast, acme: RestClient) -> None:
    _say(acme, "trips", TALK)
    before = _found(acme, "heron in the water")

    assert rebuild_index(workspace_id=cast.acme.workspace.id) == len(TALK)

    assert _found(acme, "heron in the water") == before


def test_recall_brings_what_was_said_around_it(acme: RestClient) -> None:
    _say(acme, "trips", TALK)

    (passage,) = acme.post("conversations/trips/recall", {"query": "baking bread", "top_k": 1}).json()["results"]

    assert passage["message"]["content"] == TALK[2][1]
    assert [message["content"] for message in passage["before"]] == [TALK[0][1], TALK[1][1]]
    assert [message["content"] for message in passage["after"]] == [TALK[3][1]]


def test_recalling_more_asks_no_more(acme: RestClient) -> None:
    _say(acme, "trips", TALK)

    def asked(top_k: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            found = acme.post("conversations/trips/recall", {"query": "hiked bread heron go", "top_k": top_k}).json()
        assert len(found["results"]) == top_k
        return len(queries)

    asked(1)  # which model the workspace has is read once in some seconds
    assert asked(1) == asked(4)


class _Dead:
    model, dimensions = "dead", 384

    def embed_query(self, text: str, *, partition: UUID | None = None) -> list[float]:
        raise EmbeddingFailedError("It is dead.")


def _say(rest: RestClient, conversation: str, talk: list[tuple[str, str]]) -> None:
    messages = [{"role": "user", "name": name, "content": content} for name, content in talk]
    assert rest.post(f"conversations/{conversation}/messages", {"messages": messages}).status_code == 201


def _found(rest: RestClient, query: str, **narrow: Any) -> list[str]:
    answer = rest.post("messages/search", {"query": query, **narrow})
    assert answer.status_code == 200, answer.content
    return [result["message"]["content"] for result in answer.json()["results"]]
