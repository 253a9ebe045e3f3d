"""Fitting items into a budget: never over it, facts excepted, and nothing lost without being told."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.tokens import count_tokens
from memory.recall.budget import PROMISED, Assembled, Block, Item, assemble

EXAMPLES = settings.default.max_examples  # type: ignore[union-attr]  # 100, or fewer in a quick run
LINES = st.text(alphabet="abc defg\n•é漢😀[mem:0]-", min_size=1, max_size=120)
ITEMS = st.builds(Item, st.uuids().map(str), LINES, st.just("because"), st.floats(0, 1))
BLOCKS = st.lists(
    st.builds(
        Block,
        st.sampled_from(["episodes", "memories", "nodes", "patterns"]),
        st.just("A heading:"),
        st.lists(ITEMS, max_size=8),
    ),
    max_size=5,
)


def _assemble(blocks: list[Block], budget: int) -> Assembled:
    return assemble(blocks, budget=budget, count=count_tokens)


@settings(max_examples=10 * EXAMPLES)
@given(blocks=BLOCKS, budget=st.integers(0, 400))
def test_never_exceeds_the_budget(blocks: list[Block], budget: int) -> None:
    result = _assemble(blocks, budget)

    assert result.tokens_used == count_tokens(result.text) <= budget
    assert not result.is_over_budget


@settings(max_examples=2 * EXAMPLES)
@given(blocks=BLOCKS, facts=st.lists(ITEMS, max_size=8), budget=st.integers(0, 200))
def test_facts_are_always_complete(blocks: list[Block], facts: list[Item], budget: int) -> None:
    result = _assemble([Block("facts", "Facts:", facts, is_protected=True), *blocks], budget)

    kept = [item for block in result.blocks if block.name == "facts" for item in block.items]
    assert kept == facts
    assert result.is_over_budget == (result.tokens_used > budget)
    if result.is_over_budget:
        assert [block.name for block in result.blocks] == ["facts"]


@settings(max_examples=2 * EXAMPLES)
@given(blocks=BLOCKS, budget=st.integers(0, 400))
def test_every_item_is_in_or_dropped(blocks: list[Block], budget: int) -> None:
    result = _assemble(blocks, budget)

    given_items = sorted(item.id for block in blocks for item in block.items)
    kept = [item.id for block in result.blocks for item in block.items]
    assert sorted([*kept, *(each.item.id for each in result.dropped)]) == given_items


def test_the_best_come_first_and_are_read_in_order() -> None:
    lines = [Item(str(place), f"line number {place}", "because", score) for place, score in enumerate((0.2, 0.9, 0.5))]
    heading = count_tokens("Things:\n\n")
    two_lines = 2 * count_tokens("line number 1\n")

    result = _assemble([Block("memories", "Things:", lines)], heading + two_lines)

    assert result.text == "Things:\nline number 1\nline number 2"
    assert [each.item.id for each in result.dropped] == ["0"]


def test_room_goes_to_what_is_worth_most_of_whatever_block() -> None:
    many = [Item(f"m{place}", "some words that take room", "because", 0.1 + place / 100) for place in range(20)]
    other = Item("other", "one more line", "because", 0.9)
    count = count_tokens("some words that take room\n")

    result = _assemble([Block("memories", "M:", many), Block("messages", "S:", [other])], 16 + 3 * count)

    kept = {block.name: [item.id for item in block.items] for block in result.blocks}
    assert kept["messages"] == ["other"]
    assert kept["memories"] == [f"m{place}" for place in range(20 - len(kept["memories"]), 20)]


def test_what_is_promised_comes_before_what_is_worth_more() -> None:
    promised = [Item(f"e{place}", "an episode of some length", "recent", 0.01, tier=PROMISED) for place in range(3)]
    worth = [Item(f"m{place}", "a memory of some length", "because", 1.0) for place in range(9)]

    result = _assemble([Block("memories", "M:", worth), Block("episodes", "E:", promised)], 40)

    kept = {block.name: [item.id for item in block.items] for block in result.blocks}
    assert kept["episodes"] == ["e0", "e1", "e2"]
    assert 0 < len(kept["memories"]) < 9


def test_a_passage_says_its_date_once() -> None:
    def said(name: str, passage: str = "one") -> Item:
        return Item(name, f"  … {name}", "because", opening=f"- [msg:{name}] 2023-05-08 {name}", passage=passage)

    items = [said("first"), said("second"), said("third")]
    apart = [items[0], said("third", "two")]

    assert _assemble([Block("messages", "S:", items)], 100).text == (
        "S:\n- [msg:first] 2023-05-08 first\n  … second\n  … third"
    )
    assert _assemble([Block("messages", "S:", apart)], 100).text == (
        "S:\n- [msg:first] 2023-05-08 first\n- [msg:third] 2023-05-08 third"
    )


def test_a_gap_is_marked_where_what_stands_between_found_no_room() -> None:
    said = [("Where is the key?", 3, 0.9), ("I looked everywhere.", 4, 0.1), ("Behind the clock.", 5, 0.8)]
    items = [
        Item(text, f"  {text}", "found", score, opening=f"- {text}", passage="p", place=place)
        for text, place, score in said
    ]

    whole, cut = (assemble([Block("messages", "Said:", items)], budget=budget, count=len) for budget in (1_000, 60))

    assert "…" not in whole.text
    assert cut.text.splitlines()[1:] == ["- Where is the key?", "  … Behind the clock."]


def _exchange() -> list[Item]:
    def said(name: str, place: int, score: float) -> Item:
        return Item(name, f"  {name}", "found", score, opening=f"- Fri {name}", passage="p", place=place)

    asked = Item("q", "  … Where?", "asked", 0.1, opening="- Fri … Where?", passage="p", place=1)
    return [
        said("first", 0, 0.2),
        replace(said("q", 1, 0.1), line="  I looked. Where?"),
        replace(said("there", 2, 0.9), asked=asked),
    ]


def _read(items: list[Item], budget: int) -> tuple[list[str], list[str], list[str]]:
    result = assemble([Block("messages", "Said:", items)], budget=budget, count=len)
    kept = [item.id for block in result.blocks for item in block.items]
    return result.text.splitlines()[1:], kept, [each.item.id for each in result.dropped]


def test_a_reply_comes_in_with_its_question_and_not_without() -> None:
    _, _, there = items = _exchange()

    assert _read([there], 100) == (["- Fri … Where?", "  there"], ["q", "there"], [])
    assert _read([there], 28) == ([], [], ["there"])
    assert _read(items, 30) == (["- Fri … Where?", "  there"], ["q", "there"], ["first"])


def test_a_question_that_is_in_itself_is_not_said_again() -> None:
    whole = ["- Fri first", "  I looked. Where?", "  there"]

    assert _read(_exchange(), 100) == (whole, ["first", "q", "there"], [])
