"""Where the answers of tools are made."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from mcp_types import TextContent

from mcp_server import server
from mcp_server.arguments import ToolArguments
from mcp_server.registry import Tool
from tests.cast import assemble_cast
from tests.mcp_server.serving import door_served, in_session


@pytest.mark.django_db(transaction=True)
def test_the_text_of_a_result_is_made_in_the_thread_of_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not in the event loop, where all others would wait for an answer of megabytes."""
    render, in_a_loop = server._render, []

    def rendered(tool: Tool, result: Any) -> Any:
        in_a_loop.append(asyncio._get_running_loop() is not None)
        return render(tool, result)

    monkeypatch.setattr(server, "_render", rendered)
    secret = assemble_cast().acme.secret
    with door_served() as address:
        result = in_session(address, secret, lambda client: client.call_tool("workspace_memory_status", {}))

    assert in_a_loop == [False]
    [said] = result.content
    assert isinstance(said, TextContent)
    assert json.loads(said.text) == result.structured_content


@pytest.mark.django_db(transaction=True)
def test_arguments_are_read_in_the_thread_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the event loop, where all others would wait for texts of megabytes, and for very many wrong names."""
    read, in_a_loop = ToolArguments.read, []

    def read_arguments(arguments: ToolArguments, given: Mapping[str, Any]) -> dict[str, Any]:
        in_a_loop.append(asyncio._get_running_loop() is not None)
        return read(arguments, given)

    monkeypatch.setattr(ToolArguments, "read", read_arguments)
    secret = assemble_cast().acme.secret
    wrong = {f"name-{number}": number for number in range(1_000)}
    with door_served() as address:
        taken = in_session(address, secret, lambda client: client.call_tool("memory_remember", {"content": "Tea."}))
        refused = in_session(address, secret, lambda client: client.call_tool("memory_recall", wrong))

    assert in_a_loop == [False, False]
    assert (taken.is_error, refused.is_error) == (False, True)
    [said] = refused.content
    assert isinstance(said, TextContent)
    assert said.text.startswith("unknown_field: name-")
    assert len(said.text) < 2_000
