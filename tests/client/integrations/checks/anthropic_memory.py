"""The memory tool of the Anthropic SDK, compared with the one for local files that the SDK brings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
from checks.households import outsider, wait_for

from workspace_memory import Memory
from workspace_memory.integrations.anthropic import AsyncWorkspaceMemoryTool, WorkspaceMemoryTool

A, B = "/memories/people.md", "/memories/shop/oven.md"
COMMANDS: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": A, "file_text": "# People\n\nMara is allergic to nuts.\nBob bakes.\n"},
    {"command": "create", "path": A, "file_text": "again"},
    {"command": "create", "path": B, "file_text": "The oven runs hot."},
    {"command": "create", "path": "/memories/same.md", "file_text": "The oven runs hot."},
    {"command": "create", "path": "/memories/a/b/c/deep.md", "file_text": "Deep.\n\n\n"},
    {"command": "create", "path": "/memories/.hidden", "file_text": "x"},
    {"command": "create", "path": "/etc/passwd", "file_text": "x"},
    {"command": "create", "path": "/memories/../etc/passwd", "file_text": "x"},
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": "/memories/shop"},
    {"command": "view", "path": A},
    {"command": "view", "path": A, "view_range": [3, 4]},
    {"command": "view", "path": A, "view_range": [2, -1]},
    {"command": "view", "path": "/memories/a/b/c/deep.md"},
    {"command": "view", "path": "/memories/none.md"},
    {"command": "str_replace", "path": A, "old_str": "nuts", "new_str": "walnuts"},
    {"command": "str_replace", "path": A, "old_str": "fish", "new_str": "meat"},
    {"command": "str_replace", "path": A, "old_str": "a", "new_str": "o"},
    {"command": "str_replace", "path": "/memories/none.md", "old_str": "a", "new_str": "o"},
    {"command": "str_replace", "path": "/memories/shop", "old_str": "a", "new_str": "o"},
    {"command": "insert", "path": A, "insert_line": 0, "insert_text": "<!-- first -->\n"},
    {"command": "insert", "path": A, "insert_line": 5, "insert_text": "Tom pays."},
    {"command": "insert", "path": A, "insert_line": 99, "insert_text": "Never."},
    {"command": "insert", "path": "/memories/same.md", "insert_line": 1, "insert_text": "It is old."},
    {"command": "view", "path": A},
    {"command": "view", "path": "/memories/same.md"},
    {"command": "rename", "old_path": B, "new_path": A},
    {"command": "rename", "old_path": B, "new_path": "/memories/ovens/third.md"},
    {"command": "rename", "old_path": "/memories/ovens", "new_path": "/memories/old ovens"},
    {"command": "rename", "old_path": "/memories/none.md", "new_path": "/memories/other.md"},
    {"command": "rename", "old_path": "/memories", "new_path": "/memories/other"},
    {"command": "view", "path": "/memories/old ovens/third.md"},
    {"command": "delete", "path": "/memories/a"},
    {"command": "delete", "path": "/memories/same.md"},
    {"command": "delete", "path": "/memories/none.md"},
    {"command": "delete", "path": "/memories"},
    {"command": "view", "path": A},
]
# Sizes of folders are those of a file system there, and of what is in them here.
FOLDER_SIZE = re.compile(r"^\S+(?=\t(?:.*/|/memories|/memories/shop)$)", re.MULTILINE)


def check_that_it_answers_as_the_tool_for_local_files(tmp_path: Path) -> None:
    ours, theirs = WorkspaceMemoryTool(), BetaLocalFilesystemMemoryTool(str(tmp_path))
    for command in COMMANDS:
        assert _answer(ours, command) == _answer(theirs, command), command
    (tmp_path / "memories").rename(tmp_path / "done")


def check_that_another_process_reads_the_files_and_people_correct_them() -> None:
    tool, memory = WorkspaceMemoryTool(Memory()), Memory()
    assert "walnuts" in tool.call({"command": "view", "path": A})
    hit = memory.search("What is Mara allergic to?")[0].memory
    assert hit.content.startswith(f"{A}\n")
    memory.memories.edit(hit.id, content="Mara is allergic to fish.")  # without the line that names the file
    assert "Mara is allergic to fish." in tool.call({"command": "view", "path": A})
    memory.memories.suppress(hit.id)
    assert A not in tool.call({"command": "view", "path": "/memories"})


def check_that_refusals_are_errors_that_the_model_reads() -> None:
    tool = WorkspaceMemoryTool()
    with pytest.raises(ToolError, match="credential"):
        tool.call({"command": "create", "path": "/memories/key.md", "file_text": "password=hunter2-hunter2-hunter2"})
    with pytest.raises(ToolError, match="16,000 characters"):
        tool.call({"command": "create", "path": "/memories/long.md", "file_text": "word " * 4_000})


def check_that_each_user_has_files_of_their_own_and_outsiders_have_none() -> None:
    memory = Memory()
    mara, bob = (WorkspaceMemoryTool(memory.for_user(name, shared=False)) for name in ("mara", "bob"))
    mara.call({"command": "create", "path": "/memories/own.md", "file_text": "Mara's own."})
    assert "own.md" in mara.call({"command": "view", "path": "/memories"})
    for other in (bob, WorkspaceMemoryTool(memory), WorkspaceMemoryTool(outsider())):
        assert "own.md" not in other.call({"command": "view", "path": "/memories"})


def check_that_it_is_awaited_and_cleared() -> None:
    async def work() -> None:
        tool = AsyncWorkspaceMemoryTool()
        assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
        await tool.call({"command": "create", "path": "/memories/one.md", "file_text": "One."})
        await tool.call({"command": "str_replace", "path": "/memories/one.md", "old_str": "One", "new_str": "Two"})
        await tool.call({"command": "insert", "path": "/memories/one.md", "insert_line": 1, "insert_text": "Three."})
        await tool.call({"command": "rename", "old_path": "/memories/one.md", "new_path": "/memories/two.md"})
        assert "Two.\n     2\tThree." in str(await tool.call({"command": "view", "path": "/memories/two.md"}))
        await tool.call({"command": "delete", "path": "/memories/two.md"})
        assert await tool.clear_all_memory() == "All memory cleared"
        assert str(await tool.call({"command": "view", "path": "/memories"})).endswith("0B\t/memories")

    wait_for(work())


def _answer(tool: Any, command: dict[str, Any]) -> str:
    """Return what the model reads, or the kind of the refusal."""
    try:
        return FOLDER_SIZE.sub("", str(tool.call(dict(command))))
    except ToolError as error:
        return "outside" if "etc/passwd" in str(error) else f"refused: {error}"
