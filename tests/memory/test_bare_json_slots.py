"""One form under a key of the working set: the primitive, REST and any other program read and write each other's."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from core.stores import redis
from memory.working_memory.services.working_set import clear_working, read_working, write_working
from memory.working_memory.volatile_slot_format import NotJsonError, SlotInfo, VolatileSlot
from tests.cast import RestClient

SLOT = "slots/working/plan?scope.conversation=c-1"
APPEND = "slots/working/plan/append?scope.conversation=c-1"
VALUES: list[Any] = [{"plan": ["a", {"b": None}]}, [], [1, [2, 3], "x,\ny"], "text", 0, 1.5, True, None, [{"ü": "\n"}]]


@pytest.fixture
def conversation(acme: RestClient) -> UUID:
    message = acme.post("conversations/c-1/messages", {"role": "user", "content": "Hello."}).json()
    return UUID(message["conversation_id"])


@pytest.fixture
def key(acme: RestClient, conversation: UUID) -> str:
    return f"oxa:ws:{acme.workspace_id}:{conversation}:plan"


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("dumped", [json.dumps, lambda value: json.dumps(value, indent=2, ensure_ascii=False)])
def test_bare_json_is_read_over_rest(acme: RestClient, key: str, value: Any, dumped: Callable[[Any], str]) -> None:
    redis.client().set(key, dumped(value), ex=3_600)

    answer = acme.get(SLOT)

    assert (answer.status_code, answer.json()["value"]) == (200, value)
    told = answer.json()
    assert (told["schema_version"], told["ttl_seconds"], told["updated_at"]) == (1, 3_600, None)
    size = len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
    assert (told["count"], told["size_bytes"]) == (len(value) if isinstance(value, list) else None, size)


@pytest.mark.parametrize("value", VALUES)
def test_bare_json_is_appended_to_and_never_overwritten(acme: RestClient, key: str, value: Any) -> None:
    redis.client().set(key, json.dumps(value), ex=3_600)

    answer = acme.post(APPEND, {"item": "new", "schema_version": 4})

    if isinstance(value, list):
        assert answer.json()["count"] == len(value) + 1
        assert json.loads(str(redis.client().get(key))) == [*value, "new"]
        assert acme.get(SLOT).json()["versions"] == [*[1] * len(value), 4]
    else:
        assert (answer.status_code, answer.json()["code"]) == (409, "slot_without_items")
        assert acme.get(SLOT).json()["value"] == value


@pytest.mark.parametrize("value", VALUES)
def test_what_rest_wrote_the_primitive_reads_and_the_other_way_round(
    acme: RestClient, conversation: UUID, key: str, value: Any
) -> None:
    place: dict[str, Any] = {"workspace_id": acme.workspace_id, "conversation_id": conversation, "slot": "plan"}
    acme.put(SLOT, {"value": value, "max_items": 7, "schema_version": 3, "ttl_seconds": 9_000})

    assert read_working(**place) == json.loads(str(redis.client().get(key))) == value
    assert 8_000 < redis.client().ttl(key) <= 9_000, "What was said over REST about its time holds."

    write_working(**place, value=["other"])
    told = acme.get(SLOT).json()
    assert (told["value"], told["max_items"], told["schema_version"]) == (["other"], None, 1)
    acme.post(APPEND, {"item": 2})
    assert read_working(**place) == ["other", 2]


def test_what_is_known_of_a_value_is_not_said_of_another(acme: RestClient, key: str) -> None:
    acme.put(SLOT, {"value": ["a", "b"], "schema_version": 3})
    redis.client().set(key, '["x", "y", "z"]', ex=3_600)

    told = acme.get(SLOT).json()

    assert (told["value"], told["count"], told["versions"], told["schema_version"]) == (["x", "y", "z"], 3, [1] * 3, 1)


@pytest.mark.parametrize("text", ["", "plain", '{"a": NaN}', "1e999", '"\\ud800"', "[" * 100_000, '{"count": 1}\n"x"'])
def test_what_is_not_json_is_absent_and_not_overwritten(
    acme: RestClient, conversation: UUID, key: str, text: str
) -> None:
    redis.client().set(key, text, ex=3_600)

    assert acme.get(SLOT).status_code == 404
    assert acme.post(APPEND, {"item": 1}).json()["code"] == "slot_without_items"
    place = {"workspace_id": acme.workspace_id, "conversation_id": conversation}
    assert read_working(**place, slot="plan") is None
    assert redis.client().get(key) == text
    assert acme.put(SLOT, {"value": 1}).status_code == 200


def test_what_is_known_goes_with_the_slot(acme: RestClient, conversation: UUID) -> None:
    info = redis.slot_info_key(acme.workspace_id, conversation)
    acme.put(SLOT, {"value": 1, "ttl_seconds": 5_000})
    assert 4_000 < redis.client().ttl(info) <= 5_000

    acme.delete(SLOT)
    assert not redis.client().exists(info)
    acme.put(SLOT, {"value": 1})
    assert clear_working(workspace_id=acme.workspace_id, conversation_id=conversation) == 1
    assert not redis.client().exists(info)


def test_versions_are_kept_in_runs_and_go_with_the_oldest_items() -> None:
    slot = VolatileSlot.of(["a", "b"], schema_version=3).append('"c"', schema_version=3).append('"d"', schema_version=4)
    assert slot.info.versions == ((3, 3), (4, 1))

    assert (slot.newest(2).value, slot.newest(2).versions) == (["c", "d"], [3, 4])
    assert (slot.newest(1).value, slot.newest(1).info.versions) == (["d"], ((4, 1),))
    assert slot.newest(9) == slot
    assert VolatileSlot.parse(slot.text, slot.render_info()) == slot
    assert VolatileSlot.parse(slot.text, None).info == SlotInfo(4, ((1, 4),))
    with pytest.raises(NotJsonError):
        VolatileSlot.parse("x", slot.render_info())
