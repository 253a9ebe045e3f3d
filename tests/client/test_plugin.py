"""The plugin names tools that exist, and says no more than they do."""

from __future__ import annotations

import json
import re

from mcp_server import tools as tools_of_the_server
from mcp_server.tool_sets import select_tools
from tests.rules.source import ROOT

PLUGIN = ROOT / "plugin"
COMMANDS = {"remember", "promote", "forget", "recall", "memory-enable", "memory-disable"}


def test_it_has_the_commands_and_each_calls_tools_that_exist() -> None:
    assert tools_of_the_server
    pages = {page.stem: page.read_text() for page in (PLUGIN / "commands").glob("*.md")}
    named = {name for page in pages.values() for name in re.findall(r"`((?:memory|workspace)_(?!id`)\w+)`", page)}

    assert pages.keys() == COMMANDS
    assert all(page.startswith("---\ndescription: ") for page in pages.values())
    assert named - {tool.listed_name for tool in select_tools(("memory",))} == set()
    assert len(named) == len(COMMANDS) + 1


def test_its_files_are_well_formed_and_hold_no_key() -> None:
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    (server,) = json.loads((PLUGIN / ".mcp.json").read_text())["mcpServers"].values()

    assert manifest["name"] == "oxagen"
    assert (server["url"], server["headers"]) == ("${WSM_URL}/mcp?tools=memory", {"Authorization": "Bearer ${WSM_KEY}"})
