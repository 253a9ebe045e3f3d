"""The block of a scratchpad stays below 2,000 tokens at any turn, and what shares a line in it can still be named."""

from __future__ import annotations

import string
from random import Random

import pytest

from bench.scratchpad import block_table, block_tokens
from core.text.tokens import count_tokens
from tests.rules.source import ROOT
from workspace_memory import Backend, InMemory, Scratchpad, UnknownReferenceError, scratchpad
from workspace_memory.prompt_block import HEAD, MAX_TOKENS, count_tokens_high, render_block
from workspace_memory.scratchpad_references import Entry

ALPHABETS = {
    "words": "abcdefghijklmnopqrstuvwxyz_. ",
    "letters": string.ascii_letters,
    "consonants": "QZXJVKWqzxjvkw",
    "code": string.ascii_letters + string.digits + string.punctuation,
    "Chinese": "".join(map(chr, range(0x4E00, 0x4F00))),
    "emoji": "".join(map(chr, range(0x1F300, 0x1F400))),
}


def entries_of(count: int, *, tools: int) -> list[Entry]:
    return [Entry(f"fetch{number % tools or ''}.{number}", f"page {number}", 15_000) for number in range(1, count + 1)]


def test_while_there_is_room_every_result_has_a_line_of_its_own() -> None:
    block = render_block(entries_of(20, tools=1), prefix="$ref:")

    assert block.splitlines() == [HEAD, *(f"- $ref:fetch.{n} — page {n} (15KB)" for n in range(1, 21))]


def test_older_results_share_a_line_and_inputs_and_the_newest_keep_theirs() -> None:
    entries = [Entry("input_portfolio.1", "object with AAPL", 40), *entries_of(300, tools=1)]

    head, portfolio, group, *newest = render_block(entries, prefix="$ref:").splitlines()

    first = 301 - len(newest)
    assert (head, portfolio) == (HEAD, "- $ref:input_portfolio.1 — object with AAPL (40B)")
    assert group == f"- $ref:fetch.1 … $ref:fetch.{first - 1} — {first - 1} results ({(first - 1) * 0.015:.1f}MB)"
    assert newest == [f"- $ref:fetch.{n} — page {n} (15KB)" for n in range(first, 301)]
    assert len(newest) >= 20


def test_numbers_that_a_tool_has_not_are_not_promised() -> None:
    (group,) = [
        line for line in render_block(entries_of(300, tools=3), prefix="$ref:").splitlines() if "fetch1.1 …" in line
    ]

    assert "$ref:fetch1.1 … $ref:fetch1." in group
    assert "results" in group
    listed = group.partition("numbered …, ")[2].split(", ")
    assert len(listed) == 8
    assert all(int(number) % 3 == 1 for number in listed)


def test_of_more_tools_than_lines_the_newest_names_are_listed_and_the_rest_is_counted() -> None:
    block = render_block(entries_of(300, tools=301), prefix="$ref:")

    (line,) = [line for line in block.splitlines() if "other tools" in line]
    count = int(line.split()[1])
    assert line.startswith(f"- {count} older results of {count} other tools (")
    assert "as $ref:<tool>.<number>: …, fetch" in line
    assert line.endswith(f"fetch{count}.{count}")


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("tools", [1, 4, 300])
def test_no_names_and_no_words_make_it_longer(alphabet: str, tools: int) -> None:
    random = Random(f"{alphabet} {tools}")

    def text(length: int) -> str:
        return "".join(random.choices(ALPHABETS[alphabet], k=length))

    names = [text(190) for _ in range(tools)]
    entries = [Entry(f"input_{text(100)}.1", text(120), 10**6) for _ in range(40)]
    entries += [Entry(f"{names[number % tools]}.{number}", text(120), 10**6) for number in range(1, 301)]
    unkept = [f"- {text(120)} — it ran, and its result is not kept: {text(120)}" for _ in range(60)]
    for count in range(1, len(entries) + 1, 17):
        block = render_block(entries[:count], prefix="$ref:", unkept=unkept)
        assert count_tokens(block) <= count_tokens_high(block) + 1 <= MAX_TOKENS + 1, (count, block[-300:])


def test_many_calls_without_a_kept_result_are_counted() -> None:
    unkept = [f"- call {number} — it ran, and its result is not kept: no answer" for number in range(300)]

    block = render_block(entries_of(300, tools=1), prefix="$ref:", unkept=unkept)

    assert block.splitlines()[-1] == unkept[-1]
    assert "earlier calls ran, with no result kept" in block


def test_what_shares_a_line_is_referred_to_as_before(backend: Backend) -> None:
    pad = Scratchpad.open(backend, scratchpad(), run_id="r-1")
    references = [pad.capture("market.fetch", {"page": page}, what="x" * 110) for page in range(1, 61)]

    assert "- $ref:market.fetch.1 … $ref:market.fetch." in pad.lines
    assert len(pad.lines.splitlines()) < 60
    assert pad.resolve(references[1]) == {"page": 2}
    assert pad.names == [f"market.fetch.{page}" for page in range(1, 61)]


def test_an_error_lists_the_names_near_the_one_that_there_is_not() -> None:
    pad = Scratchpad.open(InMemory(), scratchpad(), run_id="r-1")
    for number in range(300):
        pad.capture(f"tool_{number // 10}", number)

    with pytest.raises(UnknownReferenceError, match=r"tool_3\.1, .*tool_29\.10 and 280 more") as caught:
        pad.resolve("$ref:tool_3.99")
    assert count_tokens(str(caught.value)) < 300


@pytest.mark.heavy
def test_three_hundred_turns_are_bounded_as_the_page_says() -> None:
    grown = block_tokens()

    assert max(max(turns.values()) for turns in grown.values()) <= MAX_TOKENS
    assert block_table(grown) in (ROOT / "docs" / "why" / "scratchpad.md").read_text()
