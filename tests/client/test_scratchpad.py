"""Results of tool calls by name: captured, told in one line each, and put in where a call refers to them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bench.scratchpad import replay, table
from tests.awaiting import awaited
from tests.rules.source import ROOT
from workspace_memory import (
    AsyncInMemory,
    AsyncScratchpad,
    Backend,
    InMemory,
    Scratchpad,
    SpecError,
    TooLargeError,
    UnknownReferenceError,
    scratchpad,
    semantic_memory,
)
from workspace_memory.scratchpad_references import shown_size
from workspace_memory.slot_limits import Limits
from workspace_memory.slot_values import SlotAddress, StoredSlot

PRICES = [{"date": f"2026-01-{day:02}", "open": 100 + day, "close": 101 + day} for day in range(1, 29)]


@pytest.fixture
def pad(backend: Backend) -> Scratchpad:
    return Scratchpad.open(backend, scratchpad(), run_id="r-1")


def fetch(tickers: list[str], days: int) -> Any:
    """A tool."""
    return PRICES


def test_a_successful_call_is_captured_and_told_in_one_line(pad: Scratchpad) -> None:
    assert pad.lines == ""

    result = pad.call("market.fetch", fetch, {"tickers": ["AAPL"], "days": 90}, what="OHLC for [AAPL]")

    assert result == PRICES
    assert pad.lines == "Available scratchpad refs:\n- $ref:market.fetch.1 — OHLC for [AAPL] (1KB)"


def test_without_words_the_call_itself_is_told_and_never_the_result(pad: Scratchpad) -> None:
    pad.call("market.fetch", fetch, {"tickers": ["AAPL"], "days": 90})
    pad.capture("rows", PRICES)

    assert pad.lines.splitlines()[1:] == [
        '- $ref:market.fetch.1 — market.fetch(tickers=["AAPL"], days=90) (1KB)',
        "- $ref:rows.1 — 28 items, each an object with date, open, close (1KB)",
    ]


def test_references_are_resolved_at_any_depth_before_the_call(pad: Scratchpad) -> None:
    reference = pad.capture("market.fetch", PRICES)
    seen: dict[str, Any] = {}

    def tool(**arguments: Any) -> str:
        seen.update(arguments)
        return "done"

    given = {"a": reference, "b": {"c": [reference, {"d": reference}], "e": "see $ref:market.fetch.1"}, "f": 1}
    pad.call("compute", tool, given)

    assert seen == {"a": PRICES, "b": {"c": [PRICES, {"d": PRICES}], "e": "see $ref:market.fetch.1"}, "f": 1}
    assert given["a"] == reference


def test_a_reference_inside_a_result_stays_text(pad: Scratchpad) -> None:
    secret = pad.capture("vault.read", "a secret")
    answer = pad.capture("web.fetch", {"text": secret})

    assert pad.resolve({"page": answer}) == {"page": {"text": secret}}


def test_an_unknown_reference_stops_the_call_and_says_what_there_is(pad: Scratchpad) -> None:
    pad.capture("market.fetch", PRICES)

    with pytest.raises(UnknownReferenceError, match=r"\$ref:nothing\.1.*market\.fetch\.1"):
        pad.call("tool", lambda **_: pytest.fail("was called"), {"x": ["$ref:nothing.1"]})


def test_a_failed_call_leaves_nothing(pad: Scratchpad) -> None:
    def tool() -> None:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        pad.call("tool", tool, {})

    assert pad.lines == ""


def test_what_a_terminal_says_in_colour_is_kept_as_text(pad: Scratchpad) -> None:
    said = {"out": ["\x1b[1;31mred\x1b[0m\tand\r\n\x07plain\x00\ud83d"]}

    assert pad.call("shell", lambda: said, {}) == said
    assert pad.resolve("$ref:shell.1") == {"out": ["red\tand\r\nplain"]}


def test_turns_number_the_calls(pad: Scratchpad) -> None:
    first, second = pad.capture("t", 1), pad.capture("t", 2)
    pad.next_turn()
    pad.next_turn()
    third = pad.capture("t", 3)

    assert [first, second, third] == ["$ref:t.1", "$ref:t.2", "$ref:t.3"]
    assert pad.resolve([first, second, third]) == [1, 2, 3]


def test_inputs_are_seeded(pad: Scratchpad) -> None:
    pad.next_turn()
    pad.seed(portfolio={"AAPL": 5}, days=90)

    assert pad.resolve({"p": "$ref:input_portfolio.1", "d": "$ref:input_days.1"}) == {"p": {"AAPL": 5}, "d": 90}


def test_another_process_goes_on_with_the_run_and_no_other_run_sees_it(backend: Backend, pad: Scratchpad) -> None:
    reference = pad.capture("market.fetch", PRICES, what="prices")

    same = Scratchpad.open(backend, scratchpad(), run_id="r-1")
    other = Scratchpad.open(backend, scratchpad(), run_id="r-2")

    assert (same.lines, same.resolve(reference)) == (pad.lines, PRICES)
    with pytest.raises(UnknownReferenceError):
        other.resolve(reference)


def test_clearing_leaves_nothing(backend: Backend, pad: Scratchpad) -> None:
    pad.capture("market.fetch", PRICES)
    pad.clear()

    assert (pad.lines, Scratchpad.open(backend, scratchpad(), run_id="r-1").lines) == ("", "")


def test_over_its_limits_the_oldest_go_and_what_alone_is_too_large_is_refused(backend: Backend) -> None:
    few = Scratchpad.open(backend, scratchpad(max_items=2), run_id="few")
    for number in range(4):
        few.capture(f"t{number}", number)
    small = Scratchpad.open(backend, scratchpad(max_size_mb=0.001), run_id="small")
    small.capture("a", "x" * 600)
    small.capture("b", "x" * 600)

    assert [line.split(" — ")[0] for line in few.lines.splitlines()[1:]] == ["- $ref:t2.1", "- $ref:t3.1"]
    assert [line.split(" — ")[0] for line in small.lines.splitlines()[1:]] == ["- $ref:b.1"]
    with pytest.raises(TooLargeError):
        small.capture("c", "x" * 1_000)


def test_the_syntax_of_references_can_be_chosen_and_capture_left_to_the_caller() -> None:
    pad = Scratchpad.open(InMemory(), scratchpad(reference_syntax="@", auto_capture=False), run_id="r")

    assert pad.call("t", lambda: 5, {}) == 5
    assert pad.lines == ""
    assert pad.resolve([pad.capture("t", 5), "$ref:t.1"]) == [5, "$ref:t.1"]


def test_only_the_working_tier_is_a_scratchpad() -> None:
    with pytest.raises(SpecError):
        Scratchpad.open(InMemory(), semantic_memory(), user_id="u")


@pytest.mark.parametrize(("size", "shown"), [(0, "0B"), (999, "999B"), (15_360, "15KB"), (1_234_567, "1.2MB")])
def test_sizes_as_people_write_them(size: int, shown: str) -> None:
    assert shown_size(size) == shown


def test_tools_that_are_awaited() -> None:
    async def tool(x: Any) -> Any:
        return x

    async def work() -> None:
        pad = await AsyncScratchpad.open(AsyncInMemory(), scratchpad(), run_id="r")
        await pad.seed(days=90)
        assert await pad.call("echo", tool, {"x": ["$ref:input_days.1"]}) == [90]
        assert await pad.call("plain", lambda x: x, {"x": "$ref:echo.1"}) == [90]

    awaited(work())


@pytest.mark.heavy
def test_fifty_steps_stay_flat_with_it_and_grow_without() -> None:
    turns = replay()

    assert len(turns) == 50
    assert max(turn.with_pad for turn in turns) <= 7_500
    assert turns[-1].without > 40 * turns[1].without
    assert table(turns) in (ROOT / "docs" / "why" / "scratchpad.md").read_text()


class Slow(AsyncInMemory):
    """A backend whose every writing lets others go on, as one over the network does."""

    async def write(self, address: SlotAddress, value: Any, limits: Limits) -> StoredSlot:
        await asyncio.sleep(0)
        return await super().write(address, value, limits)


def test_tools_of_one_turn_may_answer_together() -> None:
    async def together() -> tuple[AsyncScratchpad, AsyncScratchpad]:
        slots = Slow()
        pad = await AsyncScratchpad.open(slots, scratchpad(), run_id="r-1")
        await asyncio.gather(*(pad.call("double", lambda n: {"twice": 2 * n}, {"n": n}) for n in range(3)))
        assert [await pad.resolve(f"$ref:double.{n}") for n in (1, 2, 3)] == [{"twice": n} for n in (0, 2, 4)]
        return pad, await AsyncScratchpad.open(slots, scratchpad(), run_id="r-1")

    pad, reopened = awaited(together())

    assert pad.lines.count("double.") == 3
    assert reopened.lines == pad.lines
