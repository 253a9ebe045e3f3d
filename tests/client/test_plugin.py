"""The plugin names tools that exist, says no more than they do, and has the files that its format asks for."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mcp_server import tools as tools_of_the_server
from mcp_server.tool_sets import select_tools
from tests.rules.source import ROOT

PLUGIN = ROOT / "plugin"
SIGN_IN = PLUGIN / "sign-in"
COMMANDS = {"remember", "promote", "forget", "recall", "memory-enable", "memory-disable"}
URL = "${WSM_URL:-http://127.0.0.1:8000}/mcp?tools=memory"
# The format's own words: fields of a manifest and of an entry, events, and fields of a hook that is a command.
MANIFEST = {"name", "version", "description", "author", "homepage", "repository", "license", "keywords"}
ENTRY = MANIFEST | {"source", "category", "tags", "strict"}
EVENTS = {"PreToolUse", "PostToolUse", "UserPromptSubmit", "Notification", "Stop", "SubagentStop", "SessionStart"}
EVENTS |= {"SessionEnd", "PreCompact"}
HOOK = {"type", "command", "timeout"}
KEBAB_CASE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
VERSION = re.compile(r"\d+\.\d+\.\d+")


def test_it_has_the_commands_and_each_calls_tools_that_exist() -> None:
    assert tools_of_the_server
    pages = {page.stem: page.read_text() for page in (PLUGIN / "commands").glob("*.md")}
    named = {name for page in pages.values() for name in re.findall(r"`((?:memory|workspace)_(?!id`)\w+)`", page)}

    assert pages.keys() == COMMANDS
    assert all(page.startswith("---\ndescription: ") for page in pages.values())
    assert named - {tool.listed_name for tool in select_tools(("memory",))} == set()
    assert len(named) == len(COMMANDS) + 1


@pytest.mark.parametrize("folder", [PLUGIN, SIGN_IN], ids=["oxagen", "oxagen-sign-in"])
def test_a_manifest_has_what_the_format_knows(folder: Path) -> None:
    manifest = _json(folder / ".claude-plugin" / "plugin.json")

    assert {"name", "version", "description", "author", "license"} <= manifest.keys() <= MANIFEST
    assert KEBAB_CASE.fullmatch(manifest["name"])
    assert VERSION.fullmatch(manifest["version"])
    assert manifest["author"]["name"]
    assert [path.name for path in (folder / ".claude-plugin").iterdir()] == ["plugin.json"]


def test_the_server_has_a_default_address_and_one_of_both_has_no_key() -> None:
    with_key, without = (_json(folder / ".mcp.json")["mcpServers"]["workspace-memory"] for folder in (PLUGIN, SIGN_IN))

    assert with_key == {"type": "http", "url": URL, "headers": {"Authorization": "Bearer ${WSM_KEY}"}}
    assert without == {"type": "http", "url": URL}


def test_the_marketplace_lists_both_as_they_are() -> None:
    marketplace = _json(ROOT / ".claude-plugin" / "marketplace.json")

    assert marketplace.keys() == {"name", "owner", "metadata", "plugins"}
    assert KEBAB_CASE.fullmatch(marketplace["name"])
    assert marketplace["owner"]["name"]
    for entry in marketplace["plugins"]:
        assert {"name", "source"} <= entry.keys() <= ENTRY
        assert entry["source"].startswith("./")
        manifest = _json(ROOT / entry["source"] / ".claude-plugin" / "plugin.json")
        assert (entry["name"], entry["version"]) == (manifest["name"], manifest["version"])
        assert entry["license"] == manifest["license"]
    assert [ROOT / entry["source"] for entry in marketplace["plugins"]] == [PLUGIN, SIGN_IN]


def test_the_variant_that_signs_in_has_the_same_commands() -> None:
    """A plugin is copied when it is installed, and what is outside of its folder is not."""
    for name in [*(f"commands/{command}.md" for command in COMMANDS), "LICENSE"]:
        assert (SIGN_IN / name).read_bytes() == (PLUGIN / name).read_bytes(), name
    assert {path.stem for path in (SIGN_IN / "commands").iterdir()} == COMMANDS


def test_hooks_are_commands_of_events_that_exist_and_start_a_program_that_is_there() -> None:
    found = _json(PLUGIN / "hooks" / "hooks.json")

    assert found.keys() == {"description", "hooks"}
    assert found["hooks"].keys() == {"UserPromptSubmit", "Stop", "SessionEnd"} <= EVENTS
    for (matcher,) in found["hooks"].values():
        (hook,) = matcher["hooks"]
        assert matcher.keys() == {"hooks"}
        assert hook.keys() == HOOK
        assert (hook["type"], hook["timeout"] <= 3) == ("command", True)
        assert hook["command"].startswith('sh "${CLAUDE_PLUGIN_ROOT}/hooks/hook.sh" ')
    assert (PLUGIN / "hooks" / "hook.sh").exists()


def test_the_program_is_read_by_the_python_that_macos_comes_with() -> None:
    for path in (PLUGIN / "hooks").rglob("*.py"):
        ast.parse(path.read_text(), feature_version=(3, 9))


@pytest.mark.heavy
def test_the_program_imports_the_standard_library_alone_and_little_of_it() -> None:
    """With `-S` nothing that was installed can be imported; what takes long to load is not, before it is needed."""
    late = {"http.client", "subprocess", "memory_hooks.events", "dataclasses", "typing", "pathlib", "ssl"}
    code = f"import sys; sys.path.insert(0, 'plugin/hooks'); import memory_hook; print(*({late} & sys.modules.keys()))"
    done = subprocess.run(
        ["python3", "-E", "-s", "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout == "\n"


def _json(path: Path) -> Any:
    return json.loads(path.read_text())
