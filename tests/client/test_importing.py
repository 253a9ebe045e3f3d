"""Reading other products' exports: what is understood, what is skipped and why, and that nothing breaks a reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.client import exports
from workspace_memory.importing import (
    chatgpt,
    claude,
    claude_code,
    comma_separated,
    formats,
    graphiti,
    hindsight,
    letta,
    markdown,
    mcp_memory_service,
    mem0,
    memory_graph,
    partial_json,
)
from workspace_memory.importing.items import Item, Kept, MemoryItem, MessageItem, Skipped

Reader = Callable[[Any, str], Iterator[Item]]


def read_chatgpt(value: Any, where: str) -> Iterator[Item]:
    export = chatgpt.ChatGPTExport()
    yield from export.items(value, where)
    yield from export.rest()


def read_claude(value: Any, where: str) -> Iterator[Item]:
    yield from claude.ClaudeExport().items(value, where)


READERS: dict[str, tuple[Reader, list[Any]]] = {
    "chatgpt": (read_chatgpt, exports.CHATGPT_BROKEN),
    "claude": (read_claude, exports.CLAUDE_BROKEN),
    "mem0": (mem0.memories, exports.MEM0_BROKEN),
    "graphiti": (graphiti.items, exports.GRAPHITI_BROKEN),
    "letta": (letta.items, exports.LETTA_BROKEN),
    "hindsight": (hindsight.memories, exports.HINDSIGHT_BROKEN),
    "mcp-memory-service": (mcp_memory_service.memories, exports.MCP_MEMORY_SERVICE_BROKEN),
    "memory-graph": (memory_graph.items, exports.MEMORY_GRAPH_BROKEN),
}
NAMES = st.sampled_from(
    [
        *("mapping", "conversation_id", "message", "author", "role", "content", "parts", "uuid", "chat_messages"),
        *("sender", "memory", "results", "type", "text", "parent", "children", "current_node", "create_time"),
        *("metadata", "content_type", "user_profile", "model_set_context", "conversations_memory", "project_memories"),
        *("docs", "name", "user_id", "expiration_date", "relations", "source", "target", "relationship", "tags"),
        *("nodes", "edges", "episodes", "source_node_uuid", "target_node_uuid", "fact", "labels", "valid_at"),
        *("agents", "blocks", "messages", "label", "value", "tool_calls", "function", "arguments", "items", "state"),
        *("memories", "entities", "observations", "from", "to", "relationType", "created_at", "entityType", "summary"),
    ]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | NAMES, inner, max_size=4),
    max_leaves=12,
)


def test_chatgpt_follows_the_branch_that_was_kept() -> None:
    items = list(chatgpt.conversation(exports.CHATGPT_CONVERSATION, "x"))

    said = [item for item in items if isinstance(item, MessageItem)]
    assert [(item.key, item.role, item.content) for item in said] == [
        ("m-a", "user", "When is tea ordered?"),
        ("m-c", "assistant", "On Mondays."),
    ]
    assert {(item.conversation, item.title) for item in said} == {("chatgpt/c-1", "Tea")}
    assert said[1].at == datetime(2026, 1, 1, 8, 0, 2, 500_000, tzinfo=UTC)
    assert codes(items) == ["no_text", "other_branch"]


def test_chatgpt_without_a_current_node_follows_the_newest_leaf() -> None:
    value: dict[str, Any] = json.loads(exports.CHATGPT)[0]
    value["current_node"] = None
    value["mapping"]["c"]["children"] = []
    del value["mapping"]["d"]

    assert [item.key for item in chatgpt.conversation(value, "x") if isinstance(item, MessageItem)] == ["m-a", "m-c"]


def test_claude_is_read_with_its_blocks() -> None:
    items = list(claude.conversation(exports.CLAUDE_CONVERSATION, "x"))

    assert [(item.key, item.role, item.content) for item in items if isinstance(item, MessageItem)] == [
        ("m-1", "user", "How often is dough folded?"),
        ("m-2", "assistant", "Three times."),
    ]
    assert codes(items) == ["attachment", "no_text", "unknown_role"]


def test_claude_code_keeps_what_was_said_and_counts_the_rest() -> None:
    items = list(claude_code.session(exports.CLAUDE_CODE.split("\n"), "s-1.jsonl", session_id="s-1"))

    assert [
        (item.conversation, item.key, item.role, item.content) for item in items if isinstance(item, MessageItem)
    ] == [
        ("claude-code/s-1", "u-1", "user", "How hot is the oven?"),
        ("claude-code/s-1", "u-2", "assistant", "It runs 10 degrees hot."),
    ]
    assert [(item.code, item.why) for item in items if isinstance(item, Skipped)] == [
        ("no_message", "Lines: 1."),
        ("side_chain", "Lines: 1."),
        ("tool_or_thought", "Lines: 2."),
    ]


def test_mem0_keeps_whose_a_memory_is_and_when_it_was_made() -> None:
    items = list(mem0.memories(json.loads(exports.MEM0), "x"))

    assert [item for item in items if isinstance(item, MemoryItem)] == [
        MemoryItem(
            "Alice drinks tea.",
            ("mem0", "food drink"),
            datetime(2025, 3, 1, 16, 30, 0, 500_000, tzinfo=UTC),
            datetime(2025, 4, 1, tzinfo=UTC),
            space="user:alice",
        ),
        MemoryItem("Bob bakes.", ("mem0",)),
    ]
    assert codes(items) == ["no_memory"]


def test_markdown_becomes_sections_below_their_headings() -> None:
    items = list(markdown.sections(exports.MARKDOWN, "shops/ovens.md"))

    assert items == [
        MemoryItem("Ovens\n\nTwo shops.", ("shops/ovens.md",)),
        MemoryItem("Ovens › Second shop\n\nIt runs 10 degrees hot.\n\n```sh\n# no heading\n```", ("shops/ovens.md",)),
    ]


def test_a_long_section_is_taken_apart_between_paragraphs() -> None:
    text = "# Ovens\n\n" + "\n\n".join(["x" * 6_000] * 5 + ["y" * 20_000])

    items = list(markdown.sections(text, "a.md"))

    assert [len(item.content) for item in items if isinstance(item, MemoryItem)] == [12_009, 12_009, 6_007]
    assert codes(items) == ["too_long"]


@pytest.mark.parametrize("format", READERS)
def test_values_of_the_wrong_type_are_skipped_and_said_so(format: str) -> None:
    reader, values = READERS[format]
    for value in values:
        assert all(isinstance(item, Skipped) for item in reader(value, "x")), value


def test_broken_lines_of_a_session_keep_no_other_line_out() -> None:
    lines = [*exports.CLAUDE_CODE_BROKEN, *exports.CLAUDE_CODE.split("\n"), exports.CLAUDE_CODE[:90]]

    items = list(claude_code.session(lines, "s", session_id="s"))

    assert [item.key for item in items if isinstance(item, MessageItem)] == ["u-1", "u-2"]
    assert codes(items).count("broken_json") == 2


def test_a_huge_line_is_skipped_without_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partial_json, "MAX_CHARACTERS_OF_A_LINE", 1_000)

    items = list(claude_code.session(['"' + "x" * 2_000, *exports.CLAUDE_CODE.split("\n")], "s", session_id="s"))

    assert codes(items)[0] == "too_long"
    assert len([item for item in items if isinstance(item, MessageItem)]) == 2


@pytest.mark.parametrize("end", [1, 10, 200, -1, -2])
def test_a_file_that_is_cut_off_gives_what_is_whole(end: int) -> None:
    text = json.dumps([{"a": 1}, {"b": 2}, {"c": "x" * 300}])[: end or None]

    *whole, last = (value for _, value in partial_json.elements(text, "x"))

    assert whole == [{"a": 1}, {"b": 2}, {"c": "x" * 300}][: len(whole)]
    assert isinstance(last, Skipped)
    assert last.code in {"truncated", "broken_json"}


@given(value=json_values)
@pytest.mark.parametrize("format", READERS)
def test_no_value_breaks_a_reader(format: str, value: Any) -> None:
    for item in READERS[format][0](value, "x"):
        assert isinstance(item, Kept | Skipped)


@given(text=st.text(max_size=60))
def test_no_text_breaks_a_reader(text: str) -> None:
    list(partial_json.elements(text, "x"))
    list(markdown.sections(text, "x"))
    list(markdown.sections(f"---\n{text}\n---\n{text}", "x"))
    list(comma_separated.rows(text, "x"))
    list(comma_separated.rows(f"text,tags\n{text}", "x"))
    list(claude_code.session(text.split("\n"), "x", session_id="x"))


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("conversations.json", exports.CHATGPT, "chatgpt"),
        ("conversations.json", exports.CLAUDE, "claude"),
        ("s-1.jsonl", exports.CLAUDE_CODE, "claude-code"),
        ("export.json", exports.MEM0, "mem0"),
        ("ovens.md", exports.MARKDOWN, "markdown"),
        ("workspace.jsonl", '{"@kind":"manifest"}\n', "workspace"),
    ],
)
def test_a_format_is_told_by_what_is_there(tmp_path: Path, name: str, content: str, format: str) -> None:
    (tmp_path / name).write_text(content)

    assert formats.format_of(tmp_path / name) == format
    if format not in {"workspace", "mem0"}:
        assert formats.format_of(tmp_path) == format
    if format != "workspace":
        assert any(isinstance(item, MessageItem | MemoryItem) for item in formats.items_of(tmp_path, format))


def test_what_is_not_known_is_not_guessed_at(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"a": 1}')

    for path in (tmp_path, tmp_path / "x.json"):
        with pytest.raises(formats.UnknownExportError):
            formats.format_of(path)


def codes(items: list[Item]) -> list[str]:
    return [item.code for item in items if isinstance(item, Skipped)]
