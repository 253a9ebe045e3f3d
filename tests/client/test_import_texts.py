"""What Markdown and tables become: tags, dates and titles that they give themselves, and what has no place."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from workspace_memory.importing import comma_separated, front_matter, markdown
from workspace_memory.importing.front_matter import FrontMatter
from workspace_memory.importing.items import Item, MemoryItem, MessageItem, Skipped


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("block", "about"),
    [
        ("title: Ovens\ntags: [tea, 'two shops']", FrontMatter("Ovens", ("tea", "two shops"))),
        ("tags: tea, bread", FrontMatter(tags=("tea", "bread"))),
        ("tags:\n  - '#tea'\n  - bread\ncssclass: wide", FrontMatter(tags=("tea", "bread"), left=("cssclass",))),
        ("date: 2026-01-02\nupdated: 2026-01-03", FrontMatter(at=day(1, 2), changed_at=day(1, 3))),
        ("date: yesterday\nempty:\n# comment", FrontMatter(left=("date",))),
    ],
)
def test_front_matter_says_title_tags_and_dates(block: str, about: FrontMatter) -> None:
    assert front_matter.split(f"---\n{block}\n---\nText.") == (about, "Text.")


def test_a_rule_at_the_top_is_not_front_matter() -> None:
    assert front_matter.split("---\nText.") == (FrontMatter(), "---\nText.")


def test_markdown_takes_its_tags_and_reports_other_fields() -> None:
    items = list(markdown.sections("---\ntags: [tea]\ncssclass: wide\n---\n# Tea\n\nOn Mondays.", "a.md"))

    assert items == [
        MemoryItem("Tea\n\nOn Mondays.", ("a.md", "tea")),
        Skipped("a.md", "metadata", "Not kept: cssclass."),
    ]


CSV_CASES: list[tuple[str, list[Item]]] = [
    (
        "text,user_id,created_at,tags,shop\nTea.,alice,2026-01-02,tea;drinks,2\n",
        [MemoryItem("Tea.", ("csv", "tea", "drinks", "shop:2"), day(1, 2), space="user:alice")],
    ),
    (
        'memory;expires;importance\n"Tea;\non Mondays";2026-01-31;0.9\n\nx;;7\n',
        [
            MemoryItem("Tea;\non Mondays", ("csv",), expires_at=day(2, 1), importance=0.9),
            MemoryItem("x", ("csv",)),
            Skipped("x:5", "metadata", "Not kept: importance."),
        ],
    ),
    (
        "conversation,role,content,created_at,mood\nc-1,human,Hi.,2026-01-02,good\nc-1,ghost,Boo.,,\n",
        [
            MessageItem("csv/c-1", "2", "user", "Hi.", at=day(1, 2)),
            Skipped("x:2", "metadata", "Not kept: mood."),
            Skipped("x:3", "unknown_role", "Its role is neither user nor assistant, tool or system."),
        ],
    ),
    (
        "a,b\n1,2\n",
        [
            Skipped(
                "x:1",
                "no_columns",
                "The first row names no column for the text: content, memory, text, fact, statement, note, message.",
            )
        ],
    ),
    (
        "text\nTea.,7\n ,\n",
        [
            Skipped("x:2", "broken_csv", "The row has 2 fields, and the first row 1."),
            Skipped("x:3", "broken_csv", "The row has 2 fields, and the first row 1."),
        ],
    ),
    ("text,tags\n ,tea\n", [Skipped("x:2", "no_text", "It has no text.")]),
]


@pytest.mark.parametrize(("text", "items"), CSV_CASES)
def test_rows_of_a_table(text: str, items: list[Item]) -> None:
    assert list(comma_separated.rows(text, "x")) == items
