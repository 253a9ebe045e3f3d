"""The working tier shares the memory of Redis: what a slot, and what all slots of a workspace may take there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.stores import redis
from tests.cast import Answer, RestClient

pytestmark = pytest.mark.django_db


def put(client: RestClient, name: str, value: Any, **limits: Any) -> Answer:
    return client.put(f"slots/working/{name}", {"value": value, **limits})


def test_a_workspace_keeps_so_many_bytes_and_another_its_own(
    acme: RestClient, umbrella: RestClient, settings: Any
) -> None:
    settings.MAX_WORKING_BYTES = 10_000
    assert [put(acme, f"s{number}", "x" * 3_000).status_code for number in range(3)] == [200] * 3

    refused = put(acme, "s3", "x" * 3_000)

    assert (refused.status_code, refused.json()["code"]) == (409, "quota_exceeded")
    assert "10,000 bytes" in refused.json()["detail"]
    assert acme.get("slots/working/s3").status_code == 404
    assert put(umbrella, "s3", "x" * 3_000).status_code == 200
    assert put(acme, "s2", "y" * 3_000).status_code == 200, "It takes the place of what it held."


def test_what_is_appended_counts(acme: RestClient, settings: Any) -> None:
    settings.MAX_WORKING_BYTES = 5_000
    answers = [acme.post("slots/working/list/append", {"item": "x" * 1_500}) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 409]
    assert acme.get("slots/working/list").json()["count"] == 3


def test_a_workspace_keeps_so_many_slots(acme: RestClient, settings: Any) -> None:
    settings.MAX_WORKING_SLOTS = 2
    assert [put(acme, f"s{number}", 1).status_code for number in range(3)] == [200, 200, 409]

    acme.delete("slots/working/s0")

    assert put(acme, "s2", 1).status_code == 200


def test_what_has_expired_does_not_count(acme: RestClient, settings: Any) -> None:
    settings.MAX_WORKING_SLOTS = 1
    put(acme, "s0", 1)
    redis.delete_all(f"oxa:ws:{acme.workspace_id}:")

    assert put(acme, "s1", 1).status_code == 200


def test_the_sizes_stay_as_long_as_the_slot_that_stays_longest(acme: RestClient) -> None:
    put(acme, "long", 1, ttl_seconds=5_000)
    put(acme, "short", 1, ttl_seconds=10)

    assert 4_000 < redis.client().ttl(redis.size_index_key(acme.workspace_id)) <= 5_000


@pytest.mark.parametrize("limits", [{}, {"max_size_mb": 64}])
def test_a_slot_of_the_working_tier_holds_two_megabytes(acme: RestClient, limits: dict[str, Any]) -> None:
    assert put(acme, "large", "x" * 1_999_998, **limits).status_code == 200

    refused = put(acme, "large", "x" * 2_000_000, **limits)

    assert (refused.status_code, refused.json()["code"]) == (413, "slot_too_large")


def test_an_append_reads_no_item_that_was_there(acme: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    put(acme, "list", [{"note": "n"}] * 500)
    read: list[str] = []
    loads = json.loads

    def noted(text: str, **named: Any) -> Any:
        read.append(text)
        return loads(text, **named)

    monkeypatch.setattr("memory.working_memory.volatile_slot_format.json.loads", noted)

    answer = acme.post("slots/working/list/append", {"item": "new"})

    monkeypatch.undo()
    assert answer.json()["count"] == 501
    assert not any('"note"' in text for text in read)
    assert acme.get("slots/working/list").json()["value"][-2:] == [{"note": "n"}, "new"]


@pytest.mark.parametrize("value", [[], ["é", "a\nb\u2028c"], "é\n", {"a": [1]}, None])
def test_the_size_is_that_of_the_json(acme: RestClient, value: Any) -> None:
    size = len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())

    assert put(acme, "s", value).json()["size_bytes"] == size
    assert acme.get("slots/working/s").json()["size_bytes"] == size
    assert acme.get("slots/working/s").json()["value"] == value
