"""A tool that ran never loses its result: what is kept of it, in which form, and what stands for the rest."""

from __future__ import annotations

from collections import deque, namedtuple
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel

from workspace_memory import (
    Backend,
    InMemory,
    InvalidValueError,
    NoAnswerError,
    Scratchpad,
    SpecError,
    TooLargeError,
    scratchpad,
)
from workspace_memory.kept_results import kept
from workspace_memory.slot_limits import Limits
from workspace_memory.slot_values import SlotAddress, StoredSlot

Point = namedtuple("Point", "x y")  # one without types is a result as well


@dataclass
class Booking:
    """A result."""

    seat: str
    at: datetime


class Model(BaseModel):
    """Another."""

    total: Decimal
    tags: set[str]


class Colour(Enum):
    """One of a few."""

    RED = "red"


class Level(IntEnum):
    """A number with a name."""

    HIGH = 3


class Array:
    """What libraries of numbers have."""

    def tolist(self) -> list[Any]:
        return [1, float("nan")]


class Broken(dict[str, Any]):
    """An object whose own code fails."""

    def items(self) -> Any:
        raise RuntimeError("broken")


NOON = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
FORMS: list[tuple[Any, Any]] = [
    (None, None), (True, True), (5, 5), (1.5, 1.5), ("text", "text"),
    (float("nan"), "NaN"), (float("inf"), "Infinity"), (float("-inf"), "-Infinity"),
    (NOON, "2026-03-01T12:30:00+00:00"), (date(2026, 3, 1), "2026-03-01"), (time(8, 30), "08:30:00"),
    (timedelta(minutes=1.5), 90.0), (Decimal("10.50"), "10.50"), (UUID(int=5), str(UUID(int=5))),
    (PurePosixPath("a/b"), "a/b"), (b"\x00\xff", {"base64": "AP8="}), (bytearray(b"hi"), {"base64": "aGk="}),
    ({3, 1, 2}, [1, 2, 3]), (frozenset({"b", "a"}), ["a", "b"]), ((1, (2,)), [1, [2]]), (deque([1]), [1]),
    (range(3), [0, 1, 2]), (Point(1, b"a"), {"x": 1, "y": {"base64": "YQ=="}}), (Colour.RED, "red"), (Level.HIGH, 3),
    (Booking("4A", NOON), {"seat": "4A", "at": "2026-03-01T12:30:00+00:00"}),
    (Model(total=Decimal("1.10"), tags={"b", "a"}), {"total": "1.10", "tags": ["a", "b"]}),
    ([Model(total=Decimal(1), tags=set())], [{"total": "1", "tags": []}]),
    ({1: "a", None: "b", date(2026, 3, 1): "c", (1, 2): "d"}, {"1": "a", "null": "b", "2026-03-01": "c", "[1,2]": "d"}),
    ({1: "a", "1": "b"}, [["1", "a"], ["1", "b"]]), (Array(), [1, "NaN"]), ("\x1b[1mbold\x1b[0m\x00", "bold"),
    (iter([1]), {"not_kept": "An object of type list_iterator, which has no form in JSON."}),
    ({"a": object()}, {"a": {"not_kept": "An object of type object, which has no form in JSON."}}),
    (Booking, {"not_kept": "An object of type type, which has no form in JSON."}),
    (Broken(), {"not_kept": "An object of type Broken, which cannot be read (RuntimeError)."}),
    (10**5_000, {"not_kept": "A whole number with too many digits."}),
]  # fmt: skip


@pytest.fixture
def pad(backend: Backend) -> Scratchpad:
    return Scratchpad.open(backend, scratchpad(), run_id="r-1")


@pytest.mark.parametrize(("result", "form"), FORMS, ids=[type(value).__name__ for value, _ in FORMS])
def test_every_result_comes_back_and_is_kept_in_its_form(pad: Scratchpad, result: Any, form: Any) -> None:
    assert pad.call("tool", lambda: result, {}) is result
    assert pad.resolve("$ref:tool.1") == form


def test_a_cycle_ends_in_a_stub(pad: Scratchpad) -> None:
    result: dict[str, Any] = {"name": "a", "shared": [1]}
    result["self"], result["again"] = result, result["shared"]

    assert pad.call("tool", lambda: result, {}) is result
    stub = {"not_kept": "It holds itself: a cycle."}
    assert pad.resolve("$ref:tool.1") == {"name": "a", "shared": [1], "self": stub, "again": [1]}


