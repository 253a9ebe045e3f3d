"""Remembering and editing, through REST."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.clock import utc_now
from tests.cast import Cast, RestClient
from workspaces.access.callers import Right

TEA = "The office tea order is due on the first Monday of each month."


def test_remembers_and_reads_back(acme: RestClient) -> None:
    answer = acme.post("memories", {"content": TEA, "tags": ["office", "tea"], "importance": 0.8})

    assert answer.status_code == 201
    memory = answer.json()
    assert acme.get(f"memories/{memory['id']}").json() == memory
    assert (memory["kind"], memory["source"], memory["author"]) == ("memory", "agent", "Acme agent (API key)")
    assert (memory["importance"], memory["weight"], memory["times_referenced"]) == (0.8, 1.0, 0)


def test_exact_duplicates_return_the_existing_memory(acme: RestClient) -> None:
    first = acme.remembered(TEA)

    again = acme.post("memories", {"content": f"  {TEA.upper()} "})

    assert again.status_code == 200
    assert again.json()["id"] == first["id"]


@pytest.mark.parametrize("field", ["expires_at", "valid_to"])
def test_remembering_what_is_over_makes_it_valid_again(acme: RestClient, field: str) -> None:
    over = acme.remembered(TEA, **{field: (utc_now() - timedelta(days=1)).isoformat()})
    assert acme.post("memories/search", {"query": TEA}).json()["results"] == []

    for source in ("extraction", "import"):
        old_news = acme.post("memories", {"content": TEA, "source": source})
        assert (old_news.status_code, old_news.json()[field]) == (200, over[field])
    again = acme.post("memories", {"content": TEA})

    assert (again.status_code, again.json()["id"], again.json()[field]) == (200, over["id"], None)
    assert [hit["memory"]["id"] for hit in acme.post("memories/search", {"query": TEA}).json()["results"]] == [
        over["id"]
    ]
    newest = acme.get(f"memories/{over['id']}/history").json()["results"][0]
    assert (newest["action"], list(newest["before"])) == ("edit", [field])


def test_making_a_fact_valid_again_needs_the_scope(cast: Cast) -> None:
    owner = cast.acme.rest(Right.READ, Right.WRITE, Right.FACTS)
    fact = owner.remembered(TEA, kind="fact", expires_at=(utc_now() - timedelta(days=1)).isoformat())

    refused = cast.acme.rest(Right.READ, Right.WRITE).post("memories", {"content": TEA})

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert owner.get(f"memories/{fact['id']}").json()["expires_at"] == fact["expires_at"]


def test_forgotten_content_comes_back_only_by_hand(acme: RestClient) -> None:
    memory = acme.remembered(TEA)
    assert acme.delete(f"memories/{memory['id']}").json()["is_deleted"] is True

    for source in ("extraction", "import"):
        refused = acme.post("memories", {"content": TEA, "source": source})
        assert (refused.status_code, refused.json()["code"]) == (409, "forgotten_before")

    by_hand = acme.post("memories", {"content": TEA, "source": "user"})
    assert by_hand.status_code == 201
    assert by_hand.json()["id"] != memory["id"]


def test_editing_keeps_what_was_before(acme: RestClient) -> None:
    memory = acme.remembered(TEA, tags=["tea"])

    edited = acme.patch(f"memories/{memory['id']}", {"content": "Coffee is ordered weekly.", "tags": ["coffee"]})

    assert edited.json()["content"] == "Coffee is ordered weekly."
    newest, oldest = acme.get(f"memories/{memory['id']}/history").json()["results"]
    assert (newest["action"], newest["before"]) == ("edit", {"content": TEA, "tags": ["tea"]})
    assert oldest["action"] == "remember"


def test_an_edit_cannot_make_a_duplicate(acme: RestClient) -> None:
    acme.remembered(TEA)
    other = acme.remembered("Coffee is ordered weekly.")

    answer = acme.patch(f"memories/{other['id']}", {"content": TEA})

    assert (answer.status_code, answer.json()["code"]) == (409, "duplicate")
    assert acme.get(f"memories/{other['id']}").json()["content"] == "Coffee is ordered weekly."


def test_creating_a_fact_needs_the_scope(cast: Cast) -> None:
    writer = cast.acme.rest(Right.READ, Right.WRITE)

    refused = writer.post("memories", {"content": TEA, "kind": "fact"})

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert "facts" in refused.json()["detail"]
    assert cast.acme.rest().post("memories", {"content": TEA, "kind": "fact"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"content": ""}, 422, "invalid"),
        ({"content": "   "}, 422, "invalid"),
        ({}, 422, "invalid"),
        ({"content": 7}, 422, "invalid"),
        ({"content": ["x"]}, 422, "invalid"),
        ({"content": None}, 422, "invalid"),
        ({"content": "a\x00b"}, 422, "invalid"),
        ({"content": "lone \ud800 surrogate"}, 422, "invalid"),
        ({"content": "x", "kind": "rumour"}, 422, "invalid"),
        ({"content": "x", "workspace_id": "0"}, 422, "unknown_field"),
        ({"content": "x", "importance": 1.01}, 422, "invalid"),
        ({"content": "x", "importance": "high"}, 422, "invalid"),
        ({"content": "x", "importance": True}, 422, "invalid"),
        ({"content": "x", "confidence": 10**400}, 422, "invalid"),
        ({"content": "x", "tags": "one"}, 422, "invalid"),
        ({"content": "x", "tags": ["x" * 65]}, 422, "invalid"),
        ({"content": "x", "tags": ["x"] * 21}, 422, "invalid"),
        ({"content": "x", "tags": ["x\ny"]}, 422, "invalid"),
        ({"content": "x", "tags": ["x,y"]}, 422, "invalid"),
        ({"content": "\u200b\u2060"}, 422, "invalid"),
        ({"content": "x", "expires_at": "soon"}, 422, "invalid"),
        ({"content": "x", "valid_from": "2026-02-01T00:00:00Z", "valid_to": "2026-01-01T00:00:00Z"}, 422, "invalid"),
        ({"content": "our AWS key is AKIAIOSFODNN7EXAMPLE"}, 422, "secret_refused"),
        ({"content": "x" * 16_001}, 413, "content_too_large"),
        ({"content": "x" * 1_000_000}, 413, "content_too_large"),
        ({"content": "x" * 1_100_000}, 413, "body_too_large"),
        ([], 422, "invalid"),
        ("text", 422, "invalid"),
    ],
)
def test_refuses_bad_bodies_and_keeps_nothing(acme: RestClient, body: Any, status: int, code: str) -> None:
    answer = acme.post("memories", body)

    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert acme.get("memories").json()["results"] == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('{"content": "x"', "malformed_json"),
        ('{"content": NaN}', "malformed_json"),
        (b"\xff\xfe", "malformed_json"),
        ("[" * 100_000, "malformed_json"),
        ('{"content": "x", "confidence": ' + "9" * 5_000 + "}", "malformed_json"),
    ],
)
def test_refuses_what_is_no_json(acme: RestClient, body: bytes | str, code: str) -> None:
    answer = acme.raw("POST", "memories", body)

    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_unknown_fields_are_named(acme: RestClient) -> None:
    errors = acme.post("memories/search", {"query": "x", "top_k": 1, "limit": 1}).json()["errors"]

    assert [(error["field"], error["code"]) for error in errors] == [("top_k", "unknown_field")]
    assert " query, limit, " in errors[0]["detail"]
