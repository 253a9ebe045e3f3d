"""Where the backend in memory and the server could differ: both refuse the same, with the same error."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from memory.working_memory import slot_limits as server
from memory.working_memory.api import MAX_DIMENSIONS, MAX_NAME_CHARACTERS
from workspace_memory import (
    Backend,
    InvalidError,
    MemorySpec,
    SchemaMismatchError,
    SlotItems,
    SpecError,
    TooLargeError,
    UnfitItem,
    memory_spec,
    semantic_memory,
    slot_limits,
    slot_values,
)
from workspace_memory.slot_limits import Limits
from workspace_memory.slot_values import SlotAddress

TIERS = ("working", "session", "episodic", "semantic")
LISTS = semantic_memory(scope="user_id")


class Note(BaseModel):
    """The first version."""

    summary: str


class NewerNote(BaseModel):
    """The second."""

    headline: str


def address_of(backend: Backend, tier: Any, name: str = "said", **scope: str) -> SlotAddress:
    return SlotAddress(tier, name, (("tenant_id", backend.tenant()), *scope.items()))


def test_the_limits_of_the_sdk_are_those_of_the_server() -> None:
    ours = [getattr(slot_limits, name) for name in (
        "DEFAULT_MEGABYTES", "MAX_WORKING_MEGABYTES", "MAX_VALUES", "BYTES_OF_A_MB")]  # fmt: skip
    assert ours == [getattr(server, name) for name in (
        "DEFAULT_MEGABYTES", "MAX_WORKING_MEGABYTES", "MAX_VALUES", "BYTES_OF_A_MB")]  # fmt: skip
    assert (memory_spec.MAX_ITEMS, memory_spec.MAX_MEGABYTES, memory_spec.MAX_TTL) == (
        server.MAX_ITEMS, server.MAX_MEGABYTES, server.MAX_TTL_SECONDS)  # fmt: skip
    assert (slot_values.MAX_DIMENSIONS, slot_values.MAX_CHARACTERS_OF_A_NAME) == (MAX_DIMENSIONS, MAX_NAME_CHARACTERS)


@pytest.mark.parametrize("name", ["a\nb", "a\r", "\x85", 5, None])
def test_a_name_is_one_line_of_text(backend: Backend, name: Any) -> None:
    with pytest.raises(SpecError, match="name"):
        backend.slot(name, LISTS, user_id="u-1")


@pytest.mark.parametrize("tier", TIERS)
def test_a_scope_has_ten_dimensions_at_most(backend: Backend, tier: Any) -> None:
    values = {f"d{number}": "1" for number in range(11)}
    spec = MemorySpec(tier=tier, type="dict", scope=list(values)[:10])

    backend.slot("plan", spec, **values).set({"a": 1})

    assert backend.slot("plan", spec, **values).get() == {"a": 1}
    with pytest.raises(SpecError, match="at most 10 dimensions"):
        backend.slot("plan", MemorySpec(tier=tier, scope=list(values)), **values)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.heavy
def test_a_list_has_ten_thousand_items_at_most(backend: Backend, tier: Any) -> None:
    slot = address_of(backend, tier, user_id="u-1")
    backend.write(slot, [0] * 10_000, Limits())

    for refused in (lambda: backend.write(slot, [0] * 10_001, Limits()), lambda: backend.append(slot, 0, Limits())):
        with pytest.raises(TooLargeError) as caught:
            refused()
        assert (caught.value.code, caught.value.status) == ("slot_too_large", 413)
    backend.append(slot, 1, Limits(max_items=10_000))
    stored = backend.read(slot)
    assert stored is not None
    assert (len(stored.value), stored.value[-1]) == (10_000, 1)


@pytest.mark.parametrize(
    ("tier", "size", "megabytes"),
    [("session", 16_000_001, None), ("semantic", 16_000_001, None), ("working", 2_000_001, None),
     ("working", 2_000_001, 64), ("session", 17_000_000, 64), ("session", 1_001, 0.001)],
)  # fmt: skip
@pytest.mark.heavy
def test_a_value_is_within_its_megabytes(backend: Backend, tier: Any, size: int, megabytes: float | None) -> None:
    slot, limits = address_of(backend, tier, user_id="u-1"), Limits(max_size_mb=megabytes)

    with pytest.raises(TooLargeError):
        backend.write(slot, "x" * (size - 2), limits)

    assert backend.read(slot) is None


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.heavy
def test_a_value_holds_two_hundred_thousand_values_at_most(backend: Backend, tier: Any) -> None:
    slot = address_of(backend, tier, user_id="u-1")
    backend.write(slot, [[0] * 99_999, [0] * 90_000], Limits())

    with pytest.raises(TooLargeError):
        backend.append(slot, [0] * 10_000, Limits())


@pytest.mark.parametrize(
    "limits",
    [{"max_items": 10_001}, {"max_items": 0}, {"max_size_mb": 64.5}, {"max_size_mb": 0}, {"schema_version": 1_000_001},
     {"schema_version": 0}, {"max_size_mb": float("nan")}],
)  # fmt: skip
def test_limits_that_no_backend_takes_are_refused_where_they_are_said(limits: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match=next(iter(limits))):
        semantic_memory(**limits)
    with pytest.raises(SpecError, match=next(iter(limits))):
        Limits(**limits)


@pytest.mark.parametrize(
    ("query", "limit", "field"), [("tea", 0, "limit"), ("tea", 201, "limit"), ("tea", -1, "limit"), ("", 5, "query"),
                                  (" \n", 5, "query"), ("x" * 4_001, 5, "query"), ("\x00", 5, "query")],
)  # fmt: skip
def test_a_search_that_cannot_be_is_refused(backend: Backend, query: str, limit: int, field: str) -> None:
    slot = backend.slot("notes", LISTS, user_id="u-1")
    slot.append("Tea is ordered daily.")

    with pytest.raises(InvalidError) as caught:
        slot.search(query, limit=limit)

    assert (caught.value.status, [one.field for one in caught.value.problems]) == (422, [field])


def test_the_working_tier_is_not_searched(backend: Backend) -> None:
    with pytest.raises(InvalidError) as caught:
        backend.search(address_of(backend, "working"), "tea", 5)
    assert caught.value.code == "slot_not_searchable"


@pytest.mark.parametrize("tier", TIERS)
def test_the_size_after_an_append_is_that_of_the_json(backend: Backend, tier: Any) -> None:
    slot = address_of(backend, tier, user_id="u-1")
    sizes = []
    for item in ("ü", {"a": [1, 2]}, None):
        backend.append(slot, item, Limits(max_items=2))
        stored = backend.read(slot)
        assert stored is not None
        sizes.append(stored.size_bytes)

    assert sizes == [6, 18, 18]
    assert stored is not None
    assert (stored.value, stored.size_bytes) == ([{"a": [1, 2]}, None], len('[{"a":[1,2]},null]'))


@pytest.mark.parametrize("tier", TIERS)
def test_limits_that_an_append_does_not_name_stay(backend: Backend, tier: Any) -> None:
    slot = address_of(backend, tier, user_id="u-1")
    backend.write(slot, [1, 2], Limits(max_items=2, ttl_seconds=600))
    before = backend.read(slot)

    backend.append(slot, 3, Limits())

    stored = backend.read(slot)
    assert before is not None
    assert stored is not None
    assert stored.value == [2, 3]
    assert stored.expires_at is not None
    assert before.expires_at is not None
    assert 0 <= (stored.expires_at - before.expires_at).total_seconds() < 60


@pytest.mark.parametrize("tier", TIERS)
def test_every_item_has_the_version_that_it_was_written_as(backend: Backend, tier: Any) -> None:
    slot = address_of(backend, tier, user_id="u-1")
    backend.write(slot, ["a", "b"], Limits(schema_version=3))
    backend.append(slot, "c", Limits(schema_version=5))
    backend.append(slot, "d", Limits(schema_version=4, max_items=3))

    stored = backend.read(slot)

    assert stored is not None
    assert (stored.value, stored.versions, stored.schema_version) == (["b", "c", "d"], (3, 5, 4), 4)
    backend.write(slot, {"one": "value"}, Limits(schema_version=6))
    stored = backend.read(slot)
    assert stored is not None
    assert (stored.versions, stored.schema_version) == (None, 6)


@pytest.mark.parametrize("tier", ["session", "episodic", "semantic"])
def test_an_old_item_hides_no_other_and_keeps_its_version(backend: Backend, tier: Any) -> None:
    older = MemorySpec(tier=tier, type="list", scope="user_id", schema=Note, schema_version=1)
    newer = MemorySpec(tier=tier, type="list", scope="user_id", schema=NewerNote, schema_version=2, searchable=True)
    backend.slot("notes", older, user_id="u-1").append(Note(summary="old tea"))
    slot = backend.slot("notes", newer, user_id="u-1")

    with pytest.raises(SchemaMismatchError, match="version 1") as caught:
        slot.get()
    assert caught.value.stored_version == 1
    slot.append(NewerNote(headline="new tea"))

    found = slot.get()
    assert isinstance(found, SlotItems)
    assert found == [NewerNote(headline="new tea")]
    (old,) = found.unfit
    assert isinstance(old, UnfitItem)
    assert (old.place, old.value, old.stored_version) == (0, {"summary": "old tea"}, 1)
    assert {hit.schema_version for hit in slot.search("tea")} == {1, 2}


@pytest.mark.parametrize("spec", [MemorySpec(tier="semantic", scope="user_id"), semantic_memory()])
def test_semantic_specs_are_lists_that_are_appended_to_and_searched(backend: Backend, spec: MemorySpec) -> None:
    slot = backend.slot("notes", spec, user_id="u-1")
    assert slot.get() == []

    slot.append({"note": "Prefers bonds."})

    assert slot.get() == [{"note": "Prefers bonds."}]
    assert [hit.item["note"] for hit in slot.search("bonds")] == ["Prefers bonds."]