@pytest.mark.parametrize("levels", [99, 100, 5_000])
def test_what_is_nested_too_deeply_ends_in_a_stub(pad: Scratchpad, levels: int) -> None:
    result: Any = []
    for _ in range(levels - 1):
        result = [result]

    assert pad.call("tool", lambda: result, {}) is result
    bottom = pad.resolve("$ref:tool.1")
    for _ in range(98):
        bottom = bottom[0]
    assert bottom == ([] if levels == 99 else [{"not_kept": "It is nested more than 99 levels deep."}])


BOMB: list[Any] = [0]
for _ in range(30):
    BOMB = [BOMB, BOMB]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("x" * 2_100_000, "may hold 2 MB, and this has 2.1"),
        ([0] * 10_001, "at most 10,000 items"),
        (BOMB, "at most 200,000 JSON values"),
    ],
    ids=["bytes", "items", "values"],
)
@pytest.mark.heavy
def test_a_result_that_is_too_large_is_a_stub(pad: Scratchpad, result: Any, said: str) -> None:
    assert pad.call("tool", lambda: result, {}, what="rows") is result

    assert said in pad.resolve("$ref:tool.1")["not_kept"]
    assert pad.lines.splitlines()[1].startswith("- $ref:tool.1 — not kept, too large: rows (")
    with pytest.raises(TooLargeError):
        pad.capture("tool", result)


def test_over_the_limit_of_the_spec_as_well(backend: Backend) -> None:
    pad = Scratchpad.open(backend, scratchpad(max_size_mb=0.001), run_id="r-1")

    assert pad.call("tool", lambda: "x" * 2_000, {}) == "x" * 2_000
    assert "may hold 0.001 MB" in pad.resolve("$ref:tool.1")["not_kept"]


class Failing(InMemory):
    """A backend that refuses values, or everything."""

    def __init__(self, error: Exception, *, everything: bool) -> None:
        super().__init__()
        self.error, self.everything = error, everything

    def write(self, address: SlotAddress, value: Any, limits: Limits) -> StoredSlot:
        raise self.error

    def append(self, address: SlotAddress, item: Any, limits: Limits) -> None:
        if self.everything:
            raise self.error
        super().append(address, item, limits)


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("error", [NoAnswerError("The server does not answer."), RuntimeError("a bug")])
def test_a_backend_that_fails_takes_no_result_away(error: Exception, everything: bool) -> None:
    pad = Scratchpad.open(Failing(error, everything=everything), scratchpad(), run_id="r-1")

    assert pad.call("book", lambda seat: {"seat": seat}, {"seat": "4A"}) == {"seat": "4A"}

    said = f'- book(seat="4A") — it ran, and its result is not kept: {error}'
    assert pad.lines.splitlines()[-1] == said
    if isinstance(error, NoAnswerError):
        assert len(pad.lines.splitlines()) == 2, "Nothing in the prompt names a value that is not there."
        with pytest.raises(NoAnswerError):
            pad.capture("book", 1)


def test_arguments_that_hold_themselves_are_refused_before_the_call(pad: Scratchpad) -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    deep: Any = "bottom"
    for _ in range(5_000):
        deep = [deep]

    for arguments in ({"x": cycle}, {"x": deep}):
        with pytest.raises(InvalidValueError, match="hold themselves, or are nested too deeply"):
            pad.call("tool", lambda **_: pytest.fail("was called"), arguments)


def test_arguments_of_any_kind_are_passed_on_and_described(pad: Scratchpad) -> None:
    arguments = {"at": NOON, "point": Point(1, "$ref:seed.1"), "keys": {(1, 2): {3}}}
    pad.capture("seed", 7)

    seen = pad.call("tool", lambda **given: [given], arguments)

    assert seen == [{"at": NOON, "point": Point(1, 7), "keys": {(1, 2): {3}}}]
    assert isinstance(seen[0]["point"], Point)
    assert 'tool(at="2026-03-01T12:30:00+00:00", point={"x": 1, "y": "$ref:seed.1"}' in pad.lines


@pytest.mark.parametrize("tool", ["a\nb", "x" * 190, "", 5, None])
def test_a_tool_without_a_name_for_its_result_is_not_called(pad: Scratchpad, tool: Any) -> None:
    with pytest.raises(SpecError):
        pad.call(tool, lambda: pytest.fail("was called"), {})


@pytest.mark.parametrize("arguments", [None, 5, {1: 2}, [("a", 1)]])
def test_arguments_without_names_are_refused_before_the_call(pad: Scratchpad, arguments: Any) -> None:
    with pytest.raises(InvalidValueError, match="by their names"):
        pad.call("tool", lambda **_: pytest.fail("was called"), arguments)


def test_a_form_fits_any_slot() -> None:
    assert [kept(kept(value)) for value, _ in FORMS] == [form for _, form in FORMS]
