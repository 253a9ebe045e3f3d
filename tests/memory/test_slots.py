"""Slots over REST: where they are, who sees them, how long they stay, and how their items are found."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
import time_machine
from django.db import connection

from config.schedules import SCHEDULE
from core.clock import utc_now
from core.stores import redis
from llm.embedding.services.backlog import embed_pending
from memory.models import MemorySlot, SlotItem
from memory.working_memory.services.slot_item_embeddings import SLOT_VECTORS
from memory.working_memory.tasks import delete_expired_slots
from tests.cast import Answer, Cast, RestClient
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope

TIERS = ("working", "session", "episodic", "semantic")


def put(client: RestClient, slot: str, value: Any, scope: dict[str, str] | None = None, **limits: Any) -> Answer:
    return client.put(_path(slot, scope), {"value": value, **limits})


def value_of(client: RestClient, slot: str, scope: dict[str, str] | None = None) -> Any:
    answer = client.get(_path(slot, scope))
    return answer.json()["value"] if answer.status_code == 200 else answer.status_code


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("value", [None, True, 0, 1.5, "text", {}, {"a": {"b": [1, None]}}, [], [{"a": 1}, "b", None]])
def test_any_json_comes_back_as_it_was(acme: RestClient, tier: str, value: Any) -> None:
    answer = put(acme, f"{tier}/plan", value)

    assert (answer.status_code, value_of(acme, f"{tier}/plan")) == (200, value)
    assert answer.json()["count"] == (len(value) if isinstance(value, list) else None)


@pytest.mark.parametrize("tier", TIERS)
def test_the_outsider_sees_nothing(acme: RestClient, umbrella: RestClient, tier: str) -> None:
    scope = {"user_id": "u-1"}
    put(acme, f"{tier}/plan", ["acme"], scope)
    put(umbrella, f"{tier}/plan", ["umbrella"], scope)

    assert value_of(acme, f"{tier}/plan", scope) == ["acme"]
    assert value_of(umbrella, f"{tier}/plan", {**scope, "tenant_id": str(acme.workspace_id)}) == ["umbrella"]
    assert umbrella.delete(_path(f"{tier}/plan", scope)).status_code == 204
    assert value_of(acme, f"{tier}/plan", scope) == ["acme"]


@pytest.mark.parametrize("tier", TIERS)
def test_the_order_of_a_scope_means_nothing_and_its_values_everything(acme: RestClient, tier: str) -> None:
    put(acme, f"{tier}/plan", 1, {"a": "1", "b": "2"})

    assert value_of(acme, f"{tier}/plan", {"b": "2", "a": "1"}) == 1
    for other in ({}, {"a": "1"}, {"a": "2", "b": "1"}, {"a": "1", "b": "2", "c": "3"}, {"a": "1b", "": "2"}):
        assert value_of(acme, f"{tier}/plan", other) in {404, 422}


@pytest.mark.parametrize(
    "query",
    [
        *("surprise=1", "scope.=1", "scope.a=", "scope.a b=1", f"scope.a={'x' * 201}", "scope.a=%00"),
        *("workspace_id=1", "scope.a=1&scope.a=2", "scope.a=1&scope.a=1", "scope.tenant_id=1&scope.tenant_id=2"),
    ],
)
def test_a_scope_that_cannot_be_is_refused(acme: RestClient, query: str) -> None:
    for method in ("GET", "PUT", "DELETE"):
        answer = acme.raw(method, f"slots/session/plan?{query}", b'{"value": 1}')
        assert answer.status_code == 422
        assert answer.json()["code"] in {"invalid", "unknown_field"}


@pytest.mark.parametrize("slot", ["forever/plan", f"session/{'x' * 201}", "session/%00"])
def test_a_tier_or_name_that_cannot_be_is_absent(acme: RestClient, slot: str) -> None:
    assert acme.get(f"slots/{slot}").status_code == 404
    assert acme.put(f"slots/{slot}", {"value": 1}).status_code == 404


@pytest.mark.parametrize("tier", TIERS)
def test_limits_that_are_said_stay_until_something_else_is_said(acme: RestClient, tier: str) -> None:
    put(acme, f"{tier}/said", [1, 2, 3], max_items=2, ttl_seconds=600, schema_version=3)
    acme.post(f"slots/{tier}/said/append", {"item": 4})

    told = acme.get(f"slots/{tier}/said").json()
    assert (told["value"], told["max_items"], told["ttl_seconds"], told["schema_version"]) == ([3, 4], 2, 600, 3)
    replaced = put(acme, f"{tier}/said", [1, 2, 3]).json()
    assert (replaced["value"], replaced["max_items"], replaced["schema_version"]) == ([1, 2, 3], None, 1)


@pytest.mark.parametrize("tier", TIERS)
def test_each_item_has_the_version_that_it_was_written_as(acme: RestClient, tier: str) -> None:
    put(acme, f"{tier}/said", ["a", "b"], schema_version=2)
    acme.post(f"slots/{tier}/said/append", {"item": "c", "schema_version": 3})
    acme.post(f"slots/{tier}/said/append", {"item": "d", "max_items": 3})

    told = acme.get(f"slots/{tier}/said").json()
    assert (told["value"], told["versions"], told["schema_version"]) == (["b", "c", "d"], [2, 3, 3], 3)
    assert put(acme, f"{tier}/said", {"a": 1}, schema_version=4).json()["versions"] is None


def test_items_that_were_there_have_the_version_of_their_slot(cast: Cast, acme: RestClient) -> None:
    fill = import_module("memory.migrations.0021_versions_of_slot_items").FILL
    update = fill[fill.index("UPDATE") : fill.index("SET CONSTRAINTS")]
    put(acme, "session/old", ["a", "b"], schema_version=7)
    put(acme, "session/plan", "c")
    with workspace_scope(cast.acme.caller):
        SlotItem.objects.update(schema_version=1)

        with connection.cursor() as cursor:
            cursor.execute(update)

    assert acme.get("slots/session/old").json()["versions"] == [7, 7]
    with workspace_scope(cast.acme.caller):
        assert set(SlotItem.objects.values_list("schema_version", flat=True)) == {1, 7}


@pytest.mark.parametrize("tier", TIERS)
def test_an_append_answers_the_count_and_not_the_value(acme: RestClient, tier: str) -> None:
    answers = [acme.post(f"slots/{tier}/said/append", {"item": number}).json() for number in range(3)]

    assert [answer["count"] for answer in answers] == [1, 2, 3]
    assert "value" not in answers[0]
    assert value_of(acme, f"{tier}/said") == [0, 1, 2]


@pytest.mark.parametrize("tier", TIERS)
def test_an_item_needs_a_list(acme: RestClient, tier: str) -> None:
    put(acme, f"{tier}/plan", {"a": 1})

    answer = acme.post(f"slots/{tier}/plan/append", {"item": 1})

    assert (answer.status_code, answer.json()["code"]) == (409, "slot_without_items")


@pytest.mark.parametrize("tier", TIERS)
def test_what_is_too_large_changes_nothing(acme: RestClient, tier: str) -> None:
    put(acme, f"{tier}/said", ["x" * 900], max_size_mb=0.001)

    for answer in (
        put(acme, f"{tier}/said", ["x" * 1_000], max_size_mb=0.001),
        acme.post(f"slots/{tier}/said/append", {"item": "x" * 100}),
        put(acme, f"{tier}/said", list(range(10_001))),
    ):
        assert (answer.status_code, answer.json()["code"]) == (413, "slot_too_large")
    assert value_of(acme, f"{tier}/said") == ["x" * 900]


def test_a_slot_of_a_conversation_is_in_its_working_set_and_goes_with_it(
    acme: RestClient, django_capture_on_commit_callbacks: Any
) -> None:
    message = acme.post("conversations/c-1/messages", {"role": "user", "content": "Hello."}).json()
    scope = {"conversation": "c-1"}
    put(acme, "working/plan", {"a": 1}, scope)

    assert redis.peek(f"oxa:ws:{acme.workspace_id}:{message['conversation_id']}:plan")
    assert value_of(acme, "working/plan", {"conversation": message["conversation_id"]}) == {"a": 1}
    assert value_of(acme, "working/plan", {"conversation": "c-2"}) == 404
    with django_capture_on_commit_callbacks(execute=True):
        acme.post("conversations/c-1/end")
    assert value_of(acme, "working/plan", scope) == 404


def test_a_session_slot_stays_a_day_after_its_last_writing(acme: RestClient) -> None:
    put(acme, "session/plan", [1])
    with time_machine.travel(utc_now() + timedelta(hours=23), tick=False):
        acme.post("slots/session/plan/append", {"item": 2})
    with time_machine.travel(utc_now() + timedelta(hours=46), tick=False):
        assert value_of(acme, "session/plan") == [1, 2]
    with time_machine.travel(utc_now() + timedelta(hours=48), tick=False):
        assert value_of(acme, "session/plan") == 404
        acme.post("slots/session/plan/append", {"item": 3})
        assert value_of(acme, "session/plan") == [3]


def test_what_is_over_is_deleted_by_the_schedule(cast: Cast, acme: RestClient) -> None:
    put(acme, "session/plan", [1])
    put(acme, "episodic/plan", [1])

    with time_machine.travel(utc_now() + timedelta(days=2)):
        assert (delete_expired_slots(), delete_expired_slots()) == (1, 0)

    with workspace_scope(cast.acme.caller):
        assert [slot.tier for slot in MemorySlot.objects.all()] == ["episodic"]
        assert SlotItem.objects.count() == 1
    assert "memory.working_memory.tasks.delete_expired_slots" in {line.task for line in SCHEDULE}


def test_items_are_found_by_meaning_once_they_have_vectors(cast: Cast, acme: RestClient) -> None:
    put(acme, "semantic/notes", [{"note": "She keeps a labrador."}, {"note": "Invoices go out on Fridays."}])
    query = {"query": "does the client own a dog?", "limit": 1}
    assert acme.post("slots/semantic/notes/search", query).json()["results"] == []

    assert embed_pending(SLOT_VECTORS, workspace_id=cast.acme.workspace.id, most=10) == 2
    assert embed_pending(SLOT_VECTORS, workspace_id=cast.acme.workspace.id, most=10) == 0

    found = acme.post("slots/semantic/notes/search", query).json()
    assert ([hit["item"]["note"] for hit in found["results"]], found["method"]) == (["She keeps a labrador."], "hybrid")


def test_other_tiers_are_searched_by_words_and_the_working_tier_not_at_all(acme: RestClient) -> None:
    put(acme, "episodic/notes", ["Sold the shares.", "Bought bonds."])
    put(acme, "working/notes", ["Sold the shares."])

    found = acme.post("slots/episodic/notes/search", {"query": "selling shares"}).json()
    assert ([hit["item"] for hit in found["results"]], found["method"]) == (["Sold the shares."], "keyword")
    refused = acme.post("slots/working/notes/search", {"query": "shares"})
    assert (refused.status_code, refused.json()["code"]) == (422, "slot_not_searchable")
    assert acme.post(f"slots/episodic/{uuid4()}/search", {"query": "shares"}).json()["results"] == []


def test_a_long_item_is_kept_whole(acme: RestClient) -> None:
    text = " ".join(f"word{number}" for number in range(200_000))

    assert put(acme, "semantic/notes", [text]).status_code == 200
    assert value_of(acme, "semantic/notes") == [text]
    assert acme.post("slots/semantic/notes/search", {"query": "word17"}).json()["results"]


@pytest.mark.parametrize("tier", TIERS)
def test_a_key_that_may_only_read_reads(cast: Cast, acme: RestClient, tier: str) -> None:
    put(acme, f"{tier}/plan", 1)
    reader = cast.acme.rest(Right.READ)

    assert value_of(reader, f"{tier}/plan") == 1
    for answer in (put(reader, f"{tier}/plan", 2), reader.delete(f"slots/{tier}/plan")):
        assert answer.json()["code"] == "missing_scope"


@pytest.mark.parametrize("body", [{}, {"value": 1, "ttl_seconds": 0}, {"value": "\x00"}, {"value": 1, "ttl": 5}])
def test_what_cannot_be_stored_is_refused(acme: RestClient, body: dict[str, Any]) -> None:
    assert acme.put("slots/session/plan", body).json()["code"] in {"invalid", "unknown_field"}


def _path(slot: str, scope: dict[str, str] | None) -> str:
    query = urlencode({f"scope.{name}": value for name, value in (scope or {}).items()})
    return f"slots/{slot}" + (f"?{query}" if query else "")


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("named", ["key", "id"])
def test_the_slots_of_a_conversation_go_with_it(acme: RestClient, tier: str, named: str) -> None:
    said = {"role": "user", "content": "Is there tea?"}
    acme.post("conversations/chat-1/messages", said)
    identity = acme.get("conversations/chat-1").json()["id"]
    scope = {"conversation": "chat-1" if named == "key" else identity}
    put(acme, f"{tier}/plan", "of it", scope)
    put(acme, f"{tier}/other", "of none", {"user_id": "chat-1"})
    assert value_of(acme, f"{tier}/plan", scope) == "of it"

    assert acme.delete("conversations/chat-1").status_code == 204
    acme.post("conversations/chat-1/messages", said)

    assert value_of(acme, f"{tier}/plan", scope) == 404
    assert value_of(acme, f"{tier}/other", {"user_id": "chat-1"}) == "of none"
