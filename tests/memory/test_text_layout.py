"""What receipts keep of how their text was written, and how it is written again."""

from __future__ import annotations

from hashlib import sha256

import pytest

from memory.recall.budget import Block, Item, LineForm, assemble, write_block, write_text
from memory.recall.receipts.text_layout import KeptLine, describe_layout, read_layout

BLOCKS = [
    Block("facts", "Facts:", [Item("f1", "- Rye proves for 5 hours.", "", tier=0, parts={"since": "2026-01-02"})]),
    Block(
        "messages",
        "Said:",
        [
            Item("m1", "  one", "", opening="- [msg:m1] one", passage="p", place=1),
            Item("m2", "  two", "", opening="- [msg:m2] two", passage="p", place=2),
            Item("m5", "  five", "", opening="- [msg:m5] five", passage="p", place=5),
            Item("m9", "  nine", "", opening="- [msg:m9] nine", passage="q", place=9),
        ],
    ),
]


def test_a_text_is_written_again_from_versions_of_its_lines() -> None:
    context = assemble(BLOCKS, budget=1_000, count=len)
    ids = [item.id for block in context.blocks for item in block.items]
    items = {item.id: item for block in BLOCKS for item in block.items}

    kept = read_layout(describe_layout(context.blocks), ids)
    written = [
        write_block(
            block.heading,
            [
                line.find_version([("", "newer"), (items[line.id].opening, items[line.id].line)]) or "missing"
                for line in block.lines
            ],
        )
        for block in kept
    ]

    assert [line.form for line in kept[1].lines] == [
        LineForm.OPENING,
        LineForm.LINE,
        LineForm.BEHIND_GAP,
        LineForm.OPENING,
    ]
    assert kept[0].lines[0].parts == {"since": "2026-01-02"}
    assert write_text(written) == context.text


@pytest.mark.parametrize(
    ("versions", "found"),
    [
        ([("", "- now"), ("", "- then")], "- then"),
        ([("", "- now")], None),
        ([], None),
    ],
)
def test_only_the_version_with_its_digest_is_found(versions: list[tuple[str, str]], found: str | None) -> None:
    line = KeptLine("id", LineForm.LINE, sha256(b"- then").hexdigest()[:8], {})

    assert line.find_version(versions) == found


def test_nothing_of_a_line_is_kept_but_its_digest() -> None:
    kept = describe_layout(assemble(BLOCKS, budget=1_000, count=len).blocks)

    assert "Rye" not in str(kept)
    assert all(len(line["digest"]) == 8 for block in kept for line in block["lines"])
