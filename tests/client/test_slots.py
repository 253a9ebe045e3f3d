"""One contract for every backend of slots: in memory and on the server, blocking and to be awaited."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from tests.client.wiring import after
from workspace_memory import (
    Backend,
    ConflictError,
    MemorySpec,
    SchemaMismatchError,
    SpecError,
    TooLargeError,
    conversation_memory,
    scratchpad,
    semantic_memory,
)

NOTES = semantic_memory(scope="user_id")
PLAN = MemorySpec(tier="session", scope="user_id")


class Note(BaseModel):
    """What an agent noted."""

    summary: str
    confidence: float = 1.0


class NewerNote(BaseModel):
    """The schema after it has changed."""

    headline: str


@pytest.mark.parametrize("tier", ["working", "session", "episodic", "semantic"])
def test_what_is_written_is_read(backend: Backend, tier: Any) -> None:
    slot = backend.slot("plan", MemorySpec(tier=tier, scope="user_id", type="dict"), user_id="u-1")
    value = {"steps": ["a", {"b": [1, 2.5, None, True]}], "näme": "ü"}

    assert slot.get() is None
    slot.set(value)
    assert slot.get() == value
    slot.set({"steps": []})
    assert slot.get() == {"steps": []}
    assert (slot.clear(), slot.clear(), slot.get()) == (True, False, None)


def test_values_are_copies(backend: Backend) -> None:
    slot, value = backend.slot("plan", PLAN, user_id="u-1"), {"steps": ["a"]}
    slot.set(value)
    value["steps"].append("b")
    slot.get()["steps"].append("c")

    assert slot.get() == {"steps": ["a"]}


def test_a_name_a_tier_and_every_value_of_the_scope_tell_slots_apart(backend: Backend) -> None:
    spec = MemorySpec(tier="session", scope=["user_id", "channel_id"])
    slots = [
        backend.slot(name, MemorySpec(tier=tier, scope=spec.scope), user_id=user, channel_id=channel)
        for name in ("a", "a/b")
        for tier in ("session", "episodic", "working")
        for user in ("u:1", "u")
        for channel in ("1", "u")
    ]
    for number, slot in enumerate(slots):
        slot.set({"number": number})

    assert [slot.get()["number"] for slot in slots] == list(range(len(slots)))


def test_a_list_keeps_its_newest_items(backend: Backend) -> None:
    slot = backend.slot("said", conversation_memory(max_items=3), user_id="u-1")
    assert slot.get() == []
    for number in range(5):
        slot.append({"role": "user", "content": str(number)})

    assert [item["content"] for item in slot.get()] == ["2", "3", "4"]
    slot.set([{"content": str(number)} for number in range(9)])
    assert [item["content"] for item in slot.get()] == ["6", "7", "8"]


def test_only_a_list_takes_items(backend: Backend) -> None:
    one = backend.slot("plan", PLAN, user_id="u-1")
    one.set({"a": 1})
    with pytest.raises(SpecError):
        one.append({"b": 2})
    with pytest.raises(ConflictError) as caught:
        backend.slot("plan", MemorySpec(tier="session", scope="user_id", type="list"), user_id="u-1").append({"b": 2})
    assert caught.value.code == "slot_without_items"


@pytest.mark.parametrize("tier", ["working", "session", "episodic"])
@pytest.mark.heavy
def test_what_is_over_its_time_is_gone(backend: Backend, tier: Any) -> None:
    slot = backend.slot("plan", MemorySpec(tier=tier, scope="user_id", ttl=60), user_id="u-1")
    slot.set({"a": 1})
    assert slot.get() == {"a": 1}

    after(seconds=61, then=lambda: _is_gone(slot))


def test_reading_keeps_the_working_tier_alive_and_no_other(backend: Backend) -> None:
    specs = [MemorySpec(tier=tier, scope="user_id", ttl=3_600) for tier in ("working", "session")]
    working, session = (backend.slot("plan", spec, user_id="u-1") for spec in specs)
    for slot in (working, session):
        slot.set({"a": 1})
    first = [backend.read(slot.address) for slot in (working, session)]

    second = [backend.read(slot.address) for slot in (working, session)]

    ends = [stored.expires_at for stored in (*first, *second) if stored and stored.expires_at]
    assert ends[2] > ends[0]
    assert ends[3] == ends[1]


@pytest.mark.parametrize("tier", ["working", "session"])
def test_a_value_over_its_size_is_refused_and_the_old_one_stays(backend: Backend, tier: Any) -> None:
    slot = backend.slot("plan", MemorySpec(tier=tier, scope="user_id", max_size_mb=0.001), user_id="u-1")
    slot.set({"a": "x" * 900})

    with pytest.raises(TooLargeError) as caught:
        slot.set({"a": "x" * 1_000})

    assert caught.value.code == "slot_too_large"
    assert len(slot.get()["a"]) == 900


def test_a_list_over_its_size_takes_no_more(backend: Backend) -> None:
    slot = backend.slot("said", conversation_memory(max_size_mb=0.001), user_id="u-1")
    for _ in range(2):
        slot.append("x" * 400)

    with pytest.raises(TooLargeError):
        slot.append("x" * 400)

    assert len(slot.get()) == 2


def test_items_are_found_by_their_words_best_first(backend: Backend) -> None:
    slot = backend.slot("notes", NOTES, user_id="u-1")
    for text in ("Prefers bonds over shares.", "Has a dog called Rex.", "Sold all shares of the dog food maker."):
        slot.append({"summary": text})

    found = slot.search("which shares of dog food were sold?", limit=2)

    assert [hit.item["summary"][:4] for hit in found] == ["Sold", found[1].item["summary"][:4]]
    assert 1 >= found[0].score >= found[1].score > 0
    assert (found.method in {"keyword", "hybrid"}, found.latency_ms > 0) == (True, True)
    assert len(slot.search("zebra crossing")) == 0
    assert len(backend.slot("notes", NOTES, user_id="u-2").search("shares")) == 0


def test_only_what_is_searchable_is_searched(backend: Backend) -> None:
    with pytest.raises(SpecError, match="searchable"):
        backend.slot("plan", PLAN, user_id="u-1").search("x")


def test_a_schema_is_checked_on_the_way_in_and_gives_models_on_the_way_out(backend: Backend) -> None:
    one = backend.slot("note", MemorySpec(tier="semantic", scope="user_id", type="dict", schema=Note), user_id="u-1")
    many = backend.slot("notes", semantic_memory(schema=Note), user_id="u-1")

    for wrong in ({"summary": 5}, "text", Note):
        with pytest.raises(ValueError):  # noqa: PT011  # Pydantic's own, or ours
            one.set(wrong)
    with pytest.raises(ValueError, match="summary"):
        many.append({"confidence": 1})
    one.set(Note(summary="a"))
    many.append({"summary": "b", "confidence": 0.5})

    assert one.get() == Note(summary="a")
    assert many.get() == [Note(summary="b", confidence=0.5)]


@pytest.mark.parametrize("kind", ["dict", "list"])
def test_what_no_longer_fits_raises_a_value_error_that_carries_what_is_there(backend: Backend, kind: Any) -> None:
    older = MemorySpec(tier="episodic", type=kind, scope="user_id", schema=Note, schema_version=1)
    newer = MemorySpec(tier="episodic", type=kind, scope="user_id", schema=NewerNote, schema_version=2)
    value = {"summary": "a", "confidence": 1.0}
    backend.slot("note", older, user_id="u-1").set(value if kind == "dict" else [value])

    with pytest.raises(ValueError, match="version 1") as caught:
        backend.slot("note", newer, user_id="u-1").get()

    assert isinstance(caught.value, SchemaMismatchError)
    assert (caught.value.stored_version, caught.value.value) == (1, value if kind == "dict" else [value])


@pytest.mark.parametrize(
    "name", ["", "x" * 201, "a\x07", "a\x00", "a\nb", "a\u2028b", "\ud800", "plan/append", "plan/search"]
)
def test_names_that_no_slot_can_have_are_refused(backend: Backend, name: str) -> None:
    with pytest.raises(SpecError, match="name: "):
        backend.slot(name, PLAN, user_id="u-1")


@pytest.mark.parametrize("value", ["x" * 201, "a\x1b[31m", "a\x00"])
def test_values_that_no_scope_can_have_are_refused(backend: Backend, value: str) -> None:
    with pytest.raises(SpecError, match="user_id: "):
        backend.slot("plan", PLAN, user_id=value)


@pytest.mark.parametrize("levels", [99, 100, 990, 3_000])
@pytest.mark.parametrize("tier", ["working", "session"])
def test_a_value_is_nested_a_hundred_levels_deep_at_the_most(backend: Backend, tier: Any, levels: int) -> None:
    slot = backend.slot("plan", MemorySpec(tier=tier, scope="user_id"), user_id="u-1")
    value: Any = {"bottom": True}
    for _ in range(levels - 1):
        value = {"down": value}

    if levels <= 100:
        slot.set(value)
        assert slot.get() == value
    else:
        with pytest.raises(ValueError, match="100 levels"):
            slot.set(value)


@pytest.mark.parametrize("value", [{"a": "red\x1b[0m"}, {"a": ["\ud800"]}, {"a\x07": 1}])
def test_what_is_no_text_is_refused(backend: Backend, value: Any) -> None:
    for spec in (scratchpad(scope="user_id"), PLAN):
        with pytest.raises(ValueError, match="control characters"):
            backend.slot("plan", spec, user_id="u-1").set(value)


@pytest.mark.parametrize("value", [float("nan"), {"a": object()}, {1, 2}])
def test_what_is_no_json_is_refused(backend: Backend, value: Any) -> None:
    for spec in (scratchpad(scope="user_id"), PLAN):
        with pytest.raises(ValueError):  # noqa: PT011  # json's own, or ours
            backend.slot("plan", spec, user_id="u-1").set(value)


def _is_gone(slot: Any) -> None:
    assert (slot.get(), slot.clear()) == (None, False)
