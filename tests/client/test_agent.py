"""Agents of the SDK: a run has its scope, its slots and a scratchpad that captures by itself and goes with the run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.text.tokens import count_tokens
from tests.awaiting import awaited
from tests.cast import Cast
from tests.client.wiring import memory_of
from workspace_memory import (
    AgentContext,
    AsyncAgentContext,
    AsyncInMemory,
    Backend,
    InMemory,
    InvalidValueError,
    MemorySpec,
    NoAnswerError,
    Scratchpad,
    SpecError,
    ToolCall,
    UnknownReferenceError,
    UnknownToolError,
    agent,
    conversation_memory,
    load_specs,
    scratchpad,
    semantic_memory,
)
from workspace_memory.slot_limits import Limits
from workspace_memory.slot_values import SlotAddress, StoredSlot

PRICES = [{"day": day, "open": 100 + day} for day in range(1, 91)]
SPECS = """
memory:
  scratchpad: {tier: working, scope: [run_id], auto_capture: true, ttl: 1h}
  conversation: {tier: episodic, scope: user_id, type: list, ttl: 30d, max_items: 100}
"""


def fetch_prices(tickers: list[str], days: int = 90) -> list[dict[str, int]]:
    return PRICES


def total(prices: list[dict[str, int]]) -> int:
    return sum(price["open"] for price in prices)


def left_of(backend: Backend, run: str, **spec: Any) -> list[str]:
    """The names that are in the scratchpad of a run."""
    return Scratchpad.open(backend, scratchpad(**spec), run_id=run).names


def test_a_run_captures_its_calls_and_its_inputs_and_its_block_grows_with_each_turn(backend: Backend) -> None:
    @agent(memory=[scratchpad()])
    def analyst(ctx: AgentContext, tickers: list[str], days: int = 90) -> list[str]:
        fetch, compute = ctx.tool(fetch_prices, name="market.fetch_prices"), ctx.tool(total)
        blocks = [ctx.prompt_block()]
        assert fetch(tickers="$ref:input_tickers.1", days=days) == PRICES
        blocks.append(ctx.prompt_block())
        assert compute("$ref:market.fetch_prices.1") == total(PRICES)
        return [*blocks, ctx.prompt_block()]

    first, second, third = analyst.within(backend)(["AAPL"])

    assert (
        first == "Available scratchpad refs:\n- $ref:input_tickers.1 — 1 item (8B)\n- $ref:input_days.1 — number (2B)"
    )
    assert second.splitlines()[3:] == [
        '- $ref:market.fetch_prices.1 — market.fetch_prices(tickers="$ref:input_tickers.1", days=90) (2KB)'
    ]
    assert third.splitlines()[4:] == ['- $ref:total.2 — total(prices="$ref:market.fetch_prices.1") (5B)']


def test_the_model_calls_tools_by_their_names(backend: Backend) -> None:
    @agent(memory=[scratchpad()], tools=[fetch_prices])
    def analyst(ctx: AgentContext) -> Any:
        ctx.tool(total, name="compute.total")
        ctx.call("fetch_prices", **{"tickers": ["AAPL"]})
        with pytest.raises(UnknownToolError, match=r"'sell'.*fetch_prices, compute\.total"):
            ctx.call("sell")
        with pytest.raises(UnknownReferenceError, match=r"fetch_prices\.1"):
            ctx.call("compute.total", prices="$ref:nothing.1")
        return ctx.call("compute.total", prices="$ref:fetch_prices.1"), [call.tool for call in ctx.calls]

    assert analyst.within(backend)() == (total(PRICES), ["fetch_prices", "compute.total"])


def test_a_failed_call_is_counted_and_not_captured(backend: Backend) -> None:
    def flaky(page: int) -> int:
        if page == 1:
            raise TimeoutError("no")
        return page

    @agent(memory=[scratchpad()])
    def analyst(ctx: AgentContext) -> tuple[list[str], list[ToolCall]]:
        read = ctx.tool(flaky)
        ctx.prompt_block()
        with pytest.raises(TimeoutError):
            read(page=1)
        ctx.prompt_block()
        read(page=2)
        return ctx.scratchpad.names, ctx.calls

    names, calls = analyst.within(backend)()

    assert names == ["flaky.2"]
    assert calls == [ToolCall("flaky", 1, succeeded=False), ToolCall("flaky", 2, succeeded=True)]


def test_slots_are_those_of_the_scope_that_the_run_was_given(backend: Backend) -> None:
    declared = {
        "scratchpad": scratchpad(),
        "conversation": conversation_memory(),
        "notes": semantic_memory(scope=["user_id", "portfolio_id"]),
        "plan": MemorySpec(tier="session", scope=["session_id", "agent"]),
    }

    @agent(memory=declared, name="portfolio_analyst")
    def analyst(ctx: AgentContext, question: str) -> dict[str, Any]:
        ctx.memory("conversation").append({"asked": question})
        ctx.memory("plan").set({"step": 1})
        with pytest.raises(SpecError, match=r"no slot 'other'; it has conversation, notes, plan"):
            ctx.memory("other")
        return {name: ctx.memory(name).address.scope for name in ("conversation", "notes", "plan")}

    scopes = analyst.within(backend, user="u-1", session="s-1", portfolio_id="p-7")("why?")

    tenant = ("tenant_id", backend.tenant())
    assert scopes == {
        "conversation": (tenant, ("user_id", "u-1")),
        "notes": (tenant, ("user_id", "u-1"), ("portfolio_id", "p-7")),
        "plan": (tenant, ("session_id", "s-1"), ("agent", "portfolio_analyst")),
    }
    assert backend.slot("conversation", conversation_memory(), user_id="u-1").get() == [{"asked": "why?"}]
    assert backend.slot("conversation", conversation_memory(), user_id="u-2").get() == []


def test_nothing_runs_without_a_value_for_its_scope() -> None:
    @agent(memory=[scratchpad(), conversation_memory()])
    def analyst(ctx: AgentContext) -> None:
        pytest.fail("ran")

    with pytest.raises(SpecError, match="user_id"):
        analyst.within(InMemory())()
    with pytest.raises(SpecError, match=r"analyst\.within"):
        analyst()


@pytest.mark.parametrize("error", [None, RuntimeError("no"), KeyboardInterrupt()])
def test_its_scratchpad_goes_with_the_run_however_it_ends(backend: Backend, error: BaseException | None) -> None:
    @agent(memory=[scratchpad()], backend=backend)
    def analyst(ctx: AgentContext, days: int) -> str:
        ctx.tool(fetch_prices)(tickers=["AAPL"])
        assert left_of(backend, "r-1") == ["input_days.1", "fetch_prices.1"]
        if error:
            raise error
        return "done"

    if error is None:
        assert analyst.within(run="r-1")(days=90) == "done"
    else:
        with pytest.raises(type(error)):
            analyst.within(run="r-1")(days=90)
    assert left_of(backend, "r-1") == []


@pytest.mark.parametrize(
    ("spec", "scope"), [({"keep_after_run": True}, {"run_id": "r-1"}), ({"scope": "session_id"}, {"session_id": "s-1"})]
)
def test_a_scratchpad_that_says_so_or_is_not_of_one_run_stays(
    backend: Backend, spec: dict[str, Any], scope: dict[str, str]
) -> None:
    @agent(memory=[scratchpad(**spec)])
    def analyst(ctx: AgentContext) -> None:
        ctx.tool(fetch_prices)(tickers=["AAPL"])

    analyst.within(backend, run="r-1", session="s-1")()

    assert Scratchpad.open(backend, scratchpad(**spec), **scope).names == ["fetch_prices.1"]


def test_only_the_working_tier_can_be_kept_after_a_run() -> None:
    with pytest.raises(SpecError, match="keep_after_run belongs to the tier working"):
        semantic_memory(keep_after_run=True)
    with pytest.raises(SpecError, match="keep_after_run is 'yes': true or false"):
        scratchpad(keep_after_run="yes")


class Failing(InMemory):
    """A backend that stops answering."""

    is_down = False

    def read(self, address: SlotAddress) -> StoredSlot | None:
        self._check()
        return super().read(address)

    def append(self, address: SlotAddress, item: Any, limits: Limits) -> None:
        self._check()
        super().append(address, item, limits)

    def _check(self) -> None:
        if self.is_down:
            raise NoAnswerError("down")


def test_memory_that_goes_down_takes_neither_results_nor_the_answer(caplog: pytest.LogCaptureFixture) -> None:
    backend = Failing()

    @agent(memory=[scratchpad()], backend=backend)
    def analyst(ctx: AgentContext) -> tuple[Any, str]:
        backend.is_down = True
        return ctx.tool(fetch_prices)(tickers=["AAPL"]), ctx.prompt_block()

    result, block = analyst()

    assert result == PRICES
    assert "it ran, and its result is not kept: down" in block
    assert [record.getMessage() for record in caplog.records] == [
        "agent.scratchpad_not_read: NoAnswerError",
        "agent.scratchpad_not_cleared: NoAnswerError",
    ]


def test_an_error_of_the_agent_is_not_hidden_by_one_of_its_memory() -> None:
    backend = Failing()

    @agent(memory=[scratchpad()], backend=backend)
    def analyst(ctx: AgentContext) -> None:
        backend.is_down = True
        raise ValueError("its own")

    with pytest.raises(ValueError, match="its own"):
        analyst()


def test_an_agent_that_is_awaited_may_be_cancelled_and_has_tools_of_both_kinds() -> None:
    async def run() -> tuple[Any, list[str]]:
        backend, started = AsyncInMemory(), asyncio.Event()

        async def slow_fetch(tickers: list[str]) -> Any:
            await asyncio.sleep(0)
            return PRICES

        @agent(memory=[scratchpad(keep_after_run=False)], backend=backend, tools=[slow_fetch, total])
        async def analyst(ctx: AsyncAgentContext, ticker: str, *, waits: bool) -> Any:
            await ctx.call("slow_fetch", tickers=["$ref:input_ticker.1"])
            assert "$ref:slow_fetch.1" in await ctx.prompt_block()
            started.set()
            if waits:
                await asyncio.sleep(60)
            return await ctx.call("total", prices="$ref:slow_fetch.1")

        found = await analyst("AAPL", waits=False)
        started.clear()
        running = asyncio.create_task(analyst.within(run="r-1")("AAPL", waits=True))
        await started.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return found, [address.name for address in backend._kept]

    assert awaited(run()) == (total(PRICES), [])


def test_yaml_and_lists_of_names_declare_the_same() -> None:
    specs = load_specs(SPECS)
    backend = InMemory()

    def answer(ctx: AgentContext) -> list[str]:
        ctx.memory("conversation").append("hello")
        return sorted(ctx.specs)

    for declare in (agent(memory=specs), agent(memory=["conversation", "scratchpad"], specs=specs)):
        assert declare(answer).within(backend, user="u-1")() == ["conversation", "scratchpad"]
    assert agent(memory=[scratchpad(), conversation_memory()])(answer).within(backend, user="u")() == [
        "conversation",
        "scratchpad",
    ]


def _yields(ctx: AgentContext) -> Any:
    yield 1


@pytest.mark.parametrize(
    ("declare", "match"),
    [
        (lambda: agent(memory=["notes"], specs=load_specs(SPECS)), r"no spec 'notes' among: scratchpad, conversation"),
        (lambda: agent(memory=[scratchpad(), scratchpad()]), "Two specs are called 'scratchpad'"),
        (lambda: agent(memory="scratchpad"), "a list of specs or of names"),
        (lambda: agent(memory={"scratchpad": "1h"}), "scratchpad: a MemorySpec is expected"),  # type: ignore[dict-item]  # refused
        (lambda: agent()(Path), "or is a class"),  # type: ignore[arg-type]  # refused
        (lambda: agent()(_yields), "this yields"),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_declared(declare: Callable[[], Any], match: str) -> None:
    with pytest.raises(SpecError, match=match):
        declare()


def test_a_tool_is_called_by_the_names_of_its_arguments() -> None:
    def tool(a: int, *more: int, **named: int) -> int:
        return a + sum(named.values())

    @agent(memory=[scratchpad()], backend=InMemory())
    def analyst(ctx: AgentContext) -> int:
        wrapped = ctx.tool(tool)
        with pytest.raises(InvalidValueError, match="by their names"):
            wrapped(1, 2)
        with pytest.raises(InvalidValueError, match="by their names"):
            ctx.tool(len)([1])
        with pytest.raises(SpecError, match="Name the tool"):
            ctx.tool(partial(total, PRICES))
        answer: int = wrapped(1, b=2)
        return answer

    assert analyst() == 3


def test_without_a_scratchpad_tools_are_simply_called() -> None:
    @agent()
    def analyst(ctx: AgentContext) -> tuple[Any, str, list[ToolCall]]:
        with pytest.raises(SpecError, match="has no scratchpad"):
            _ = ctx.scratchpad
        return ctx.tool(total)(prices=PRICES), ctx.prompt_block(), ctx.calls

    assert analyst() == (total(PRICES), "", [ToolCall("total", 1, succeeded=True)])


def test_a_run_has_an_id_of_its_own_unless_it_is_given_one() -> None:
    @agent(memory=[scratchpad()], backend=InMemory())
    def analyst(ctx: AgentContext) -> str:
        return ctx.run_id

    assert analyst() != analyst()
    assert analyst.within(run="r-1")() == "r-1"


def test_three_hundred_turns_of_a_run_keep_the_block_below_two_thousand_tokens() -> None:
    @agent(memory=[scratchpad()], backend=InMemory())
    def analyst(ctx: AgentContext, question: str) -> int:
        largest = 0
        for turn in range(300):
            largest = max(largest, count_tokens(ctx.prompt_block()))
            ctx.tool(fetch_prices, name=f"market.region_{turn % 7}.fetch_prices")(tickers=[f"TICK{turn}"], days=90)
        assert ctx.call("market.region_0.fetch_prices", tickers="$ref:market.region_0.fetch_prices.1") == PRICES
        return largest

    assert 500 < analyst("which of these paid the most?") <= 2_000


@pytest.mark.django_db
def test_a_client_is_where_the_memory_of_an_agent_lives(cast: Cast) -> None:
    @agent(memory=[scratchpad(), conversation_memory()])
    def analyst(ctx: AgentContext) -> str:
        ctx.memory("conversation").append({"said": "hello"})
        return ctx.memory("conversation").address.scope[0][1]

    tenant = analyst.within(memory_of(cast.acme), user="u-1")()

    assert tenant == str(cast.acme.workspace.id)
    assert memory_of(cast.umbrella).slots.slot("conversation", conversation_memory(), user_id="u-1").get() == []
