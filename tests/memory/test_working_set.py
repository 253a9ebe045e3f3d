"""The working set, on the real server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from core.ids import new_id
from core.stores import redis
from memory.working_memory.services.working_set import (
    UnscopedSlotError,
    clear_working,
    read_working,
    try_clear_working,
    write_working,
)
from memory.working_memory.volatile_slot_format import TTL_SECONDS

WORKSPACE, OTHER = new_id(), new_id()


@pytest.fixture
def conversation() -> Iterator[UUID]:
    identity = new_id()
    yield identity
    clear_working(workspace_id=WORKSPACE, conversation_id=identity)


@pytest.fixture
def _no_redis(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"


@pytest.mark.parametrize("value", [{"plan": ["search", "answer"]}, [], "text", 0, 1.5, True, {"deep": {"ü": None}}])
@pytest.mark.heavy
def test_keeps_json(conversation: UUID, value: Any) -> None:
    write_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="planner_decision", value=value)

    assert read_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="planner_decision") == value


@pytest.mark.heavy
def test_the_key_and_the_time_are_exact(conversation: UUID) -> None:
    write_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="any: slot*", value=[1])
    key = f"oxa:ws:{WORKSPACE}:{conversation}:any: slot*"

    assert redis.client().get(key) == "[1]"
    assert redis.client().ttl(key) == TTL_SECONDS == 3_600


@pytest.mark.heavy
def test_every_read_is_a_heartbeat(conversation: UUID) -> None:
    write_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="s", value=1)
    key = redis.working_prefix(WORKSPACE, conversation) + "s"
    redis.client().expire(key, 10)

    read_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="s")

    assert redis.client().ttl(key) == TTL_SECONDS


@pytest.mark.heavy
def test_what_expired_or_never_was_is_none(conversation: UUID) -> None:
    write_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="s", value=1)
    redis.client().pexpire(redis.working_prefix(WORKSPACE, conversation) + "s", 0)

    assert read_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="s") is None
    assert read_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="never") is None


@pytest.mark.heavy
def test_clears_one_conversation_and_no_other(conversation: UUID) -> None:
    neighbour = new_id()
    for slot in [f"slot {number}" for number in range(2_500)]:
        write_working(workspace_id=WORKSPACE, conversation_id=conversation, slot=slot, value=1)
    write_working(workspace_id=WORKSPACE, conversation_id=neighbour, slot="s", value=2)
    write_working(workspace_id=OTHER, conversation_id=conversation, slot="s", value=3)

    assert clear_working(workspace_id=WORKSPACE, conversation_id=conversation) == 2_500

    assert read_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="slot 7") is None
    assert read_working(workspace_id=WORKSPACE, conversation_id=neighbour, slot="s") == 2
    assert read_working(workspace_id=OTHER, conversation_id=conversation, slot="s") == 3
    assert clear_working(workspace_id=WORKSPACE, conversation_id=neighbour) == 1
    assert clear_working(workspace_id=OTHER, conversation_id=conversation) == 1


@pytest.mark.heavy
def test_what_is_deleted_by_prefix_is_taken_literally() -> None:
    for key in ("oxa:test:a*b:1", "oxa:test:a*b:2", "oxa:test:axb:1", "oxa:test:[ab]?\\:1", "oxa:test:a?:1"):
        redis.put(key, "1", seconds=60)

    assert redis.delete_all("oxa:test:a*b:") == 2
    assert redis.delete_all("oxa:test:[ab]?\\") == 1
    assert redis.delete_all("oxa:test:a?") == 1
    assert redis.delete_all("oxa:test:axb") == 1


@pytest.mark.parametrize("missing", [None, "", "*", "0190a5c0-0000-7000-8000-000000000000"])
def test_refuses_without_ids(missing: Any) -> None:
    conversation = new_id()
    for workspace_id, conversation_id in ((missing, conversation), (WORKSPACE, missing)):
        with pytest.raises(UnscopedSlotError):
            write_working(workspace_id=workspace_id, conversation_id=conversation_id, slot="s", value=1)
        with pytest.raises(UnscopedSlotError):
            read_working(workspace_id=workspace_id, conversation_id=conversation_id, slot="s")
        with pytest.raises(UnscopedSlotError):
            clear_working(workspace_id=workspace_id, conversation_id=conversation_id)


@pytest.mark.parametrize("value", [{1, 2}, object(), float("nan"), float("inf")])
def test_refuses_what_is_no_json(value: Any) -> None:
    conversation = new_id()
    with pytest.raises((TypeError, ValueError)):
        write_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="s", value=value)


@pytest.mark.usefixtures("_no_redis")
def test_without_redis_writing_says_so_and_reading_is_empty() -> None:
    conversation = new_id()

    with pytest.raises(redis.RedisUnavailableError):
        write_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="s", value=1)
    with pytest.raises(redis.RedisUnavailableError):
        clear_working(workspace_id=WORKSPACE, conversation_id=conversation)
    assert read_working(workspace_id=WORKSPACE, conversation_id=conversation, slot="s") is None
    try_clear_working(workspace_id=WORKSPACE, conversation_id=conversation)
