"""What a scratchpad saves: an agent loop of 50 steps, replayed with and without one, counted with the tokenizer; and
how large its block becomes in 300 steps.

Nothing is measured but tokens: the loop, its tools and their answers of 15 KB are made up, and the same every time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.text.tokens import count_tokens
from workspace_memory import InMemory, Scratchpad, scratchpad

STEPS, LONG_STEPS = 50, 300
BYTES_OF_A_RESULT = 15_000
# The product's own default: the number of messages of a conversation that go into the next prompt.
RECENT = 20
INSTRUCTIONS = (
    "You are a portfolio analyst. Work through the portfolio position by position: fetch prices, compute figures, and "
    "compare them with the benchmark. Pass earlier results to tools by their reference, such as "
    '{"prices": "$ref:market.fetch_prices.1"}; never repeat data. Cite memories as [mem:<id>].'
)
TOOLS = ("market.fetch_prices", "market.fetch_dividends", "research.fetch_notes", "compute.performance")


WORDS = (
    "fetch_prices(ticker='AAPL', days=90, currency='EUR'): closing prices of the last quarter, adjusted, for portfolio"
)
# Loops whose block is counted: the tool of a step, by how it is named.
LONG_LOOPS: Mapping[str, Callable[[int], str]] = {
    "one tool": lambda number: "market.fetch_prices",
    "four tools": lambda number: TOOLS[number % len(TOOLS)],
    "300 tools": lambda number: f"market.region_{number:03}.fetch_prices",
    "300 tools with names of 180 characters": lambda number: f"{'enterprise_gateway.' * 9}read_{number:03}".ljust(
        180, "x"
    ),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the loop: the model calls a tool, the tool answers."""

    tool: str
    arguments: dict[str, Any]
    what: str
    result: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Turn:
    """The tokens of the prompt of one turn, without and with the scratchpad."""

    number: int
    without: int
    with_pad: int


def replay() -> list[Turn]:
    """Every turn of the loop, both ways."""
    pad = Scratchpad.open(InMemory(), scratchpad(), run_id="bench")
    spoken: list[str] = []
    short: list[str] = []
    turns = []
    for number, step in enumerate(_steps(), start=1):
        turns.append(Turn(number, _tokens("", spoken), _tokens(pad.lines, short[-RECENT:])))
        call = json.dumps({"tool": step.tool, "arguments": step.arguments})
        spoken += [call, json.dumps(step.result)]
        pad.turn = number
        pad.call(step.tool, _answering(step), step.arguments, what=step.what)
        short += [call, f"Kept as $ref:{step.tool}.{number}."]
    return turns


def table(turns: list[Turn]) -> str:
    """Rows for the documentation: the first turn and every tenth."""
    shown = [turn for turn in turns if turn.number in {1, 2} or turn.number % 10 == 0]
    rows = [f"| {turn.number} | {turn.without:,} | {turn.with_pad:,} |" for turn in shown]
    total = f"| all {len(turns)} | {sum(t.without for t in turns):,} | {sum(t.with_pad for t in turns):,} |"
    return "\n".join(["| turn | without | with |", "|---|---|---|", *rows, total])


def block_tokens() -> dict[str, dict[int, int]]:
    """The tokens of the scratchpad's block at every tenth turn of each long loop, with words of 120 characters."""
    return {name: _growth(tool_of) for name, tool_of in LONG_LOOPS.items()}


def block_table(grown: Mapping[str, Mapping[int, int]]) -> str:
    """Rows for the documentation: a loop each, its block at some turns and at its largest."""
    shown = (10, 50, 100, 200, 300)
    rows = [
        f"| {name} | {' | '.join(f'{turns[turn]:,}' for turn in shown)} | {max(turns.values()):,} |"
        for name, turns in grown.items()
    ]
    heads = f"| loop | {' | '.join(f'turn {turn}' for turn in shown)} | largest |"
    return "\n".join([heads, f"|{'---|' * (len(shown) + 2)}", *rows])


def _growth(tool_of: Callable[[int], str]) -> dict[int, int]:
    pad = Scratchpad.open(InMemory(), scratchpad(), run_id="bench")
    pad.seed(portfolio={"AAPL": 5}, days=90)
    tokens = {}
    for number in range(1, LONG_STEPS + 1):
        pad.turn = number
        pad.capture(tool_of(number), "x" * 500, what=f"{WORDS} {number:03}")
        if number % 10 == 0:
            tokens[number] = count_tokens(pad.lines)
    return tokens


def _steps() -> Iterator[Step]:
    for number in range(1, STEPS + 1):
        tool, ticker = TOOLS[number % len(TOOLS)], f"TICK{number:02}"
        earlier = f"$ref:{TOOLS[(number - 1) % len(TOOLS)]}.{number - 1}" if number > 1 else None
        arguments = {"ticker": ticker, "days": 90, **({"compare_with": earlier} if earlier else {})}
        yield Step(tool, arguments, f"{tool.rpartition('.')[2]} of {ticker}, 90 days", _result(number))


def _result(seed: int) -> list[dict[str, Any]]:
    """Rows of figures, 15 KB of them."""
    rows: list[dict[str, Any]] = []
    while len(json.dumps(rows)) < BYTES_OF_A_RESULT:
        day = len(rows) + 1
        price = 100 + (seed * 7 + day * 13) % 50
        rows.append(
            {"day": day, "open": price, "high": price + 2.5, "low": price - 1.75, "volume": price * 1_009 * day}
        )
    return rows


def _answering(step: Step) -> Any:
    def tool(**arguments: Any) -> list[dict[str, Any]]:
        assert not str(arguments.get("compare_with", "")).startswith("$ref:")  # noqa: S101  # real data, not its name
        return step.result

    return tool


def _tokens(block: str, messages: list[str]) -> int:
    return count_tokens("\n\n".join([INSTRUCTIONS, block, *messages]))


if __name__ == "__main__":
    print(table(replay()))
    print(block_table(block_tokens()))
