"""What may be in a context: each text once, and no text is dear to compare."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.english.sentence_choice import word_pattern
from core.text.transcripts import strip_secrets
from memory.recall.budget import OVER_BUDGET, PROMISED, Block, Item
from memory.recall.prompt_format import MESSAGE_CHARACTERS, READ_CHARACTERS, message_lines
from memory.recall.provenance import Provenance, SourceClass
from memory.recall.quotation import Quotation
from memory.recall.selection import COMPARED, LOW_CONFIDENCE, REPEATED, Floor, comparable, select


def _item(name: str, text: str, confidence: float | None = 0.5) -> Item:
    return Item(name, text, "because", confidence=confidence, words=comparable(text))


@pytest.mark.parametrize(
    ("first", "second", "is_repeated"),
    [
        ("The kiln fires at nine.", "the  KILN fires\nat nine.", True),
        ("The kiln fires at nine on Mondays.", "Mara: The kiln fires at nine on Mondays.", True),
        ("The kiln fires at nine.", "The kiln fires at nine. And many other things were said then.", False),
        ("The kiln fires at nine.", "The kiln fires at ten.", False),
    ],
)
def test_the_same_words_are_in_once(first: str, second: str, *, is_repeated: bool) -> None:
    blocks = [Block("messages", "S:", [_item("b", second)]), Block("memories", "M:", [_item("a", first)])]

    kept, dropped = select(blocks, floor=Floor(0))

    assert [(each.item.id, each.reason) for each in dropped] == ([("b", REPEATED)] if is_repeated else [])
    assert [item.id for block in kept for item in block.items] == (["a"] if is_repeated else ["b", "a"])


def test_what_is_improbable_is_left_out_unless_it_is_promised_or_protected() -> None:
    blocks = [
        Block("facts", "F:", [_item("fact", "One.", None)], is_protected=True),
        Block("messages", "S:", [_item("unlikely", "Two.", 0.01), _item("likely", "Three.", 0.02)]),
    ]

    kept, dropped = select(blocks, floor=Floor(0.02))

    assert [(each.item.id, each.reason) for each in dropped] == [("unlikely", LOW_CONFIDENCE)]
    assert [item.id for block in kept for item in block.items] == ["fact", "likely"]


def test_facts_and_what_is_promised_are_never_left_out() -> None:
    same = "The kiln fires at nine."
    promised = Item("node", same, "named", tier=PROMISED, confidence=0.0, words=comparable(same))
    blocks = [
        Block("facts", "F:", [_item("one", same, None), _item("two", same, None)], is_protected=True),
        Block("nodes", "N:", [promised, _item("found", same)]),
    ]

    kept, dropped = select(blocks, floor=Floor(0.5))

    assert [item.id for block in kept for item in block.items] == ["one", "two", "node"]
    assert [(each.item.id, each.reason) for each in dropped] == [("found", REPEATED)]


def test_what_is_left_out_itself_leaves_its_words_to_others() -> None:
    same = "The kiln fires at nine."
    blocks = [Block("memories", "M:", [_item("a", same, 0.1)]), Block("messages", "S:", [_item("b", same, 0.9)])]

    kept, dropped = select(blocks, floor=Floor(0.5))

    assert [item.id for block in kept for item in block.items] == ["b"]
    assert [(each.item.id, each.reason) for each in dropped] == [("a", LOW_CONFIDENCE)]


def test_long_texts_are_compared_whole_and_cost_little() -> None:
    text = "zebra " * 5_000

    assert len(comparable(text)) < COMPARED + 100
    assert comparable(text) == comparable(text)
    assert comparable(text) != comparable(text + "and a stork")
    assert comparable("\ud800" * 700)


def test_of_a_long_message_the_beginning_is_read_and_no_half_line(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def strip(text: str) -> str:
        read.append(text)
        return strip_secrets(text)

    monkeypatch.setattr("memory.recall.prompt_format.strip_secrets", strip)
    content = "First.\n" + "x" * (READ_CHARACTERS - 30) + "\npassword: hunter2-Tr0ub4dor-and-more\n" + "y" * 90_000
    said = SimpleNamespace(
        id="1", role="user", name="Ben", content=content, created_at=datetime(2023, 5, 8, tzinfo=UTC)
    )

    opening, line = message_lines(cast(Any, said), Provenance(SourceClass.AGENT, "desk (API key)"))

    assert opening.startswith("- [msg:1] Mon 2023-05-08 (agent desk) user Ben: First.")
    assert len(line) < MESSAGE_CHARACTERS + 40
    assert [len(text) <= READ_CHARACTERS for text in read] == [True]
    assert "hunter2" not in read[0]


def test_of_a_long_answer_what_bears_on_the_query_is_quoted_and_no_secret() -> None:
    filler = "Then it went on for a while. " * 30
    content = (
        f"Hello!\n{filler}\nThe mill is in Voss.\npassword: hunter2-Tr0ub4dor-and-more is that of the mill\n{filler}"
    )
    said = SimpleNamespace(
        id="1", role="assistant", name="", content=content, created_at=datetime(2023, 5, 8, tzinfo=UTC)
    )

    kept = Quotation.of_query("Where is the mill?", characters=MESSAGE_CHARACTERS).describe(cast(Any, said))
    opening, line = message_lines(cast(Any, said), Provenance(SourceClass.AGENT, "desk (API key)"), **kept)

    assert "… The mill is in Voss. …" in line
    assert opening.endswith(line.strip())
    assert "hunter2" not in line


@pytest.mark.parametrize(("role", "length"), [("user", 2_000), ("assistant", 300)])
def test_other_messages_are_quoted_by_their_beginnings(role: str, length: int) -> None:
    said = SimpleNamespace(role=role, content="The mill. " * (length // 10))

    kept = Quotation.of_query("Where is the mill?", characters=MESSAGE_CHARACTERS).describe(cast(Any, said))

    assert kept == {"characters": MESSAGE_CHARACTERS}


def test_what_cannot_find_room_is_over_budget_without_being_written() -> None:
    unwritten = Item("2", "", "found", 0.4, confidence=0.4)
    block = Block("messages", "Said:", [Item("1", "- one", "found", 0.5, confidence=0.5), unwritten])

    [kept], dropped = select([block], floor=Floor(0.1))

    assert [item.id for item in kept.items] == ["1"]
    assert [(each.item.id, each.reason) for each in dropped] == [("2", OVER_BUDGET)]


@pytest.mark.parametrize(("confidences", "min_confidence", "is_spread", "kept"), [
    ([0.9, 0.01, 0.007], 0.001, False, [0.9, 0.01]),  # less than 0.008 of the best
    ([0.9, 0.005, 0.004], 0.001, True, [0.9, 0.005]),  # of a list or an order less than 0.005 of it
    ([0.1, 0.002, 0.0009], 0.001, False, [0.1, 0.002]),
    ([0.9, 0.01, 0.0], 0.0, False, [0.9, 0.01, 0.0]),  # 0 lets everything in
])  # fmt: skip
def test_what_is_far_less_probable_than_the_best_is_left_out(
    confidences: list[float], min_confidence: float, is_spread: bool, kept: list[float]
) -> None:
    items = [_item(str(each), f"Text {each}.", each) for each in confidences]

    [block], dropped = select([Block("messages", "M:", items)], floor=Floor(min_confidence, is_spread))

    assert [item.confidence for item in block.items] == kept
    assert {each.reason for each in dropped} <= {LOW_CONFIDENCE}


def test_statements_lie_closer_to_each_other_so_that_more_of_them_is_left_out() -> None:
    statements = [_item("s1", "One.", 0.5), _item("s2", "Two.", 0.026), _item("s3", "Three.", 0.024)]
    messages = [_item("m1", "Four.", 0.9), _item("m2", "Five.", 0.008), _item("m3", "Six.", 0.007)]
    blocks = [Block("statements", "K:", statements), Block("messages", "S:", messages)]

    kept, dropped = select(blocks, floor=Floor(0.001))

    assert [item.id for block in kept for item in block.items] == ["s1", "s2", "m1", "m2"]
    assert {each.reason for each in dropped} == {LOW_CONFIDENCE}


def test_memories_that_were_drawn_are_compared_with_the_best_statement() -> None:
    blocks = [
        Block("statements", "K:", [_item("s", "One.", 0.5)]),
        Block(
            "memories",
            "M:",
            [
                replace(_item("m1", "Two.", 0.026), source=SourceClass.EXTRACTION),
                replace(_item("m2", "Three.", 0.024), source=SourceClass.EXTRACTION),
                replace(_item("note", "Four.", 0.024), source=SourceClass.AGENT),
            ],
        ),
    ]

    kept, _ = select(blocks, floor=Floor(0.001))

    assert [item.id for block in kept for item in block.items] == ["s", "m1", "note"]


@pytest.mark.parametrize(
    ("block", "confidence", "is_guidance", "stays"),
    [
        ("messages", 0.05, False, False),
        ("statements", 0.05, False, False),
        ("statements", 0.05, True, True),  # an instruction may apply and says nothing of what is asked
        ("messages", 0.01, False, True),
        ("nodes", 0.9, False, True),
    ],
)
def test_the_nearest_of_few_counts_where_nothing_that_was_said_tells(
    block: str, confidence: float, *, is_guidance: bool, stays: bool
) -> None:
    said = replace(_item("said", "The kiln is hot.", confidence), is_guidance=is_guidance)
    nearest = replace(_item("nearest", "Ana has a cat.", 0.25), is_of_nearest=True, source=SourceClass.EXTRACTION)
    pinned = replace(nearest, id="pinned", tier=PROMISED, words="ana rows.")
    note = replace(nearest, id="note", source=SourceClass.AGENT, words="ana swims.")

    kept, dropped = select(
        [Block(block, "S:", [said]), Block("memories", "M:", [nearest, pinned, note])], floor=Floor(0.001)
    )

    assert [item.id for item in kept[1].items] == (["nearest"] if stays else []) + ["pinned", "note"]
    assert [(each.item.id, each.reason) for each in dropped] == ([] if stays else [("nearest", LOW_CONFIDENCE)])


def test_where_there_is_more_room_less_is_left_out() -> None:
    assert Floor(0.001, tokens=1_000).least([1.0, 0.1]) == pytest.approx(0.008)
    assert Floor(0.001, tokens=4_096).least([1.0, 0.1]) == pytest.approx(0.004)
    assert Floor(0.001, tokens=1_024).least_of_statements([1.0]) == pytest.approx(0.05)
    assert Floor(0.001, tokens=4_096).least_of_statements([1.0]) == pytest.approx(0.0125)
    assert Floor(0.02, tokens=4_096).least([1.0, None]) == pytest.approx(0.02)


def test_words_that_must_be_shared_are_in_each_item_or_in_the_question_that_it_answers() -> None:
    asked = _item("4", "Do you bake rye?")
    items = [_item("1", "Rye is dark."), _item("2", "Spelt is light."), replace(_item("3", "Yes."), asked=asked)]

    [block], dropped = select([Block("messages", "M:", items)], floor=Floor(0.1), shared=word_pattern(["rye"]))

    assert [item.id for item in block.items] == ["1", "3"]
    assert [(each.item.id, each.reason) for each in dropped] == [("2", LOW_CONFIDENCE)]
